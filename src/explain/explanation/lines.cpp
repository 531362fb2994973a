#include "explanation/lines.hpp"

#include "explanation/sentence_builder.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// What nobody doubts.
constexpr double clear_probability = 0.95;
/// A family whose share of the sensitivity is higher here than in this part of the policy's decisions is unusual.
constexpr double unusual_percentile = 0.8;
/// Flips at the larger size of noise that are worth a line.
constexpr double notable_rate = 0.1;
/// Numbers that a change may move and still be told in a line.
constexpr std::size_t tellable_changes = 3;
/// Parts of a lead that are worth a word.
constexpr double notable_part = 0.05;

/// Along a given plan: what the policy makes of it.
Sentence agreement_line(Step const& step) {
    SentenceBuilder s(Topic::decision, Evidence::exact);
    if (step.differs()) {
        s.say("The policy would ").words("/policy/words", step.favourite->words).say(" (");
        s.whole_percent("/policy/probability", step.favourite->probability).say("); the plan's choice, ");
        s.words("/words", step.choice.words).say(", has ");
        return s.whole_percent("/probability", step.choice.probability).say(" with it.").done();
    }
    bool const close = *step.choice.probability - *step.runner_up->probability < close_call_lead;
    s.say(close ? "The policy agrees, but only just: " : "The policy agrees: ").words("/words", step.choice.words);
    s.say(" (").whole_percent("/probability", step.choice.probability).say("), then ");
    s.words("/runner_up/words", step.runner_up->words).say(" (");
    return s.whole_percent("/runner_up/probability", step.runner_up->probability).say(").").done();
}

