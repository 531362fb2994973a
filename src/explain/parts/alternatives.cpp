#include "cax/explain/explanation.hpp"

#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"
#include "parts/partial.hpp"

#include "cax/core/json.hpp"
#include "cax/core/options.hpp"
#include "cax/core/same_cost.hpp"
#include "cax/explain/price.hpp"
#include "cax/explain/requests.hpp"
#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace cax {
namespace {

std::string alternative_at(std::size_t place) { return fmt::format("/alternatives/{}", place); }

Evidence evidence_of(CostStatus status) {
    switch (status) {
    case CostStatus::proved: return Evidence::proved;
    case CostStatus::bounded: return Evidence::bounded;
    case CostStatus::search:
    case CostStatus::policy:
    case CostStatus::unpriced: break;
    }
    return Evidence::sampled;
}

/// Was it good? Compares the chosen action with the best other one, or with what the policy would have done.
class PriceLine {
public:
    PriceLine(StepWords const& words, Step const& step)
        : words_(words),
          step_(step),
          table_(*step.of<parts::Alternatives>()),
          chosen_(table_.all[table_.chosen]),
          price_(price_of_choice(table_, words.info.objective)) {}

    [[nodiscard]] std::optional<Sentence> tell() const {
        if (chosen_.impossible) return dead_end();
        if (!chosen_.cost) return std::nullopt;
        Alternative const* const other = step_.differs() ? comparable(table_.all[step_.favourite->action]) : best();
        if (other == nullptr) return std::nullopt;
        if (step_.differs()) return beside(*other);
        if (chosen_.regret) return regret(*other);
        if (chosen_.status == CostStatus::policy) return own_ends(*other);
        if (price_->given_away && *price_->given_away == 0) return nothing_lost();
        return price_->of_all() ? found(*other) : found_among(*other);
    }

private:
    [[nodiscard]] bool better(double a, double b) const {
        return words_.info.objective == Objective::minimise ? a < b : a > b;
    }
    [[nodiscard]] Alternative const* comparable(Alternative const& each) const {
        bool const policys = chosen_.status == CostStatus::policy;
        bool const same_kind = policys == (each.status == CostStatus::policy);
        return each.cost && same_kind ? &each : nullptr;
    }
    /// The best other action whose price can be compared.
    [[nodiscard]] Alternative const* best() const {
        Alternative const* found = nullptr;
        for (Alternative const& each : table_.all) {
            if (each.action == table_.chosen || comparable(each) == nullptr) continue;
            if (found == nullptr || better(*each.cost, *found->cost)) found = &each;
        }
        return found;
    }
    [[nodiscard]] std::string unit() const { return std::string(words_.info.cost_word); }
    SentenceBuilder& cost_of(SentenceBuilder& s, Alternative const& each) const {
        return s.number(alternative_at(each.action) + "/cost", each.cost);
    }
    SentenceBuilder& name(SentenceBuilder& s, Alternative const& each) const {
        return s.words(alternative_at(each.action) + "/words", each.words);
    }
    /// "add 12.5 to the length", "lose 0.4 of prize"; `ending` as in "adds".
    SentenceBuilder& loss(SentenceBuilder& s, Alternative const& each, std::string_view ending = "") const {
        bool const adds = words_.info.objective == Objective::minimise;
        s.say(adds ? "add" : "lose").say(ending).say(" ");
        s.number(alternative_at(each.action) + "/regret", each.regret);
        return s.say(adds ? " to the " + unit() : " of " + unit());
    }

