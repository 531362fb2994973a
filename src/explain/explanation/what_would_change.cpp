// The parts of an explained step that change the instance: the counterfactual, and the question "why not that one?".
#include "explanation/oddity.hpp"
#include "explanation/parts.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/questions.hpp"

#include <fmt/format.h>

namespace cax {
namespace {

/// Iterations of the search for a plan that is worth showing.
constexpr std::uint64_t witness_work = 1'000;

Condition condition_of(Explaining const& all, Flip const& flip, EntryChange const& change) {
    TensorInfo const& tensor = all.info().tensors[change.tensor];
    double const scale = units_of(all.instance(), change.tensor).scale;
    Condition condition;
    condition.from = scale * change.from;
    condition.to = scale * change.to;
    condition.words = all.presentation.change_words(all.instance(), change.tensor, change.index,
                                                    number_words(condition.from), number_words(condition.to));
    std::size_t const node = node_of(tensor, flip.change[change.tensor].shape, change.index);
    if (node < all.presentation.node_count(all.instance())) condition.node = node;
    return condition;
}

/// " with a fleet of 4", " with a length of at most 5.2", or both.
std::string bound_words(ProblemInfo const& info, Question const& question) {
    auto const cost = [&](double most) {
        return fmt::format("a {} of at {} {}", info.cost_word, info.objective == Objective::minimise ? "most" : "least",
                           number_words(most));
    };
    std::string words;
    if (question.bound) {
        words = " with " + (info.bound_is_cost
                                ? cost(*question.bound)
                                : fmt::format("a {} of {}", info.bound_option, number_words(*question.bound)));
    }
    if (question.cost_bound) words += (words.empty() ? " with " : " and ") + cost(*question.cost_bound);
    return words;
}

std::string certificate_words(ProblemInfo const& info, Certificate const& certificate) {
    Certification const asked = certification_of(certificate.question);
    std::string const what = asked == Certification::prefix
                                 ? "what was done so far, then the new action, can be completed on the changed instance"
                             : asked == Certification::bound ? "the changed instance has a solution within the bound"
                                                             : "the changed instance has a solution";
    std::string const bound = asked == Certification::prefix ? bound_words(info, certificate.question) : "";
    switch (certificate.verdict) {
    case Verdict::certified:
        return what + bound + ": one possible plan is shown" +
               (certificate.checked ? ", which the problem's own checker accepts" : "");
    case Verdict::refuted: return "it is proved that this is not so: " + what + bound + " (" + certificate.reason + ")";
    case Verdict::undecided: return "whether " + what + bound + " is open: " + certificate.reason;
    }
    return what;
}

/// A frozen state may have no counterpart on the changed instance: its words are then those of the state as it is.
Choice new_choice(Flip const& flip) {
    if (!flip.state) return {flip.new_action, flip.new_action_words, std::nullopt, nullptr};
    return {flip.new_action, describe_action(*flip.state, flip.new_action), flip.new_probability, flip.state};
}

/// Why is this action not in the mask?
Refusal refusal_of(Explaining const& all, Cell const& cell, std::optional<std::size_t> action, std::size_t node) {
    if (action) {
        for (Slack& slack : slacks_of(*cell.state, *action)) {
            if (!(slack.slack >= 0)) return {slack.rule, std::move(slack)};
        }
    }
    for (std::size_t t = 0; t < cell.step; ++t) {
        Cell const& earlier = all.walk.cells[t];
        if (all.presentation.node_of(*earlier.state, earlier.taken()) == node) {
            return {"it has been dealt with already", std::nullopt};
        }
    }
    return {"it is not its turn", std::nullopt};
}

Result<std::size_t> node_called(Explaining const& all, std::string const& name) {
    std::size_t const count = all.presentation.node_count(all.instance());
    auto const called = [&](std::size_t node) { return all.presentation.node_short(all.instance(), node); };
    for (std::size_t node = 0; node < count; ++node) {
        if (called(node) == name) return node;
    }
    return Error{ErrorCode::invalid_value, fmt::format("why not '{}': there is no such {}; they are called {} to {}",
                                                       name, all.info().node_word, called(0), called(count - 1))};
}

/// The most probable action that leads to the node, or any if none is allowed.
std::optional<std::size_t> best_action_to(Explaining const& all, Cell const& cell, std::size_t node) {
    std::optional<std::size_t> best;
    for (std::size_t a = 0; a < cell.log_probs.size(); ++a) {
        if (all.presentation.node_of(*cell.state, a) != node) continue;
        if (!best || cell.log_probs[a] > cell.log_probs[*best]) best = a;
    }
    return best;
}

/// Any completion is a witness, but a person wants to see a good one: the certificate's is the start of a short search.
Result<void> show_good_plan(Explaining const& all, std::size_t step, CounterfactualAnswer& answer) {
    auto& flips = answer.refined.empty() ? answer.sampled : answer.refined;
    if (flips.empty() || !flips.front().certificate || !flips.front().certificate->witness) return {};
    Flip const& flip = flips.front().flip;
    Certificate& certificate = *flips.front().certificate;
    bool const can = flip.changed->problem().completions() != nullptr && !certificate.question.prefix.empty();
    if (!can) return {};
    CompletionRequest request;
    request.prefix = all.before(step);
    request.actions = {&flip.new_action, 1};
    request.known = {&*certificate.witness, 1};
    request.prove = false;
    request.search_work = witness_work;
    request.seed = all.options.seed;
    auto const found = completions_of(*flip.changed, request);
    if (!found) return found.error();
    Completion const& best = found->front();
    bool const less = all.info().objective == Objective::minimise;
    if (!best.solution || (less ? best.cost >= certificate.cost : best.cost <= certificate.cost)) return {};
    if (!check_answer(*flip.changed, *best.solution, certificate.question).valid()) return {};
    certificate.witness = best.solution;
    certificate.cost = best.cost;
    return {};
}

} // namespace

Result<StepCounterfactual> explain_counterfactual(Explaining const& all, std::size_t step,
                                                  AnswerOptions const& request) {
    AnswerOptions asked = request; // along a given plan: what would make the policy do as it does?
    Cell const& cell = all.walk.cells[step];
    if (cell.taken() != cell.action && !asked.search.towards) asked.search.towards = cell.taken();
    auto answer = answer_counterfactual(all.policy, all.walk, step, asked);
    if (!answer) return answer.error();
    StepCounterfactual result;
    result.answer = *std::move(answer);
    if (auto ok = show_good_plan(all, step, result.answer); !ok) return ok.error();
    SettledFlip const* const best = result.answer.best();
    if (best == nullptr) return result;
    result.choice = new_choice(best->flip);
    result.odd = answers_the_wrong_way(cell, best->flip);
    for (EntryChange const& change : best->flip.changes) {
        result.conditions.push_back(condition_of(all, best->flip, change));
    }
    if (best->certificate) result.certificate_words = certificate_words(all.info(), *best->certificate);
    return result;
}

Result<StepWhyNot> explain_why_not(Explaining const& all, std::size_t step) {
    auto const node = node_called(all, all.options.why_not);
    if (!node) return node.error();
    Cell const& cell = all.walk.cells[step];
    auto const action = best_action_to(all, cell, *node);
    StepWhyNot result;
    result.node = *node;
    result.label = all.presentation.node_label(all.instance(), *node);
    result.chosen = all.presentation.node_of(*cell.state, cell.taken()) == *node;
    if (!action || cell.state->action_mask()[*action] == 0) {
        result.refusal = refusal_of(all, cell, action, *node);
        return result;
    }
    result.choice = choice_of(cell, *action);
    result.favourite = *action == cell.action;
    if (result.chosen || result.favourite) return result;
    AnswerOptions towards = all.options.counterfactuals;
    towards.search.towards = *action;
    auto found = explain_counterfactual(all, step, towards);
    if (!found) return found.error();
    result.counterfactual = *std::move(found);
    return result;
}

} // namespace cax
