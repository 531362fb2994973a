#include "../routing/problem.hpp"
#include "../table/problem_of.hpp"
#include "fields.hpp"

#include "cax/problems/pctsp/instance.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace cax::pctsp {
namespace {

constexpr std::array<FamilyWords, 3> words{{
    {"prizes", "a tour has to collect enough of them"},
    {"penalties", "what it costs to leave a customer out"},
    {"distances", "how far the customers are from each other", "places"},
}};

/// rl4co's length of a tour by number of customers, which its penalties are scaled with; the nearest entry counts.
double typical_length(std::size_t customers) { return customers <= 35 ? 2 : customers <= 75 ? 3 : 4; }

double penalty_at(routing::State const& state, std::size_t customer) {
    return double{state.instance().numbers().columns[field_penalty][customer]};
}

class Pctsp final : public table::ProblemOf<Instance, routing::Problem> {
public:
    Pctsp()
        : ProblemOf({.name = "pctsp",
                     .title = "prize-collecting travelling salesman problem",
                     .cost_word = "cost",
                     .node_word = "customer",
                     .default_size = "20",
                     .size_hint = "N",
                     .bound_option = "max-cost",
                     .bound_help = "length and penalties of at most C",
                     .bound_is_cost = true,
                     .families = {"prize", "penalty", "spatial"},
                     .tensors = {},
                     .generator_options = {}},
                    pctsp::fields, {.families = words, .arrays = {"locs", "depot", "penalty", "deterministic_prize"}},
                    {.one_tour = true, .weight = field_prize}) {}

private:
    /// Draws in a fixed order: depot, customers, penalties, prizes, and what another problem would read.
    [[nodiscard]] Result<InstancePtr> draw(std::size_t customers, Options const&, Rng& rng) const override {
        auto const count = static_cast<double>(customers);
        routing::Numbers numbers{.columns = {routing::drawn_places(customers + 1, rng), {}, {0}, {}}};
        for (std::size_t i = 0; i < customers; ++i) {
            double const most = 3 * typical_length(customers) / count;
            numbers.columns[field_penalty].push_back(static_cast<float>(most * rng.uniform()));
        }
        for (std::size_t i = 0; i < customers; ++i) {
            numbers.columns[field_prize].push_back(static_cast<float>(4 / count * rng.uniform()));
        }
        for (std::size_t i = 0; i < customers; ++i) {
            auto const factor = static_cast<float>(2 * rng.uniform());
            numbers.columns[field_stochastic].push_back(factor * numbers.columns[field_prize][i]);
        }
        return make(std::move(numbers));
    }
    [[nodiscard]] std::vector<std::string> facts(routing::Instance const& any, std::size_t node) const override {
        Data const& data = static_cast<Instance const&>(any).data();
        if (node == 0) return {fmt::format("a prize of {} to be collected", prize_required)};
        return {fmt::format("prize {:.4g}", data.prize[node - 1]), fmt::format("penalty {:.4g}", data.penalty[node])};
    }
    /// With less than that everybody is forced onto the tour.
    [[nodiscard]] std::optional<std::string> broken_envelope(Features const& features) const override {
        auto const& prizes = features[field_prize].values;
        double const total = std::accumulate(prizes.begin(), prizes.end(), 0.0);
        if (total >= prize_required) return std::nullopt;
        return fmt::format("all prizes together are {}, less than {}", total, prize_required);
    }
    [[nodiscard]] std::vector<routing::CustomerRule> customer_rules() const override {
        auto rules = routing::Problem::customer_rules();
        rules.push_back({{"largest-prize", "going to the largest prize"}, [](routing::State const& s, std::size_t i) {
                             return -double{s.instance().numbers().columns[field_prize][i - 1]};
                         }});
        rules.push_back({{"largest-penalty", "going to the largest penalty"},
                         [](routing::State const& s, std::size_t i) { return -penalty_at(s, i); }});
        rules.push_back({{"penalty-per-detour", "going to the largest penalty per detour on the way home"},
                         [](routing::State const& s, std::size_t i) {
                             return -penalty_at(s, i) / std::max(routing::smallest_detour(s, i), 1e-9);
                         }});
        return rules;
    }
};

} // namespace

Problem const& problem() {
    static Pctsp const instance;
    return instance;
}

} // namespace cax::pctsp