    /// Nothing that follows keeps all rules.
    [[nodiscard]] Sentence dead_end() const {
        SentenceBuilder s(Topic::price, Evidence::proved);
        Alternative const* found = nullptr;
        for (Alternative const& each : table_.all) {
            if (each.cost && (found == nullptr || better(*each.cost, *found->cost))) found = &each;
        }
        bool const lost =
            std::ranges::all_of(table_.all, [](Alternative const& each) { return !each.allowed || each.impossible; });
        if (found == nullptr && lost) return s.say("Whatever it does from here, a rule will be broken.").done();
        s.say("Nothing that could follow it keeps all rules");
        if (found == nullptr) return s.say(".").done();
        name(s.say("; if it were to "), *found).say(", " + unit() + " ");
        return cost_of(s, *found).say(" could still be had.").done();
    }
    /// Everything is proved.
    [[nodiscard]] Sentence regret(Alternative const& other) const {
        SentenceBuilder s(Topic::price, Evidence::proved);
        if (*chosen_.regret > 0) {
            Alternative const& first = table_.all[*table_.best_action];
            loss(s.say("Not the best: it "), chosen_, "s").say(". ");
            name(s.say("To "), first).say(" could still lead to ");
            cost_of(s, first).say(", this one to ");
            return cost_of(s, chosen_).say(" at best.").done();
        }
        s.say("Nothing lost: " + unit() + " ");
        cost_of(s, chosen_).say(" can still be reached");
        if (*other.regret > 0) {
            name(s.say("; to "), other).say(" would ");
            return loss(s, other).say(".").done();
        }
        return name(s.say(", and just as well if it were to "), other).say(".").done();
    }
    /// Not all costs are proved, but no bound of any other action is better than what this one reaches.
    [[nodiscard]] Sentence nothing_lost() const {
        SentenceBuilder s(Topic::price, Evidence::proved);
        cost_of(s.say("Nothing lost: " + unit() + " "), chosen_);
        return s.say(" can still be reached, and no other action leads to better.").done();
    }
    /// Another action is known to lead to better: true whatever the rest may cost.
    [[nodiscard]] Sentence beaten(Alternative const& other) const {
        bool const sure = price_->at_least > 0;
        SentenceBuilder s(Topic::price, sure ? Evidence::proved : evidence_of(std::max(price_->status, CostStatus::search)));
        name(s.say(sure ? "Not the best: to " : "A better choice was found: to "), other).say(" leads to " + unit() + " ");
        return cost_of(cost_of(s, other).say(", this one to "), chosen_)
            .say(chosen_.status == CostStatus::proved ? " at best." : " as far as was searched.")
            .done();
    }
    /// By a search that looked at all actions: nothing is proved.
    [[nodiscard]] Sentence found(Alternative const& other) const {
        if (price_->found > 0) return beaten(other);
        SentenceBuilder s(Topic::price, evidence_of(std::max(price_->weakest, CostStatus::search)));
        if (same_cost(*chosen_.cost, *other.cost)) {
            cost_of(s.say("No difference found: the best known " + unit() + " is "), chosen_);
            return name(s.say(" after it, and just so if it were to "), other).say(".").done();
        }
        cost_of(s.say("No better choice was found: the best plan found after it has " + unit() + " "), chosen_);
        return name(cost_of(s.say(", and "), other).say(" if it were to "), other).say(" instead.").done();
    }
    /// Some actions have no price: what is said holds for the others alone.
    [[nodiscard]] Sentence found_among(Alternative const& other) const {
        if (price_->found > 0) return beaten(other);
        SentenceBuilder s(Topic::price, evidence_of(price_->weakest));
        s.say("Of the actions compared (").number("/price/compared", static_cast<double>(price_->compared)).say(" of ");
        s.number("/price/allowed", static_cast<double>(price_->allowed)).say(" allowed), none is better: " + unit() + " ");
        if (same_cost(*chosen_.cost, *other.cost))
            return name(cost_of(s, chosen_).say(" after it, and just so if it were to "), other).say(".").done();
        return name(cost_of(cost_of(s, chosen_).say(" after it, "), other).say(" if it were to "), other).say(".").done();
    }
    [[nodiscard]] Sentence own_ends(Alternative const& other) const {
        SentenceBuilder s(Topic::price, Evidence::exact);
        cost_of(s.say("Left to the policy, the plan ends with " + unit() + " "), chosen_).say("; if it were to ");
        return cost_of(name(s, other).say(", with "), other).say(".").done();
    }
    /// The plan's action beside the policy's.
    [[nodiscard]] Sentence beside(Alternative const& policys) const {
        CostStatus const status = std::max(chosen_.status, policys.status);
        SentenceBuilder s(Topic::price, status == CostStatus::policy ? Evidence::exact : evidence_of(status));
        s.say(status == CostStatus::proved   ? "The best that can follow: "
              : status == CostStatus::policy ? "Left to the policy from there: "
                                             : "The best found to follow: ");
        cost_of(s.say(unit() + " "), chosen_).say(" after the plan's choice, ");
        return cost_of(s, policys).say(" after the policy's.").done();
    }