Sentence confidence_line(Step const& step) {
    SentenceBuilder s(Topic::decision, Evidence::exact);
    if (step.forced()) {
        s.say("Forced: ").words("/words", step.choice.words);
        return s.say(step.allowed > 1 ? " is all that its look ahead leaves." : " is all that is allowed.").done();
    }
    if (step.favourite) return agreement_line(step);
    double const lead = *step.choice.probability - *step.runner_up->probability;
    bool const close = lead < close_call_lead;
    bool const clear = *step.choice.probability >= clear_probability;
    s.say(close ? "Close call: " : clear ? "Clear: " : "Preferred: ").words("/words", step.choice.words).say(" (");
    s.whole_percent("/probability", step.choice.probability).say(")");
    if (clear) return s.say(".").done();
    s.say(close ? " or " : ", then ").words("/runner_up/words", step.runner_up->words).say(" (");
    return s.whole_percent("/runner_up/probability", step.runner_up->probability).say(").").done();
}

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
        : words_(words), step_(step), table_(*step.alternatives), chosen_(table_.all[table_.chosen]) {}

    [[nodiscard]] std::optional<Sentence> tell() const {
        if (chosen_.impossible) return dead_end();
        if (!chosen_.cost) return std::nullopt;
        Alternative const* const other = step_.differs() ? comparable(table_.all[step_.favourite->action]) : best();
        if (other == nullptr) return std::nullopt;
        if (step_.differs()) return beside(*other);
        if (chosen_.regret) return regret(*other);
        return chosen_.status == CostStatus::policy ? own_ends(*other) : found(*other);
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
    /// By a search: nothing is proved.
    [[nodiscard]] Sentence found(Alternative const& other) const {
        SentenceBuilder s(Topic::price, evidence_of(std::max(chosen_.status, other.status)));
        double const tolerance = 1e-6 * std::fabs(*chosen_.cost);
        bool const sure = std::max(chosen_.status, other.status) == CostStatus::proved;
        if (std::fabs(*chosen_.cost - *other.cost) <= tolerance) {
            s.say(sure ? "No difference: the best " : "No difference found: the best known ");
            s.say(unit() + " is ");
            return name(cost_of(s, chosen_).say(" after it, and just so if it were to "), other).say(".").done();
        }
        bool const good = better(*chosen_.cost, *other.cost);
        s.say(good ? "No better choice was found: " : sure ? "Not the best: to " : "A better choice was found: to ");
        if (good) {
            cost_of(s.say("the best plan found after it has " + unit() + " "), chosen_).say(", and ");
            return name(cost_of(s, other).say(" if it were to "), other).say(" instead.").done();
        }
        name(s, other).say(" leads to " + unit() + " ");
        return cost_of(cost_of(s, other).say(", this one to "), chosen_)
            .say(sure ? " at best." : " as far as was searched.")
            .done();
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
};

/// The rule that kept the policy from what it wanted more.
std::optional<Sentence> forbidden_line(Step const& step) {
    auto const& list = *step.forbidden;
    auto const most = std::ranges::max_element(list, {}, [](StepForbidden const& f) { return f.what.probability; });
    if (most == list.end() || most->what.probability < notable_favourite) return std::nullopt;
    std::string const at = fmt::format("/forbidden/{}", most - list.begin());
    SentenceBuilder s(Topic::forbidden, Evidence::exact);
    s.say("It would rather ").words(at + "/words", most->words).say(" (");
    s.whole_percent(at + "/probability", most->what.probability)
        .say(most->what.by_policy ? "), but looks ahead: " : "), but a rule forbids it: ");
    s.words(at + "/rule", most->what.rule.rule).say(" (").number(at + "/used", most->what.rule.used);
    return s.say(", at most ").number(at + "/limit", most->what.rule.limit).say(").").done();
}

/// Why this rather than the next best?
std::optional<Sentence> swap_line(StepWords const& words, Step const& step) {
    Swap const& swap = step.swap->swap;
    auto const top = swap.top();
    if (!top || words.info.families.size() < 2) return std::nullopt;
    // A probability of 0 leaves no lead that could be taken apart.
    auto const finite = [](double value) { return std::isfinite(value); };
    if (!finite(swap.margin) || !std::ranges::all_of(swap.phi, finite)) return std::nullopt;
    SentenceBuilder s(Topic::swap, Evidence::computed);
    if (step.differs()) {
        s.say("Why does the policy not ").words("/swap/other_words", step.swap->other_words).say(" as the plan does? ");
    } else {
        s.say("Why not ").words("/swap/other_words", step.swap->other_words);
        s.say(swap.other_is_runner_up ? "? " : ", the likeliest that can be compared? ");
    }
    s.say("Mostly because of the " + words.data(*top) + ": ");
    if (swap.single[*top] < 0) {
        s.say("had the two exchanged theirs, the policy would have preferred that one");
    } else {
        s.say("but even with theirs exchanged the policy would have preferred its choice to that one");
    }
    auto const least = static_cast<std::size_t>(std::ranges::min_element(swap.phi) - swap.phi.begin());
    if (swap.phi[least] < -notable_part * std::fabs(swap.margin)) {
        s.say("; the " + words.data(least) + " spoke for it");
    }
    return s.say(".").done();
}

/// Whose data, if wrong, would upset it more easily than usual?
std::optional<Sentence> sensitivity_line(StepWords const& words, Step const& step) {
    StepSensitivity const& part = *step.sensitivity;
    if (!part.unusual || part.percentiles[*part.unusual] < unusual_percentile) return std::nullopt;
    FamilySensitivity const& family = part.found.families[*part.unusual];
    double const rate = family.flip_rate_by_size.back();
    if (rate < notable_rate) return std::nullopt;
    std::string const at = fmt::format("/sensitivity/families/{}", words.info.families[*part.unusual]);
    std::size_t const last = part.found.sizes.size() - 1;
    SentenceBuilder s(Topic::sensitivity, Evidence::sampled);
    s.say("Check the " + words.data(*part.unusual) + ": if they are off by ");
    s.whole_percent(fmt::format("/sensitivity/sizes/{}", last), part.found.sizes[last]);
    s.say(" of their usual spread, it decides otherwise in ");
    s.whole_percent(fmt::format("{}/flip_rate_by_size/{}", at, last), rate);
    s.say(" of the cases tried; they matter more here than in ");
    return s.whole_percent(at + "/percentile", part.percentiles[*part.unusual]).say(" of its decisions.").done();
}

/// The smallest change that was found, if a person could make it: a little of many numbers says nothing to anybody.
std::optional<Sentence> change_line(Step const& step) {
    StepCounterfactual const& part = *step.counterfactual;
    if (!part.choice || part.conditions.empty() || part.conditions.size() > tellable_changes) return std::nullopt;
    SentenceBuilder s(Topic::counterfactual, Evidence::exact);
    s.say("It would ").words("/counterfactual/new/words", part.choice->words).say(" if ");
    std::size_t const shown = std::min<std::size_t>(part.conditions.size(), 2);
    for (std::size_t i = 0; i < shown; ++i) {
        s.say(i == 0 ? "" : " and ")
            .words(fmt::format("/counterfactual/changes/{}/words", i), part.conditions[i].words);
    }
    if (part.conditions.size() > shown) {
        s.say(", ").number("/counterfactual/entries", part.conditions.size()).say(" changes in all");
    }
    s.say(" (tried).");
    if (part.odd) s.say(" Oddly: no simple rule sees a reason for it in that, and some see one against it.");
    return s.done();
}

} // namespace

std::vector<Sentence> step_lines(StepWords const& words, Step const& step) {
    constexpr std::size_t most = 4;
    std::vector<Sentence> lines{confidence_line(step)};
    auto const add = [&](std::optional<Sentence> line) {
        if (line && lines.size() < most) lines.push_back(*std::move(line));
    };
    if (step.forced()) {
        if (step.forbidden) add(forbidden_line(step));
        return lines;
    }
    if (step.alternatives) add(PriceLine(words, step).tell());
    if (step.forbidden) add(forbidden_line(step));
    if (step.counterfactual && step.counterfactual->odd) add(change_line(step)); // before anything that is as expected
    if (step.swap) add(swap_line(words, step));
    if (step.sensitivity && !step.differs()) add(sensitivity_line(words, step));
    if (step.counterfactual && !step.counterfactual->odd) add(change_line(step));
    return lines;
}

} // namespace cax
