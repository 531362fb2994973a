#include "problem.hpp"

#include "../errors.hpp"
#include "../fields.hpp"
#include "../table/problem_of.hpp"
#include "drawing.hpp"
#include "fields.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/thumb.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace cax::knapsack {
namespace {

constexpr std::array<FamilyWords, 3> words{{
    {"values", "what an item is worth"},
    {"weight", "what is packed is together no heavier than allowed", "weights"},
    {"volume", "what is packed is together no bulkier than allowed", "volumes"},
}};

constexpr double largest_usual_value = 1.5; // of the generator

/// What an item is worth and what it takes; lower scores are better.
struct Offer {
    double value = 0, weight = 0, volume = 0;
    double weight_left = 0, volume_left = 0;
};
struct ItemRule {
    ThumbRule rule;
    double (*score)(Offer const& offer);
};
double per(double value, double amount) { return -value / std::max(amount, 1e-9); }

constexpr std::array<ItemRule, 6> item_rules{{
    {{"value-per-use", "packing the best value per weight and volume"},
     [](Offer const& o) { return per(o.value, o.weight + o.volume); }},
    {{"value-per-room-left", "packing the best value per use of what is left"},
     [](Offer const& o) {
         return per(o.value, o.weight / std::max(o.weight_left, 1e-9) + o.volume / std::max(o.volume_left, 1e-9));
     }},
    {{"value-per-weight", "packing the best value per weight"}, [](Offer const& o) { return per(o.value, o.weight); }},
    {{"value-per-volume", "packing the best value per volume"}, [](Offer const& o) { return per(o.value, o.volume); }},
    {{"largest-value", "packing the most valuable item"}, [](Offer const& o) { return -o.value; }},
    {{"smallest", "packing the item that takes least of both"}, [](Offer const& o) { return o.weight + o.volume; }},
}};

class Knapsack final : public table::ProblemOf<Instance>, public RulesOfThumb {
public:
    Knapsack()
        : ProblemOf({.name = "knapsack",
                     .title = "knapsack problem with two resources",
                     .objective = Objective::maximise,
                     .cost_word = "value",
                     .node_word = "item",
                     .default_size = "20",
                     .size_hint = "N",
                     .bound_option = "min-value",
                     .bound_help = "a value of at least V",
                     .bound_is_cost = true,
                     .families = {"value", "weight", "volume"},
                     .tensors = {},
                     .generator_options = knapsack::generator_options()},
                    knapsack::fields,
                    {.families = words,
                     .nodes = {.depot = false, .one = "item", .many = "items"},
                     .depot_apart = false,
                     .arrays = {"values", "weights", "volumes"}}) {}

    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        return knapsack::generate(size, options, rng);
    }
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return knapsack::text_formats(); }
    [[nodiscard]] RulesOfThumb const* thumb() const override { return this; }

    [[nodiscard]] Json solution_to_json(cax::Instance const&, Solution const& solution) const override {
        return {{"packing", std::get<Packing>(solution).items}};
    }
    [[nodiscard]] Result<Solution> solution_from_json(cax::Instance const&, Json const& json) const override {
        auto const list = require_array(json, "packing");
        if (!list) return list.error();
        auto items = read_indices(**list, "packing");
        if (!items) return items.error();
        std::ranges::sort(*items);
        return Solution{Packing{*std::move(items)}};
    }
    /// As the actions do for as long as they are in the packing, then in the order of items.
    [[nodiscard]] Result<std::vector<std::size_t>> actions(cax::Instance const& instance, Solution const& solution,
                                                           std::span<std::size_t const> like) const override {
        auto left = std::get<Packing>(solution).items;
        StatePtr const state = instance.reset();
        std::vector<std::size_t> taken;
        while (!left.empty()) {
            auto next = taken.size() < like.size() ? std::ranges::find(left, like[taken.size()]) : left.end();
            if (next == left.end()) next = left.begin();
            if (state->action_mask()[*next] == 0)
                return invalid("step {}: item {} does not fit", taken.size() + 1, *next);
            state->step(*next);
            taken.push_back(*next);
            left.erase(next);
        }
        if (!state->done()) return invalid("the episode is not finished after {} steps", taken.size());
        return taken;
    }

    [[nodiscard]] Result<ActionPlan> action_plan(cax::Instance const&, Solution const& solution, Rng*) const override {
        return ActionPlan{std::get<Packing>(solution).items, true};
    }

    [[nodiscard]] std::string describe_action(cax::State const&, std::size_t action) const override {
        return "pack " + name_of(action);
    }
    [[nodiscard]] Json scene(cax::Instance const& instance) const override {
        return drawn_scene(static_cast<Instance const&>(instance));
    }
    [[nodiscard]] Json moment(cax::State const& state, std::span<std::size_t const> actions) const override {
        return drawn_moment(static_cast<State const&>(state), actions);
    }
    [[nodiscard]] Json mark(cax::State const& state, std::size_t action) const override {
        return drawn_mark(static_cast<State const&>(state), action);
    }
    [[nodiscard]] Json drawing(cax::Instance const& instance, Solution const& solution) const override {
        return drawn_packing(static_cast<Instance const&>(instance), std::get<Packing>(solution));
    }
    [[nodiscard]] Result<InDomain> into_domain(InstancePtr const& any) const override {
        table::Numbers numbers = static_cast<Instance const&>(*any).numbers();
        double const richest = *std::ranges::max_element(numbers.columns[field_values]);
        if (richest <= largest_usual_value) return InDomain{.instance = any, .note = {}};
        numbers.shown.worth = largest_usual_value / richest;
        InDomain fitted{.instance = {}, .scale = numbers.shown.worth, .note = {}};
        fitted.note =
            fmt::format("The instance has values up to {:.6g}; policies are trained on values up to {}. The "
                        "policy is shown values multiplied by {:.4g}; all numbers below are those of the file.",
                        richest, largest_usual_value, fitted.scale);
        fitted.instance = std::make_shared<Instance>(std::move(numbers));
        return fitted;
    }

    [[nodiscard]] std::vector<ThumbRule> thumb_rules() const override {
        std::vector<ThumbRule> rules;
        for (ItemRule const& each : item_rules) rules.push_back(each.rule);
        return rules;
    }
    [[nodiscard]] std::vector<double> thumb_scores(cax::State const& any, std::size_t rule) const override {
        auto const& state = static_cast<State const&>(any);
        Data const& data = state.instance().data();
        std::vector<double> scores(state.action_mask().size(), std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < scores.size(); ++i) {
            if (state.action_mask()[i] == 0) continue;
            scores[i] = item_rules[rule].score({data.values[i], data.weights[i], data.volumes[i],
                                                1 - double{state.used_weight()}, 1 - double{state.used_volume()}});
        }
        return scores;
    }

private:
    /// An item that does not even fit alone is none.
    [[nodiscard]] std::optional<std::string> broken_envelope(Features const& features) const override {
        for (std::size_t const f : {field_weights, field_volumes}) {
            auto const large = std::ranges::find_if(features[f].values, [](double share) { return !(share <= 1); });
            if (large == features[f].values.end()) continue;
            return fmt::format("item {}: {} is {} times what there is", large - features[f].values.begin(),
                               knapsack::fields[f].label[0], *large);
        }
        return std::nullopt;
    }
};

} // namespace

Problem const& problem() {
    static Knapsack const instance{};
    return instance;
}

} // namespace cax::knapsack
