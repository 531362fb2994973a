#include "problem.hpp"

#include "../fields.hpp"
#include "../member_capabilities.hpp"
#include "../routing/drawing.hpp"
#include "../routing/fleet/fleet.hpp"
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
    {"capacity", "a vehicle carries no more than it can hold"},
    {"time windows", "every customer is reached before its window closes, and the depot before the day ends"},
    {"distances", "every customer is visited, and how far that is"},
}};

class Cvrptw final : public routing::Problem {
public:
    Cvrptw()
        : routing::Problem({.name = "cvrptw",
                            .title = "capacitated vehicle routing with time windows",
                            .objective = Objective::minimise,
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
                            .weight = field_demand,
                            .arrays = {"time_windows", "demand", "locs", "depot"},
                            .foreign = {}}) {}

    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        return cvrptw::generate(size, options, rng);
    }
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return cvrptw::text_formats(); }
    [[nodiscard]] Pricing const* pricing() const override { return &pricing_; }
    [[nodiscard]] Questions const* questions() const override { return &questions_; }

private:
    [[nodiscard]] InstancePtr build(routing::Numbers numbers) const override {
        return std::make_shared<Instance>(std::move(numbers));
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
                "and places up to {} apart. Its distances and times are multiplied by {:.4g}, which changes no "
                "solution; all numbers below are in these units.",
                day, side, longest_day, largest_place, scale)};
    }

    MemberPricing<Instance> const pricing_{};
    MemberQuestions<Instance> const questions_{};
};

} // namespace

routing::Problem const& problem() {
    static Cvrptw const instance{};
    return instance;
}

} // namespace cax::cvrptw
