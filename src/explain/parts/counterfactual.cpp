#include "cax/explain/explanation.hpp"

#include "explanation/oddity.hpp"
#include "parts/flip_sentences.hpp"

#include "cax/core/options.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// Numbers that a change may move and still be told in a line.
constexpr std::size_t tellable_changes = 3;
/// Iterations of the search for a plan that is worth showing.
constexpr std::uint64_t witness_work = 1'000;

Condition condition_of(ExplanationContext const& context, Flip const& flip, EntryChange const& change) {
    TensorInfo const& tensor = context.info().tensors[change.tensor];
    double const scale = units_of(context.instance(), change.tensor).scale;
    Condition condition;
    condition.from = scale * change.from;
    condition.to = scale * change.to;
    condition.words = context.presentation().change_words(context.instance(), change.tensor, change.index,
                                                    number_words(condition.from), number_words(condition.to));
    std::size_t const node = node_of(tensor, flip.change[change.tensor].shape, change.index);
    if (node < context.presentation().node_count(context.instance())) condition.node = node;
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

/// Any completion is a witness, but a person wants to see a good one: the certificate's is the start of a short search.
Result<void> show_good_plan(ExplanationContext const& context, std::size_t step, CounterfactualAnswer& answer) {
    auto& flips = answer.refined.empty() ? answer.sampled : answer.refined;
    if (flips.empty() || !flips.front().certificate || !flips.front().certificate->witness) return {};
    Flip const& flip = flips.front().flip;
    Certificate& certificate = *flips.front().certificate;
    bool const can = flip.changed->problem().completions() != nullptr && !certificate.question.prefix.empty();
    if (!can) return {};
    CompletionRequest request;
    request.prefix = context.before(step);
    request.actions = {&flip.new_action, 1};
    request.known = {&*certificate.witness, 1};
    request.prove = false;
    request.search_work = witness_work;
    request.seed = context.options.seed;
    auto const found = completions_of(*flip.changed, request);
    if (!found) return found.error();
    Completion const& best = found->front();
    bool const less = context.info().objective == Objective::minimise;
    if (!best.solution || (less ? best.cost >= certificate.cost : best.cost <= certificate.cost)) return {};
    if (!check_answer(*flip.changed, *best.solution, certificate.question).valid()) return {};
    certificate.witness = best.solution;
    certificate.cost = best.cost;
    return {};
}

/// The smallest change that was found, if a person could make it: a little of many numbers says nothing to anybody.
std::optional<Sentence> change_line(Step const& step) {
    StepCounterfactual const& part = *step.of<parts::Counterfactual>();
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

Result<StepCounterfactual> find_flip(ExplanationContext const& context, std::size_t step,
                                     AnswerOptions const& request) {
    AnswerOptions asked = request; // along a given plan: what would make the policy do as it does?
    Decision const& decision = context.decision(step);
    if (decision.taken() != decision.action && !asked.search.towards) asked.search.towards = decision.taken();
    auto answer = answer_counterfactual(*context.policy, *context.episode, step, asked);
    if (!answer) return answer.error();
    StepCounterfactual result;
    result.answer = *std::move(answer);
    if (auto ok = show_good_plan(context, step, result.answer); !ok) return ok.error();
    SettledFlip const* const best = result.answer.best();
    if (best == nullptr) return result;
    result.choice = new_choice(best->flip);
    result.odd = answers_the_wrong_way(decision, best->flip);
    for (EntryChange const& change : best->flip.changes) {
        result.conditions.push_back(condition_of(context, best->flip, change));
    }
    if (best->certificate) result.certificate_words = certificate_words(context.info(), *best->certificate);
    return result;
}

namespace parts {

Counterfactual::Options::Options() {
    answer.refine = true;
    answer.finder = FlipSearch::guided;
    answer.certification.mode = Certification::prefix;
}

Counterfactual::Request::Request() { options = Options().answer; }

void Counterfactual::describe(OptionTable& table, Request& request) {
    CounterfactualRequest& own = request;
    table.choose({"search", "one-number", "off-map", "shots", "fix", "primitive", "refine"}, own);
    describe_bounds(table, own);
    table.choose({"certify", "bound"}, own);
}

Result<Counterfactual::Options> Counterfactual::resolve(Request& request, ProblemInfo const& info) {
    if (auto const ok = static_cast<CounterfactualRequest&>(request).resolve(info); !ok) return ok.error();
    Options options;
    options.answer = request.options;
    return options;
}

/// The question gets sharper: not whether the new action can be completed somehow, but as well as the plan was.
Result<void> Counterfactual::prepare(ExplanationContext& context) {
    Options& options = context.options.of<Counterfactual>();
    options.answer.search.perturbation.seed = context.options.seed;
    options.answer.search.state_options = context.episode->state;
    CertificationOptions& certification = options.answer.certification;
    bool const open = certification.mode == Certification::prefix && !certification.bound;
    if (!open || !options.plan_slack || !context.report.valid()) return {};
    ProblemInfo const& info = context.info();
    if (info.bound_is_cost) {
        double const sign = info.objective == Objective::minimise ? 1 : -1;
        certification.bound = context.report.cost * (1 + sign * *options.plan_slack);
    } else if (auto const* const routes = std::get_if<Routes>(&context.solution)) {
        certification.bound = static_cast<double>(routes->routes.size());
    }
    return {};
}

Result<StepCounterfactual> Counterfactual::explain(ExplanationContext const& context, Step const& so_far) {
    return find_flip(context, so_far.step, context.options.of<Counterfactual>().answer);
}

void Counterfactual::add_lines(StepWords const&, Step const& step, Lines& lines) {
    if (step.forced()) return;
    int const rank = step.of<Counterfactual>()->odd ? 30 : 60; // what is odd comes before anything that is as expected
    if (auto line = change_line(step)) lines.push_back({rank, *std::move(line)});
}

void Counterfactual::add_details(StepWords const& words, Step const& step, std::vector<Sentence>& sentences) {
    StepCounterfactual const& part = *step.of<parts::Counterfactual>();
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

} // namespace parts
} // namespace cax
