#include "problem.hpp"

#include "../fields.hpp"
#include "../routing/fleet/fleet.hpp"
#include "../table/problem_of.hpp"
#include "fields.hpp"

#include "cax/problems/cvrptw/instance.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace cax::cvrptw {
namespace {

// What the generator draws from.
constexpr double largest_place = 150;
constexpr double longest_day = 480;

constexpr std::array<FamilyWords, 3> words{{
    {"capacity", "a vehicle carries no more than it can hold", "demands"},
    {"time windows", "every customer is reached before its window closes, and the depot before the day ends"},
    {"distances", "every customer is visited, and how far that is", "places"},
}};

Window window_of(routing::State const& state, std::size_t customer) {
    return static_cast<Instance const&>(state.instance()).data().time_windows[customer];
}
double arrival_at(routing::State const& state, std::size_t customer) {
    return double{state.clock().value_or(0)} + double{state.distances()[customer]};
}

class Cvrptw final : public table::ProblemOf<Instance, routing::Problem> {
public:
    Cvrptw()
        : ProblemOf({.name = "cvrptw",
                     .title = "capacitated vehicle routing with time windows",
                     .cost_word = "length",
                     .node_word = "customer",
                     .default_size = "50",
                     .size_hint = "N",
                     .bound_option = "fleet",
                     .bound_help = "at most K vehicles",
                     .families = {"capacity", "time_window", "spatial"},
                     .tensors = {},
                     .generator_options = generator_options()},
                    cvrptw::fields,
                    {.families = words,
                     .context = {routing::Scale::none, routing::Scale::length},
                     .arrays = {"time_windows", "demand", "locs", "depot"}},
                    {.weight = field_demand}) {}

    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return cvrptw::text_formats(); }

private:
    [[nodiscard]] Result<InstancePtr> draw(std::size_t size, Options const& options, Rng& rng) const override {
        return drawn_instance(size, options, rng);
    }
    [[nodiscard]] std::vector<std::string> facts(routing::Instance const& any, std::size_t node) const override {
        Data const& data = static_cast<Instance const&>(any).data();
        auto const [open, close] = data.time_windows[node];
        std::vector<std::string> facts{
            fmt::format("{} {} to {}", node == 0 ? "day" : "window", readable(open), readable(close))};
        if (node > 0) {
            facts.push_back(
                fmt::format("demand {:.4g} of {}", routing::demand_in_units(data, node), readable(data.capacity)));
        }
        if (data.durations[node] > 0) {
            facts.push_back(fmt::format("service takes {}", readable(data.durations[node])));
        }
        return facts;
    }
    /// One vehicle per customer is the largest fleet that makes sense, and each has capacity 1.
    [[nodiscard]] std::optional<std::string> broken_envelope(Features const& features) const override {
        auto const& demand = features[field_demand].values;
        double const total = std::accumulate(demand.begin(), demand.end(), 0.0);
        if (total <= static_cast<double>(demand.size())) return std::nullopt;
        return fmt::format("total demand is {} vehicle loads for {} customers", total, demand.size());
    }
    [[nodiscard]] std::vector<routing::CustomerRule> customer_rules() const override {
        auto rules = routing::Problem::customer_rules();
        rules.push_back({{"earliest-due", "going where the window closes first"},
                         [](routing::State const& s, std::size_t i) { return double{window_of(s, i).close}; }});
        rules.push_back({{"earliest-open", "going where the window opens first"},
                         [](routing::State const& s, std::size_t i) { return double{window_of(s, i).open}; }});
        rules.push_back(
            {{"most-urgent", "going where least time is left on arrival"},
             [](routing::State const& s, std::size_t i) { return double{window_of(s, i).close} - arrival_at(s, i); }});
        rules.push_back(
            {{"soonest-served", "going where service can begin first"}, [](routing::State const& s, std::size_t i) {
                 return std::max(arrival_at(s, i), double{window_of(s, i).open});
             }});
        rules.push_back({{"largest-demand", "going to the largest demand"}, [](routing::State const& s, std::size_t i) {
                             return -double{static_cast<Instance const&>(s.instance()).data().demand[i - 1]};
                         }});
        return rules;
    }
    [[nodiscard]] std::optional<routing::Rescaling> rescaling(routing::Instance const& any) const override {
        double const day = static_cast<Instance const&>(any).data().time_windows[0].close;
        double const side = routing::extent_of(any.places()).side;
        double const scale = std::min({1.0, longest_day / day, largest_place / side});
        if (!(scale < 1) && !routing::lies_outside(any.places(), largest_place)) return std::nullopt;
        return routing::Rescaling{
            .scale = scale,
            .move = true,
            .note = fmt::format(
                "The instance has a day of {:.6g} and places up to {:.6g} apart; policies are trained on days of {} "
                "and places up to {} apart. The policy is shown distances and times multiplied by {:.4g}; "
                "all numbers below are those of the file.",
                day, side, longest_day, largest_place, scale)};
    }
};

} // namespace

Problem const& problem() {
    static Cvrptw const instance{};
    return instance;
}

} // namespace cax::cvrptw
