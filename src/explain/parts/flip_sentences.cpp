#include "parts/flip_sentences.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax {
namespace {

/// "if customer 17's window closed at 220 instead of 232 and ...".
void say_conditions(SentenceBuilder& s, StepCounterfactual const& part, std::string const& at) {
    constexpr std::size_t most = 3;
    std::size_t const count = part.conditions.size();
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        s.say(i == 0 ? "" : i + 1 == count ? " and " : ", ");
        s.words(fmt::format("{}/changes/{}/words", at, i), part.conditions[i].words);
    }
    if (count > most) s.say(" and more, ").number(at + "/entries", count).say(" changes in all");
}

Evidence evidence_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::certified: return Evidence::proved;
    case Verdict::refuted: return Evidence::refuted;
    case Verdict::undecided: break;
    }
    return Evidence::undecided;
}

Sentence certificate_sentence(StepWords const& words, StepCounterfactual const& part, std::string const& at) {
    Certificate const& certificate = *part.answer.best()->certificate;
    SentenceBuilder s(Topic::certificate, evidence_of(certificate.verdict));
    s.words(at + "/certificate/words", part.certificate_words);
    if (certificate.verdict == Verdict::certified) {
        s.say("; its ").words(at + "/certificate/cost_word", words.info.cost_word).say(" is ");
        s.number(at + "/certificate/cost", certificate.cost);
    }
    return s.say(".").done();
}

/// "3 changes of one number and 4 of several". Precondition: something was tried.
void say_tried(SentenceBuilder& s, GuidedFlip const& guided, std::string const& at) {
    auto const changes = [](std::size_t count) { return count == 1 ? " change" : " changes"; };
    if (guided.tried > 0) s.number(at + "/tried", guided.tried).say(changes(guided.tried)).say(" of one number");
    if (guided.tried_together == 0) return;
    s.say(guided.tried > 0 ? " and " : "").number(at + "/tried_together", guided.tried_together);
    if (guided.tried == 0) s.say(changes(guided.tried_together));
    s.say(guided.tried > 0 ? " of several" : " of several numbers");
}

/// How the flip was found, and what that is worth. Precondition: there is one.
Sentence search_sentence(StepCounterfactual const& part, std::string const& at, Topic about) {
    SentenceBuilder s(about, Evidence::sampled);
    if (part.answer.guided) {
        GuidedFlip const& guided = *part.answer.guided;
        s.say("Found where the policy's gradient points, after ");
        say_tried(s, guided, at);
        s.say(" (").number(at + "/movable", guided.entries).say(" numbers could move); total size ");
        s.number(at + "/l1", part.answer.best()->flip.l1);
        return s.say("; a smaller one may exist.").done();
    }
    s.say("That is the smallest of ").number(at + "/shots", part.answer.report.shots);
    s.say(" random changes that do it, total size ");
    s.number(at + "/sampled_l1", part.answer.sampled.front().flip.l1);
    if (!part.answer.refined.empty()) {
        s.say(", then made smaller and simpler: size ").number(at + "/l1", part.answer.best()->flip.l1);
    }
    return s.say("; a smaller one may exist.").done();
}

} // namespace

void add_flip(StepWords const& words, StepCounterfactual const& part, std::string const& at, Topic about,
              std::vector<Sentence>& sentences) {
    SentenceBuilder flip(about, Evidence::exact);
    flip.say("If ");
    say_conditions(flip, part, at);
    flip.say(", the policy would ").words(at + "/new/words", part.choice->words).say(" instead (");
    flip.percent(at + "/new/probability", part.choice->probability);
    sentences.push_back(flip.say(", tried).").done());
    if (part.answer.best()->certificate) sentences.push_back(certificate_sentence(words, part, at));
    sentences.push_back(search_sentence(part, at, about));
}

SentenceBuilder none_of(StepCounterfactual const& part, std::string const& at, Topic about) {
    SentenceBuilder s(about, Evidence::not_found);
    if (!part.answer.guided)
        return s.say("None of ").number(at + "/shots", part.answer.report.shots).say(" random changes ");
    GuidedFlip const& guided = *part.answer.guided;
    if (guided.tried + guided.tried_together == 0) return s.say("No change was found that ");
    s.say("None of ");
    say_tried(s, guided, at);
    return s.say(" ");
}

} // namespace cax
