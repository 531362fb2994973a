#include "explanation/words.hpp"

#include "explanation/sentence_builder.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

using Sentences = std::vector<Sentence>;

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

Sentence family_sentence(StepWords const& words, ScoredAttribution const& part, std::size_t k, bool first) {
    std::string const at = fmt::format("/attribution/families/{}", words.info.families[k]);
    FamilyMultiplier const& multiplier = part.multipliers[k];
    double const mass = part.cell.mass[k];
    if (!part.scores.shares[k]) {
        SentenceBuilder s(Topic::families, Evidence::not_found);
        s.say(words.label(k) + ": sensitivity ").number(at + "/mass", mass);
        if (!multiplier.value) {
            s.say(", but no multiplier: ").words(at + "/status", part.status(k));
            if (multiplier.status == FamilyStatus::too_large) s.say(" (--backend proxy needs no relaxation)");
            return s.say(".").done();
        }
        s.say(", multiplier ").number(at + "/lambda", multiplier.value).say(", but no share: ");
        return s.words(at + "/status", part.status(k)).say(".").done();
    }
    SentenceBuilder s(Topic::families, Evidence::computed);
    if (words.info.families.size() == 1) {
        s.say(words.label(k) + " are all there is to count, and nothing is ranked");
    } else {
        s.say(words.label(k) + (first ? " counted most: " : ": ")).percent(at + "/share", part.scores.shares[k]);
        s.say(" of the attribution");
    }
    s.say(" (sensitivity ").number(at + "/mass", mass);
    return s.say(", multiplier ").number(at + "/lambda", multiplier.value).say(").").done();
}

/// Is the family on top an accident of the solver? No checker has looked at the duals: nothing here is proved.
Sentence uniqueness_sentence(StepWords const& words, ScoredAttribution const& part) {
    std::string const top = words.label(*part.scores.top);
    switch (*part.top_unique) {
    case TopFamily::unique: {
        SentenceBuilder s(Topic::families, Evidence::computed);
        s.say("First for every optimal set of multipliers of the relaxation without its redundant rows: ");
        s.say(words.label(*part.always_first));
        if (*part.always_first != *part.scores.top) {
            s.say("; the multipliers above, of the relaxation with all its rows, put " + top + " first");
        }
        return s.say(".").done();
    }
    case TopFamily::not_unique:
        return SentenceBuilder(Topic::families, Evidence::computed)
            .say("Which rule comes first is open: another optimal set of multipliers, just as good, puts another one "
                 "before " +
                 top + " or level with it.")
            .done();
    case TopFamily::undecided: break;
    }
    return SentenceBuilder(Topic::families, Evidence::undecided)
        .say("Whether " + top + " comes first for every optimal set of multipliers is open.")
        .done();
}

void add_families(StepWords const& words, ScoredAttribution const& part, Sentences& sentences) {
    if (part.cell.status == AttributionStatus::no_choice) {
        SentenceBuilder s(Topic::families, Evidence::exact);
        sentences.push_back(s.say("With one action allowed, no rule could tip the scales.").done());
        return;
    }
    if (part.cell.status == AttributionStatus::no_gradients) {
        SentenceBuilder s(Topic::families, Evidence::exact);
        sentences.push_back(s.say("The policy has no gradients: which rules counted was not computed.").done());
        return;
    }
    bool first = true;
    for (std::size_t const k : part.scores.ranked) {
        sentences.push_back(family_sentence(words, part, k, first));
        first = false;
    }
    bool const rivals = words.info.families.size() > 1;
    if (rivals && part.scores.top && part.top_unique) sentences.push_back(uniqueness_sentence(words, part));
}

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

/// Precondition: there is a flip.
void add_flip(StepWords const& words, StepCounterfactual const& part, std::string const& at, Topic about,
              Sentences& sentences) {
    SentenceBuilder flip(about, Evidence::exact);
    flip.say("If ");
    say_conditions(flip, part, at);
    flip.say(", the policy would ").words(at + "/new/words", part.choice->words).say(" instead (");
    flip.percent(at + "/new/probability", part.choice->probability);
    sentences.push_back(flip.say(", tried).").done());
    if (part.answer.best()->certificate) sentences.push_back(certificate_sentence(words, part, at));
    sentences.push_back(search_sentence(part, at, about));
}

