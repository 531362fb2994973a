#include "cax/explain/explanation.hpp"

#include "parts/flip_sentences.hpp"

#include "cax/core/options.hpp"

#include <fmt/format.h>

namespace cax {
namespace {

/// Why is this action not in the mask?
Refusal refusal_of(ExplanationContext const& context, Decision const& decision, std::optional<std::size_t> action, std::size_t node) {
    if (action) {
        for (Slack& slack : slacks_of(*decision.state, *action)) {
            if (!(slack.slack >= 0)) return {slack.rule, std::move(slack)};
        }
    }
    for (std::size_t t = 0; t < decision.step; ++t) {
        Decision const& earlier = context.decision(t);
        if (context.presentation().node_of(*earlier.state, earlier.taken()) == node) {
            return {"it has been dealt with already", std::nullopt};
        }
    }
    return {"it is not its turn", std::nullopt};
}

Result<std::size_t> node_called(ExplanationContext const& context, std::string const& name) {
    std::size_t const count = context.presentation().node_count(context.instance());
    auto const called = [&](std::size_t node) { return context.presentation().node_short(context.instance(), node); };
    for (std::size_t node = 0; node < count; ++node) {
        if (called(node) == name) return node;
    }
    return Error{ErrorCode::invalid_value, fmt::format("why not '{}': there is no such {}; they are called {} to {}",
                                                       name, context.info().node_word, called(0), called(count - 1))};
}

/// The most probable action that leads to the node, or any if none is allowed.
std::optional<std::size_t> best_action_to(ExplanationContext const& context, Decision const& decision, std::size_t node) {
    std::optional<std::size_t> best;
    for (std::size_t a = 0; a < decision.log_probs.size(); ++a) {
        if (context.presentation().node_of(*decision.state, a) != node) continue;
        if (!best || decision.log_probs[a] > decision.log_probs[*best]) best = a;
    }
    return best;
}

Sentence refusal_sentence(StepWhyNot const& asked) {
    SentenceBuilder s(Topic::why_not, Evidence::exact);
    s.say("Why not ").words("/why_not/label", asked.label).say("? It is not allowed now: ");
    s.words("/why_not/reason", asked.refusal->reason);
    if (auto const& slack = asked.refusal->slack) {
        s.say(", ").number("/why_not/used", slack->used).say(" where ").number("/why_not/limit", slack->limit);
        s.say(" is the limit");
    }
    return s.say(".").done();
}

} // namespace

namespace parts {

void WhyNot::describe(OptionTable& table, Request& request) {
    table.value("why-not", request.node, "NODE",
                "Also say why this node was not chosen, and what would make the policy choose it. Nodes are called as "
                "in the drawing: 17, depot, or 3.2 for the second operation of job 3");
}

Result<void> WhyNot::prepare(ExplanationContext& context) {
    context.options.parts.set<WhyNot>(!context.options.of<WhyNot>().node.empty());
    return {};
}

Result<StepWhyNot> WhyNot::explain(ExplanationContext const& context, Step const& so_far) {
    auto const node = node_called(context, context.options.of<WhyNot>().node);
    if (!node) return node.error();
    Decision const& decision = context.decision(so_far.step);
    auto const action = best_action_to(context, decision, *node);
    StepWhyNot result;
    result.node = *node;
    result.label = context.presentation().node_label(context.instance(), *node);
    result.chosen = context.presentation().node_of(*decision.state, decision.taken()) == *node;
    if (!action || decision.state->action_mask()[*action] == 0) {
        result.refusal = refusal_of(context, decision, action, *node);
        return result;
    }
    result.choice = choice_of(decision, *action);
    result.favourite = *action == decision.action;
    if (result.chosen || result.favourite) return result;
    AnswerOptions towards = context.options.of<Counterfactual>().answer;
    towards.search.towards = *action;
    auto found = find_flip(context, so_far.step, towards);
    if (!found) return found.error();
    result.counterfactual = *std::move(found);
    return result;
}

void WhyNot::add_details(StepWords const& words, Step const& step, std::vector<Sentence>& sentences) {
    StepWhyNot const& asked = *step.of<parts::WhyNot>();
    if (asked.refusal) {
        sentences.push_back(refusal_sentence(asked));
        return;
    }
    SentenceBuilder s(Topic::why_not, Evidence::exact);
    s.say("Why not ").words("/why_not/label", asked.label);
    if (asked.chosen) {
        sentences.push_back(s.say("? It was chosen.").done());
        return;
    }
    s.say("? The policy gives it ").percent("/why_not/probability", asked.choice->probability);
    if (asked.favourite) {
        sentences.push_back(s.say(": that is what it would have done.").done());
        return;
    }
    s.say(" at best, against ");
    s.percent(step.differs() ? "/policy/probability" : "/probability", step.own_choice().probability);
    s.say(" for its choice.");
    sentences.push_back(s.done());
    if (!asked.counterfactual) return;
    if (asked.counterfactual->choice) {
        add_flip(words, *asked.counterfactual, "/why_not/counterfactual", Topic::why_not, sentences);
        return;
    }
    SentenceBuilder none = none_of(*asked.counterfactual, "/why_not/counterfactual", Topic::why_not);
    sentences.push_back(none.say("makes the policy choose it.").done());
}

} // namespace parts
} // namespace cax
