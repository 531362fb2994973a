#include "explanation/words.hpp"

#include "explanation/sentence_builder.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax {
namespace {

/// What nobody doubts.
constexpr double clear_probability = 0.95;

/// Along a given plan: what the policy makes of it.
Sentence agreement_line(Step const& step) {
    SentenceBuilder s(Topic::decision, Evidence::exact);
    if (is_tie(step)) {
        s.say("No preference: the plan's choice, to ").words("/words", step.choice.words).say(", is one of equals (");
        s.whole_percent("/probability", step.choice.probability).say("); ");
        s.words("/runner_up/words", step.runner_up->words).say(" has ");
        return s.whole_percent("/runner_up/probability", step.runner_up->probability).say(" as well.").done();
    }
    if (step.differs()) {
        s.say("The policy would ").words("/policy/words", step.favourite->words).say(" (");
        s.whole_percent("/policy/probability", step.favourite->probability).say("); the plan's choice, ");
        s.words("/words", step.choice.words).say(", has ");
        return s.whole_percent("/probability", step.choice.probability).say(" with it.").done();
    }
    s.say(is_close_call(step) ? "The policy agrees, but only just: " : "The policy agrees: ").words("/words", step.choice.words);
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
    if (is_tie(step)) {
        s.say("No preference: the first of equals was taken, to ").words("/words", step.choice.words).say(" (");
        s.whole_percent("/probability", step.choice.probability).say("); to ");
        s.words("/runner_up/words", step.runner_up->words).say(" has ");
        return s.whole_percent("/runner_up/probability", step.runner_up->probability).say(" as well.").done();
    }
    bool const close = is_close_call(step);
    bool const clear = *step.choice.probability >= clear_probability;
    s.say(close ? "Close call: " : clear ? "Clear: " : "Preferred: ").words("/words", step.choice.words).say(" (");
    s.whole_percent("/probability", step.choice.probability).say(")");
    if (clear) return s.say(".").done();
    s.say(close ? " or " : ", then ").words("/runner_up/words", step.runner_up->words).say(" (");
    return s.whole_percent("/runner_up/probability", step.runner_up->probability).say(").").done();
}

Sentence decision_sentence(Step const& step) {
    SentenceBuilder s(Topic::decision, Evidence::exact);
    if (!step.runner_up) {
        s.say(step.favourite ? "The plan has to " : "The policy has to ").words("/words", step.choice.words);
        return s.say(step.allowed > 1 ? ": it looks ahead, and nothing else is left." : ": no other action is allowed.")
            .done();
    }
    if (step.differs()) {
        s.say("The plan's choice is to ").words("/words", step.choice.words).say(", which the policy gives ");
        s.percent("/probability", step.choice.probability).say("; it would ");
        s.words("/policy/words", step.favourite->words).say(", ");
        s.percent("/policy/probability", step.favourite->probability).say("; ");
        s.number("/allowed", step.allowed).say(" of ").number("/actions", step.actions);
        return s.say(" actions are allowed. What follows about the policy is about that choice of its own.").done();
    }
    s.say(step.favourite ? "Plan and policy decide to " : "The policy decides to ").words("/words", step.choice.words);
    s.say(" with probability ").percent("/probability", step.choice.probability);
    s.say("; next best: ").words("/runner_up/words", step.runner_up->words);
    s.say(", ").percent("/runner_up/probability", step.runner_up->probability).say("; ");
    s.number("/allowed", step.allowed).say(" of ").number("/actions", step.actions);
    return s.say(" actions are allowed.").done();
}

Sentence slack_sentence(StepWords const& words, Slack const& slack, std::size_t index) {
    std::string const at = fmt::format("/slacks/{}", index);
    SentenceBuilder s(Topic::slack, Evidence::exact);
    s.say(words.label(slack.family) + ", ").words(at + "/rule", slack.rule).say(": ");
    s.number(at + "/used", slack.used).say(" of ").number(at + "/limit", slack.limit).say(", ");
    return s.number(at + "/slack", slack.slack).say(" to spare.").done();
}

} // namespace

double lead_of(Step const& step) {
    if (step.forced()) return std::numeric_limits<double>::infinity();
    return std::fabs(*step.choice.probability - *step.runner_up->probability);
}

bool is_tie(Step const& step) { return lead_of(step) <= tie_lead; }

bool is_close_call(Step const& step) { return lead_of(step) < close_call_lead && !is_tie(step); }

std::vector<Sentence> step_lines(StepWords const& words, Step const& step) {
    constexpr std::size_t most = 4;
    Lines ranked{{0, confidence_line(step)}};
    Parts::each_about_decisions([&]<class Part> {
        if (step.of<Part>()) Part::add_lines(words, step, ranked);
    });
    std::ranges::stable_sort(ranked, {}, &Line::rank);
    std::vector<Sentence> lines;
    for (Line& each : ranked) {
        if (lines.size() < most) lines.push_back(std::move(each.sentence));
    }
    return lines;
}

std::vector<Sentence> step_sentences(StepWords const& words, Step const& step) {
    std::vector<Sentence> sentences{decision_sentence(step)};
    for (std::size_t i = 0; i < step.slacks.size(); ++i) {
        sentences.push_back(slack_sentence(words, step.slacks[i], i));
    }
    Parts::each_about_decisions([&]<class Part> {
        if (step.of<Part>()) Part::add_details(words, step, sentences);
    });
    return sentences;
}

} // namespace cax