/// Why nothing was found, or how hard it was tried: "None of 128 random changes ", "None of 40 numbers, ... ".
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

void add_counterfactual(StepWords const& words, Step const& step, Sentences& sentences) {
    StepCounterfactual const& part = *step.counterfactual;
    if (part.choice) {
        add_flip(words, part, "/counterfactual", Topic::counterfactual, sentences);
        return;
    }
    ShotReport const& report = part.answer.report;
    SentenceBuilder s = none_of(part, "/counterfactual", Topic::counterfactual);
    if (!step.runner_up) {
        s.say("makes another action possible.");
    } else {
        s.say("makes the policy decide otherwise");
        if (std::isfinite(report.best_margin)) {
            s.say("; the closest one left it ahead by ").number("/counterfactual/best_margin", report.best_margin);
            s.say(" in log-probability");
        }
        s.say(".");
    }
    sentences.push_back(s.done());
}

Sentence subset_sentence(StepWords const& words, StepSubset const& part) {
    Subset const& subset = part.subset;
    if (subset.forced) {
        return SentenceBuilder(Topic::subset, Evidence::exact)
            .say("With one action allowed, nothing else matters.")
            .done();
    }
    if (subset.accepted && subset.size() > 1 && subset.size() == subset.nodes_in_all) {
        SentenceBuilder all(Topic::subset, Evidence::not_found);
        all.say("Taken in the attribution's order, no fewer than all ");
        return all.number("/subset/nodes_in_all", subset.nodes_in_all).say(" nodes were enough.").done();
    }
    SentenceBuilder s(Topic::subset, !subset.accepted  ? Evidence::not_found
                                     : part.guaranteed ? Evidence::bounded
                                                       : Evidence::sampled);
    if (subset.accepted) {
        s.say("Enough to know ").number("/subset/size", subset.size()).say(" of ");
        s.number("/subset/nodes_in_all", subset.nodes_in_all).say(" nodes: ");
        for (std::size_t i = 0; i < part.labels.size(); ++i) {
            s.say(i == 0 ? "" : i + 1 == part.labels.size() ? " and " : ", ");
            s.words(fmt::format("/subset/labels/{}", i), part.labels[i]);
        }
        s.say(". With the others hidden, the decision is the same in ");
    } else {
        s.say("Taken in the attribution's order, up to ").number("/subset/k_max", part.k_max);
        s.say(fmt::format(" {}s are not enough", words.info.node_word));
        if (subset.observed.lower_bound <= 0) // tested in stages: the few samples of the last size say nothing
            return s.say(" to keep the decision with confidence ")
                .percent("/subset/confidence", part.confidence)
                .say(".")
                .done();
        s.say(": with that many shown, the decision is the same in only ");
    }
    s.percent("/subset/rate", subset.observed.rate).say(" of ").number("/subset/samples", subset.observed.samples);
    s.say(" random variations (with confidence ").percent("/subset/confidence", part.confidence);
    s.say(" in at least ").percent("/subset/lower_bound", subset.observed.lower_bound);
    return s.say(" of all).").done();
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

void add_why_not(StepWords const& words, Step const& step, Sentences& sentences) {
    StepWhyNot const& asked = *step.why_not;
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

} // namespace

Sentences step_sentences(StepWords const& words, Step const& step) {
    Sentences sentences{decision_sentence(step)};
    if (step.why_not) add_why_not(words, step, sentences);
    for (std::size_t i = 0; i < step.slacks.size(); ++i) {
        sentences.push_back(slack_sentence(words, step.slacks[i], i));
    }
    if (step.attribution) add_families(words, *step.attribution, sentences);
    if (step.counterfactual) add_counterfactual(words, step, sentences);
    if (step.subset) sentences.push_back(subset_sentence(words, step.subset.value()));
    return sentences;
}

} // namespace cax