    StepWords const& words_;
    Step const& step_;
    Alternatives const& table_;
    Alternative const& chosen_;
    std::optional<Price> price_;
};

/// What a search found after one step is a completion of that step's action, too: completion costs never contradict
/// each other along the plan. Going back from the end.
void propagate_completion_costs(std::vector<Step>& steps, Objective objective) {
    auto const better = [&](double a, double b) { return objective == Objective::minimise ? a < b : a > b; };
    for (std::size_t i = steps.size(); i-- > 1;) {
        auto& before = steps[i - 1].of<parts::Alternatives>();
        auto const& after = steps[i].of<parts::Alternatives>();
        if (!after || !before || steps[i].step != steps[i - 1].step + 1) continue;
        Alternative& chosen = before->all[before->chosen];
        for (Alternative const& next : after->all) {
            if (!next.cost || next.status >= CostStatus::policy || chosen.status == CostStatus::proved) continue;
            if (chosen.cost && chosen.status < CostStatus::policy && !better(*next.cost, *chosen.cost)) continue;
            chosen.cost = next.cost;
            chosen.solution = next.solution;
            if (chosen.status >= CostStatus::policy) chosen.status = CostStatus::search;
        }
    }
}

Json slack_json(Slack const& slack) {
    return {slack.family, slack.rule, exact_json(slack.used), exact_json(slack.limit), exact_json(slack.slack), slack.by_nature};
}
Slack read_slack(Json const& json) {
    return {json.at(0).get<std::size_t>(), json.at(1).get<std::string>(), exact_number(json.at(2)),
            exact_number(json.at(3)),      exact_number(json.at(4)),      json.at(5).get<bool>()};
}

Json alternative_json(Instance const& instance, Alternative const& each) {
    Json slacks = Json::array();
    for (Slack const& slack : each.slacks) slacks.push_back(slack_json(slack));
    return {{"action", each.action},
            {"words", each.words},
            {"allowed", each.allowed},
            {"forbidden_by", each.forbidden_by ? slack_json(*each.forbidden_by) : Json(nullptr)},
            {"spent", each.spent},
            {"probability", exact_json(each.probability)},
            {"slacks", std::move(slacks)},
            {"extra", exact_json(each.extra)},
            {"start", exact_json(each.start)},
            {"end", exact_json(each.end)},
            {"cost", exact_json(each.cost)},
            {"status", name_of(each.status)},
            {"bound", exact_json(each.bound)},
            {"impossible", each.impossible},
            {"policy_cost", exact_json(each.policy_cost)},
            {"regret", exact_json(each.regret)},
            {"solution", each.solution ? solution_to_json(instance, *each.solution) : Json(nullptr)}};
}

/// Whatever does not fit throws.
Alternative read_alternative(Instance const& instance, Json const& json) {
    Alternative each;
    each.action = json.at("action").get<std::size_t>();
    each.words = json.at("words").get<std::string>();
    each.allowed = json.at("allowed").get<bool>();
    if (!json.at("forbidden_by").is_null()) each.forbidden_by = read_slack(json.at("forbidden_by"));
    each.spent = json.at("spent").get<bool>();
    each.probability = exact_number(json.at("probability"));
    for (Json const& slack : json.at("slacks")) each.slacks.push_back(read_slack(slack));
    each.extra = exact_or_nothing(json.at("extra"));
    each.start = exact_or_nothing(json.at("start"));
    each.end = exact_or_nothing(json.at("end"));
    each.cost = exact_or_nothing(json.at("cost"));
    auto const status = parse_name<CostStatus>("status", json.at("status").get<std::string>());
    each.status = status ? *status : throw std::invalid_argument("status");
    each.bound = exact_or_nothing(json.at("bound"));
    each.impossible = json.at("impossible").get<bool>();
    each.policy_cost = exact_or_nothing(json.at("policy_cost"));
    each.regret = exact_or_nothing(json.at("regret"));
    if (json.at("solution").is_null()) return each;
    auto solution = solution_from_json(instance, json.at("solution"));
    each.solution = solution ? *std::move(solution) : throw std::invalid_argument("solution");
    return each;
}

} // namespace

