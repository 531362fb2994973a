#include "cax/explain/explanation.hpp"

#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"

#include "cax/core/options.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax {
namespace {

Sentence family_sentence(StepWords const& words, ScoredAttribution const& part, std::size_t k, bool first) {
    std::string const at = fmt::format("/attribution/families/{}", words.info.families[k]);
    FamilyMultiplier const& multiplier = part.multipliers[k];
    double const mass = part.decision.mass[k];
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

void add_families(StepWords const& words, ScoredAttribution const& part, std::vector<Sentence>& sentences) {
    if (part.decision.status == AttributionStatus::no_choice) {
        SentenceBuilder s(Topic::families, Evidence::exact);
        sentences.push_back(s.say("With one action allowed, no rule could tip the scales.").done());
        return;
    }
    if (part.decision.status == AttributionStatus::no_gradients) {
        SentenceBuilder s(Topic::families, Evidence::exact);
        sentences.push_back(s.say("The policy has no gradients: which rules counted was not computed.").done());
        return;
    }
    // Data that move the decision by less than rounding and noise do have not counted.
    bool first = std::ranges::any_of(part.decision.mass, [](double mass) { return mass >= least_effect; });
    for (std::size_t const k : part.scores.ranked) {
        sentences.push_back(family_sentence(words, part, k, first));
        first = false;
    }
    bool const rivals = words.info.families.size() > 1;
    if (rivals && part.scores.top && part.top_unique) sentences.push_back(uniqueness_sentence(words, part));
}

} // namespace

namespace parts {

void Attribution::describe(OptionTable& table, Request& request) {
    table.choose({"lambda", "backend", "aggregate", "dual-range", "method"}, request);
}

Result<Attribution::Options> Attribution::resolve(Request& request, ProblemInfo const& info) {
    if (auto const ok = request.resolve(info); !ok) return ok.error();
    return Options{request.attribution, request.multipliers};
}

Result<void> Attribution::prepare(ExplanationContext& context) {
    if (!context.options.parts.has<Attribution>()) return {};
    auto found = compute_multipliers(context.instance(), context.options.of<Attribution>().multipliers);
    if (!found) return found.error();
    context.multipliers = *std::move(found);
    return {};
}

Result<ScoredAttribution> Attribution::explain(ExplanationContext const& context, Step const& so_far) {
    AttributionOptions const& options = context.options.of<Attribution>().attribution;
    auto found = attribute(*context.policy, std::span(&context.decision(so_far.step), 1), options);
    if (!found) return found.error();
    return scored(std::move(found->front()), *context.multipliers);
}

void Attribution::add_details(StepWords const& words, Step const& step, std::vector<Sentence>& details) {
    add_families(words, *step.of<Attribution>(), details);
}

} // namespace parts
} // namespace cax
