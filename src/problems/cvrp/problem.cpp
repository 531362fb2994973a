#include "problem.hpp"

#include "../fields.hpp"
#include "../routing/fleet/fleet.hpp"
#include "../table/problem_of.hpp"
#include "fields.hpp"

#include "cax/problems/cvrp/instance.hpp"

#include <fmt/format.h>

namespace cax::cvrp {
namespace {

constexpr std::array<FamilyWords, 2> words{{
    {"capacity", "a vehicle carries no more than it can hold", "demands"},
    {"distances", "every customer is visited, and how far that is", "places"},
}};

} // namespace

ProblemInfo cvrp_info() {
    return {
        .name = "cvrp",
        .title = "capacitated vehicle routing",
        .cost_word = "length",
        .node_word = "customer",
        .default_size = "20",
        .size_hint = "N",
        .bound_option = "fleet",
        .bound_help = "at most K vehicles",
        .cost_option = "max-length",
        .cost_help = "routes of length at most L",
        .families = {"capacity", "spatial"},
        .tensors = {},
        .generator_options = {{"capacity", "vehicle capacity Q; demands are 1 to 9 (default: rl4co's for the size, 30 "
                                           "for 20 customers)"}}};
}

Capacitated::Capacitated(ProblemInfo info, routing::LegRule leg)
    : Problem(std::move(info), cvrp::fields, {.families = words, .arrays = {"locs", "depot", "demand"}},
              {.weight = field_demand, .leg = leg}) {}

/// Draws in a fixed order: depot, customers, demands.
Result<InstancePtr> Capacitated::draw(std::size_t customers, Options const& options, Rng& rng) const {
    // Demands run to 9, and each must fit a vehicle.
    auto const asked = number_option(options, "capacity", routing::default_capacity(customers), 9, 1e6);
    if (!asked) return asked.error();
    auto const room = static_cast<float>(*asked);
    routing::Numbers numbers{.columns = {routing::drawn_places(customers + 1, rng), {}, {room}}};
    for (std::size_t i = 0; i < customers; ++i) {
        numbers.columns[field_demand].push_back(static_cast<float>(1 + rng.below(9)) / room);
    }
    return make(std::move(numbers));
}

std::vector<std::string> Capacitated::facts(routing::Instance const& any, std::size_t node) const {
    Data const& data = static_cast<Instance const&>(any).data();
    if (node == 0) return {fmt::format("vehicles hold {}", readable(data.capacity))};
    double const units = routing::in_units(data.demand[node - 1], data.capacity);
    return {fmt::format("demand {:.4g} of {}", units, readable(data.capacity))};
}

/// What fits no vehicle has no solution.
std::optional<std::string> Capacitated::broken_envelope(Features const& features) const {
    auto const& demand = features[field_demand].values;
    for (std::size_t i = 0; i < demand.size(); ++i) {
        if (!(demand[i] <= 1)) return fmt::format("customer {}: demand is {} vehicle loads", i + 1, demand[i]);
    }
    return std::nullopt;
}

std::vector<routing::CustomerRule> Capacitated::customer_rules() const {
    auto rules = routing::Problem::customer_rules();
    rules.push_back({{"largest-demand", "going to the largest demand"}, [](routing::State const& s, std::size_t i) {
                         return -double{static_cast<Instance const&>(s.instance()).data().demand[i - 1]};
                     }});
    return rules;
}

namespace {

class Cvrp final : public table::ProblemOf<Instance, Capacitated> {
public:
    Cvrp() : ProblemOf(cvrp_info()) {}
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return cvrp::text_formats(); }
};

} // namespace

Problem const& problem() {
    static Cvrp const instance{};
    return instance;
}

} // namespace cax::cvrp
