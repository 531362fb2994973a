#include "problem.hpp"

#include "../fields.hpp"
#include "../table/problem_of.hpp"
#include "fields.hpp"
#include "state.hpp"

#include "cax/problems/op/instance.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax::op {
namespace {

constexpr std::array<FamilyWords, 3> words{{
    {"prizes", "what a visit is worth"},
    {"tour length", "the tour must be back before its length is spent", "length limits"},
    {"distances", "how far the customers are from each other", "places"},
}};

/// What the published code lets pass.
constexpr double round_trip_tolerance = 0.001;

double shortest_round_trip(std::vector<double> const& locs) {
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; 2 * i < locs.size(); ++i) {
        shortest = std::min(shortest, 2 * std::hypot(locs[2 * i] - locs[0], locs[2 * i + 1] - locs[1]));
    }
    return shortest;
}

double prize_at(routing::State const& state, std::size_t customer) {
    return double{state.instance().numbers().columns[field_prize][customer]};
}

class Op final : public table::ProblemOf<Instance, routing::Problem> {
public:
    Op()
        : ProblemOf({.name = "op",
                     .title = "orienteering problem",
                     .objective = Objective::maximise,
                     .cost_word = "prize",
                     .node_word = "customer",
                     .default_size = "20",
                     .size_hint = "N",
                     .bound_option = "min-prize",
                     .bound_help = "a prize of at least P",
                     .bound_is_cost = true,
                     .families = {"prize", "budget", "spatial"},
                     .tensors = {},
                     .generator_options = generator_options()},
                    op::fields,
                    {.families = words, .context = {routing::Scale::length}, .arrays = {"prize", "max_length", "locs"}},
                    {.one_tour = true, .weight = field_prize}) {}

    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return op::text_formats(); }

private:
    [[nodiscard]] Result<InstancePtr> draw(std::size_t size, Options const& options, Rng& rng) const override {
        return drawn_instance(size, options, rng);
    }
    [[nodiscard]] std::vector<std::string> facts(routing::Instance const& any, std::size_t node) const override {
        Data const& data = static_cast<Instance const&>(any).data();
        if (node == 0) return {fmt::format("tour of length at most {}", readable(data.max_length))};
        return {fmt::format("prize {}", readable(data.prize[node]))};
    }
    /// The limit is positive and, but for 0.001, enough to visit the nearest customer and come back.
    [[nodiscard]] std::optional<std::string> broken_envelope(Features const& features) const override {
        double const limit = features[field_max_length].values[0];
        if (!(limit > 0)) return fmt::format("max_length is {}: it must be positive", limit);
        double const round_trip = shortest_round_trip(features[field_locs].values);
        if (limit + round_trip_tolerance >= round_trip) return std::nullopt;
        return fmt::format("max_length ({}) is shorter than the shortest round trip ({})", limit, round_trip);
    }
    [[nodiscard]] std::vector<routing::CustomerRule> customer_rules() const override {
        auto rules = routing::Problem::customer_rules();
        rules.push_back({{"largest-prize", "going to the largest prize"},
                         [](routing::State const& state, std::size_t i) { return -prize_at(state, i); }});
        rules.push_back({{"prize-per-distance", "going to the best prize per distance"},
                         [](routing::State const& state, std::size_t i) {
                             return -prize_at(state, i) / std::max(double{state.distances()[i]}, 1e-9);
                         }});
        rules.push_back({{"prize-per-detour", "going to the best prize per detour on the way home"},
                         [](routing::State const& state, std::size_t i) {
                             auto const places = state.instance().places();
                             Point const here = places[state.current_node()];
                             double const home = routing::exact_distance(here, places[0]);
                             double const over = routing::exact_distance(here, places[i]) +
                                                 routing::exact_distance(places[i], places[0]);
                             return -prize_at(state, i) / std::max(over - home, 1e-9);
                         }});
        return rules;
    }
    /// The generator's places lie in the unit square and its prizes are at most 1.
    [[nodiscard]] std::optional<routing::Rescaling> rescaling(routing::Instance const& instance) const override {
        double const richest = *std::ranges::max_element(instance.numbers().columns[field_prize]);
        double const side = routing::extent_of(instance.places()).side;
        bool const outside = routing::lies_outside(instance.places(), 1);
        if (!outside && richest <= 1) return std::nullopt;
        double const scale = outside && side > 1 ? 1 / side : 1;
        double const worth = richest > 1 ? 1 / richest : 1;
        return routing::Rescaling{
            .scale = scale,
            .worth = worth,
            .move = outside,
            .note = fmt::format(
                "The instance has places up to {:.6g} apart and prizes up to {:.6g}; policies are "
                "trained on the unit square and prizes up to 1. The policy is shown distances multiplied by {:.4g} "
                "and prizes by {:.4g}; all numbers below are those of the file.",
                side, richest, scale, worth)};
    }
};

} // namespace

Problem const& problem() {
    static Op const instance{};
    return instance;
}

} // namespace cax::op
