#include "problem.hpp"

#include "../table/problem_of.hpp"
#include "fields.hpp"

#include "cax/problems/tsp/instance.hpp"

namespace cax::tsp {
namespace {

constexpr std::array<FamilyWords, 1> words{{{"distances", "every city is visited, and how far that is", "places"}}};

class Tsp final : public table::ProblemOf<Instance, routing::Problem> {
public:
    Tsp()
        : ProblemOf({.name = "tsp",
                     .title = "travelling salesman problem",
                     .cost_word = "length",
                     .node_word = "city",
                     .default_size = "20",
                     .size_hint = "N",
                     .bound_option = "max-length",
                     .bound_help = "a tour of length at most L",
                     .bound_is_cost = true,
                     .families = {"spatial"},
                     .tensors = {},
                     .generator_options = {}},
                    tsp::fields,
                    {.families = words,
                     .nodes = {.depot = false, .one = "city", .many = "cities"},
                     .depot_apart = false,
                     .arrays = {"locs"},
                     .foreign = {"num_agents"}},
                    {.one_tour = true}) {}

    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return tsp::text_formats(); }

private:
    [[nodiscard]] Result<InstancePtr> draw(std::size_t cities, Options const&, Rng& rng) const override {
        return make({.columns = {routing::drawn_places(cities, rng)}});
    }
    /// Places are all there is to go by.
    [[nodiscard]] std::vector<routing::CustomerRule> customer_rules() const override {
        return {{{"nearest", "going to the nearest city"}, routing::nearest},
                {{"detour", "going where the detour on the way back is shortest"}, routing::smallest_detour}};
    }
};

} // namespace

Problem const& problem() {
    static Tsp const instance;
    return instance;
}

} // namespace cax::tsp