Json partial_json(Instance const& instance, Alternatives const& part) {
    Json all = Json::array();
    for (Alternative const& each : part.all) all.push_back(alternative_json(instance, each));
    return {{"at", {part.instance, part.step, part.chosen}},
            {"all", std::move(all)},
            {"best_cost", exact_json(part.best_cost)},
            {"best_action", part.best_action ? Json(*part.best_action) : Json(nullptr)},
            {"work", {part.proof_work, part.search_work, part.solver_work, part.forward_passes}}};
}

bool read_partial(Instance const& instance, Json const& json, Alternatives& part) {
    return readable([&] {
        part.instance = json.at("at").at(0).get<std::size_t>();
        part.step = json.at("at").at(1).get<std::size_t>();
        part.chosen = json.at("at").at(2).get<std::size_t>();
        for (Json const& each : json.at("all")) part.all.push_back(read_alternative(instance, each));
        part.best_cost = exact_or_nothing(json.at("best_cost"));
        if (!json.at("best_action").is_null()) part.best_action = json.at("best_action").get<std::size_t>();
        part.proof_work = json.at("work").at(0).get<std::uint64_t>();
        part.search_work = json.at("work").at(1).get<std::uint64_t>();
        part.solver_work = json.at("work").at(2).get<std::uint64_t>();
        part.forward_passes = json.at("work").at(3).get<std::size_t>();
    });
}

void describe(OptionTable& table, PricingOptions& options) {
    table.choice("regret", options.mode, "What alternatives are priced by");
    table.value(
        "priced", options.actions, "n",
        "So many actions get a price of their own where each needs a search: the chosen one, then by probability");
    table.value("search-work", options.search_work, "n",
                "Iterations of the search for each of them, fewer the less is left");
    table.value("proof-work", options.proof_work, "n", "States of an exact programme for a decision");
    table.value("solver-work", options.solver_work, "n",
                "Steps of the constraint solver for each of them; 0 = do without");
}


namespace parts {

void Alternatives::describe(OptionTable& table, Request& request) { cax::describe(table, request); }

Result<cax::Alternatives> Alternatives::explain(ExplanationContext const& context, Step const& so_far) {
    PricingOptions options = context.options.of<Alternatives>();
    options.seed = context.options.seed;
    auto const read = [&](Json const& json, cax::Alternatives& part) {
        return read_partial(context.instance(), json, part);
    };
    auto const write = [&](cax::Alternatives const& part) { return partial_json(context.instance(), part); };
    return recalled_or<cax::Alternatives>(context, so_far.step, name, read, write, [&] {
        return alternatives(*context.policy, context.decision(so_far.step), context.before(so_far.step), options,
                            context.known);
    });
}

void Alternatives::finish(ExplanationContext const& context, std::vector<Step>& steps) {
    propagate_completion_costs(steps, context.info().objective);
}

void Alternatives::add_lines(StepWords const& words, Step const& step, Lines& lines) {
    auto const& regret = step.of<Regret>();
    bool const told = regret && !step.differs() && (regret->found.is_proved() || regret->found.estimate > 0);
    if (step.forced() || told) return;
    if (auto line = PriceLine(words, step).tell()) lines.push_back({10, *std::move(line)});
}

} // namespace parts
} // namespace cax
