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

Sentence confidence_line(Step const& step) {
    SentenceBuilder s(Topic::decision, Evidence::exact);
    if (step.forced()) {
        return s.say("Forced: ").words("/words", step.choice.words).say(" is all that is allowed.").done();
    }
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

/// The best other action that has a price of at least this kind.
Alternative const* best_other(StepWords const& words, Alternatives const& table, CostStatus worst) {
    Alternative const* best = nullptr;
    bool const less = words.info.objective == Objective::minimise;
    for (Alternative const& each : table.all) {
        if (each.action == table.chosen || !each.cost || each.status > worst) continue;
        if (best == nullptr || (less ? *each.cost < *best->cost : *each.cost > *best->cost)) best = &each;
    }
    return best;
}

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

/// Was it good?
std::optional<Sentence> price_line(StepWords const& words, Step const& step) {
    Alternatives const& table = *step.alternatives;
    Alternative const& chosen = table.all[table.chosen];
    if (!chosen.cost) return std::nullopt;
    std::string const at = alternative_at(table.chosen);
    std::string const unit(words.info.cost_word);
    if (chosen.regret) {
        SentenceBuilder s(Topic::price, Evidence::proved);
        if (*chosen.regret <= 0) {
            s.say("Best possible from here: " + unit + " ").number(at + "/cost", chosen.cost);
            return s.say(" can still be had.").done();
        }
        std::size_t const best = *table.best_action;
        s.say("It costs ").number(at + "/regret", chosen.regret).say(" of " + unit + ": the best from here, ");
        s.words(alternative_at(best) + "/words", table.all[best].words).say(", leads to ");
        s.number(alternative_at(best) + "/cost", table.all[best].cost).say(", this one to no better than ");
        return s.number(at + "/cost", chosen.cost).say(".").done();
    }
    Alternative const* const other = best_other(words, table, chosen.status);
    if (other == nullptr) return std::nullopt;
    Evidence const evidence = evidence_of(std::max(chosen.status, other->status));
    SentenceBuilder s(Topic::price, evidence);
    bool const own = chosen.status == CostStatus::policy;
    s.say(own ? "Left to the policy, the plan ends at " : "The best plan found after it has ");
    s.say(own ? "" : unit + " ").number(at + "/cost", chosen.cost).say(own ? " with it and at " : "; after ");
    if (own) {
        s.number(alternative_at(other->action) + "/cost", other->cost).say(" after ");
        return s.words(alternative_at(other->action) + "/words", other->words).say(".").done();
    }
    s.words(alternative_at(other->action) + "/words", other->words).say(", ");
    return s.number(alternative_at(other->action) + "/cost", other->cost).say(".").done();
}

/// The rule that kept the policy from what it wanted more.
std::optional<Sentence> forbidden_line(Step const& step) {
    auto const& list = *step.forbidden;
    auto const most = std::ranges::max_element(list, {}, [](StepForbidden const& f) { return f.what.probability; });
    if (most == list.end() || most->what.probability < notable_favourite) return std::nullopt;
    std::string const at = fmt::format("/forbidden/{}", most - list.begin());
    SentenceBuilder s(Topic::forbidden, Evidence::exact);
    s.say("It would have preferred to ").words(at + "/words", most->words).say(" (");
    s.whole_percent(at + "/probability", most->what.probability).say("), which is not allowed: ");
    s.words(at + "/rule", most->what.rule.rule).say(", ").number(at + "/used", most->what.rule.used);
    return s.say(" where ").number(at + "/limit", most->what.rule.limit).say(" is the limit.").done();
}

/// Why this rather than the next best?
std::optional<Sentence> swap_line(StepWords const& words, Step const& step) {
    Swap const& swap = step.swap->swap;
    auto const top = swap.top();
    if (!top || words.info.families.size() < 2) return std::nullopt;
    // A probability of 0 leaves no lead that could be taken apart.
    auto const finite = [](double value) { return std::isfinite(value); };
    if (!finite(swap.margin) || !std::ranges::all_of(swap.phi, finite)) return std::nullopt;
    auto const family = [&](std::size_t k) { return fmt::format("/swap/families/{}", words.info.families[k]); };
    auto const signed_number = [](double value) { return fmt::format("{:+.2f}", value); };
    SentenceBuilder s(Topic::swap, Evidence::computed);
    s.say("Why not ").words("/swap/other_words", step.swap->other_words);
    s.say("? Their " + words.data(*top) + " decided it (");
    s.written(family(*top), signed_number(swap.phi[*top])).say(" of a lead of ");
    s.written("/swap/margin", fmt::format("{:.2f}", swap.margin)).say(")");
    auto const least = static_cast<std::size_t>(std::ranges::min_element(swap.phi) - swap.phi.begin());
    if (swap.phi[least] < -0.05 * std::fabs(swap.margin)) {
        s.say(", " + words.data(least) + " spoke for the other (")
            .written(family(least), signed_number(swap.phi[least]));
        s.say(")");
    }
    s.say(".");
    if (swap.single[*top] < 0) {
        s.say(" Had the two exchanged " + words.data(*top) + ", it would have been the other way round");
        s.say(" (lead ").written(fmt::format("/swap/single/{}", words.info.families[*top]),
                                 signed_number(swap.single[*top]));
        s.say(").");
    }
    return s.done();
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
    s.say("Wrong " + words.data(*part.unusual) + " would upset it unusually easily: errors of ");
    s.whole_percent(fmt::format("/sensitivity/sizes/{}", last), part.found.sizes[last]);
    s.say(" of their spread change it in ").whole_percent(fmt::format("{}/flip_rate_by_size/{}", at, last), rate);
    s.say(" of cases; they count for more here than in ");
    return s.whole_percent(at + "/percentile", part.percentiles[*part.unusual]).say(" of its decisions.").done();
}

/// The smallest change that was found.
std::optional<Sentence> change_line(Step const& step) {
    StepCounterfactual const& part = *step.counterfactual;
    if (!part.choice || part.conditions.empty()) return std::nullopt;
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
    return s.say(" (tried).").done();
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
    if (step.alternatives) add(price_line(words, step));
    if (step.forbidden) add(forbidden_line(step));
    if (step.swap) add(swap_line(words, step));
    if (step.sensitivity) add(sensitivity_line(words, step));
    if (step.counterfactual) add(change_line(step));
    return lines;
}

} // namespace cax
