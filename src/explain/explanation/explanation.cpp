#include "cax/explain/explanation.hpp"

#include "explanation/story.hpp"
#include "explanation/words.hpp"
#include "parts/flip_sentences.hpp"

#include "cax/core/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

namespace cax {

Choice choice_of(Decision const& decision, std::size_t action) {
    return {action, describe_action(*decision.state, action), std::exp(decision.log_probs[action]), decision.state};
}

namespace {

/// Runs `work` and notes under `part` how long it took.
template <class Work> auto timed(std::vector<PartSeconds>& seconds, std::string_view part, Work const& work) {
    auto const start = std::chrono::steady_clock::now();
    auto result = work();
    std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - start;
    seconds.push_back({std::string(part), spent.count()});
    return result;
}

/// The decision itself: everything that needs no part.
Step decided_step(Decision const& decision) {
    auto const mask = decision.state->action_mask();
    Step result;
    result.step = decision.step;
    result.choice = choice_of(decision, decision.taken());
    result.log_prob = decision.log_probs[decision.taken()];
    result.log_probs = decision.log_probs;
    result.allowed = static_cast<std::size_t>(std::ranges::count_if(mask, [](auto allowed) { return allowed != 0; }));
    result.actions = mask.size();
    if (decision.forced) result.favourite = choice_of(decision, decision.action);
    if (result.differs())
        result.runner_up = result.favourite;
    else if (auto const second = decision.runner_up())
        result.runner_up = choice_of(decision, *second);
    result.slacks = slacks_of(*decision.state, decision.taken());
    return result;
}

StepWords words_of(ExplanationContext const& context) { return {context.info(), context.presentation().families()}; }

/// Without its lines, which may depend on later steps.
Result<Step> step_without_lines(ExplanationContext const& context, std::size_t number) {
    Step step = decided_step(context.decision(number));
    std::optional<Error> error;
    Parts::each_about_decisions([&]<class Part> {
        if (error || !context.options.parts.has<Part>()) return;
        auto found = timed(step.seconds, Part::name, [&] { return Part::explain(context, step); });
        if (found)
            step.of<Part>() = *std::move(found);
        else
            error = found.error();
    });
    if (error) return *error;
    step.sentences = step_sentences(words_of(context), step);
    return step;
}

Result<std::vector<Step>> explain_steps(ExplanationContext const& context, std::vector<std::size_t> const& numbers) {
    std::vector<Step> steps(numbers.size());
    std::vector<std::optional<Error>> errors(numbers.size());
    std::mutex mutex;
    std::size_t finished = 0;
    parallel_for(numbers.size(), context.options.threads, [&](std::size_t i, std::size_t) {
        auto step = step_without_lines(context, numbers[i]);
        if (step)
            steps[i] = *std::move(step);
        else
            errors[i] = step.error();
        std::scoped_lock const lock(mutex);
        if (context.options.progress) context.options.progress(++finished, numbers.size());
    });
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (errors[i]) return errors[i]->within(fmt::format("step {}", numbers[i] + 1));
    }
    return steps;
}

/// The asked-for steps, or all of them.
Result<std::vector<std::size_t>> chosen_steps(ExplainOptions const& options, std::size_t count) {
    std::vector<std::size_t> steps = options.steps;
    std::size_t const first = options.first_steps == 0 ? count : std::min(count, options.first_steps);
    for (std::size_t step = 0; options.steps.empty() && step < first; ++step) steps.push_back(step);
    for (std::size_t const step : steps) {
        if (step < count) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {} is beyond the end: the episode has {} steps", step + 1, count)};
    }
    return steps;
}

/// Questions about single decisions can be asked of an episode that was cut off, too.
Result<void> add_solution(ExplanationContext& context) {
    Episode const& episode = *context.episode;
    if (!episode.finished) {
        if (context.options.tells_story())
            return Error{ErrorCode::invalid_value, "the episode was cut off: a story is told of whole plans only"};
        context.report.violations = {"the episode was cut off"};
        return {};
    }
    auto solution = episode.instance->solution_of(context.actions);
    if (!solution) return solution.error();
    context.solution = *std::move(solution);
    context.report = episode.instance->check(context.solution);
    context.known = {context.solution};
    return {};
}

Explanation without_steps(ExplanationContext const& context) {
    Explanation result;
    result.instance = context.episode->instance;
    result.actions = context.actions;
    result.external = context.episode->external;
    result.solution = context.solution;
    result.report = context.report;
    result.multipliers = context.multipliers;
    result.regret = context.regret;
    result.no_regret = context.no_regret;
    return result;
}

} // namespace

Result<ExplanationContext> explanation_context(Policy const& policy, Episode const& episode,
                                               ExplainOptions const& options) {
    ExplanationContext context{&policy, &episode, options, episode.actions(), {}, {}, {}, {}, {}, {}};
    if (auto const ok = add_solution(context); !ok) return ok.error();
    std::optional<Error> error;
    Parts::each([&]<class Part> {
        if (error) return;
        if (auto const ok = Part::prepare(context); !ok) error = ok.error();
    });
    if (error) return *error;
    return context;
}

Result<Step> explain_step(ExplanationContext const& context, std::size_t number) {
    ExplainOptions chosen;
    chosen.steps = {number};
    auto const numbers = chosen_steps(chosen, context.episode->decisions.size());
    if (!numbers) return numbers.error();
    auto steps = explain_steps(context, *numbers);
    if (!steps) return steps.error();
    Step step = std::move(steps->front());
    step.lines = step_lines(words_of(context), step);
    return step;
}

Result<Step> explain_step(Policy const& policy, Episode const& episode, std::size_t step,
                          ExplainOptions const& options) {
    auto const context = explanation_context(policy, episode, options);
    if (!context) return context.error();
    return explain_step(*context, step);
}

Result<Explanation> explain(Policy const& policy, Episode const& episode, ExplainOptions const& options) {
    std::vector<PartSeconds> seconds;
    auto const numbers = chosen_steps(options, episode.decisions.size());
    if (!numbers) return numbers.error();
    auto made = timed(seconds, "prepare", [&] { return explanation_context(policy, episode, options); });
    if (!made) return made.error();
    ExplanationContext& context = *made;
    Explanation result = without_steps(context);
    if (options.tells_story()) {
        auto found = timed(seconds, "best_known", [&] { return best_known_plan(context); });
        if (!found) return found.error();
        result.best_known = *std::move(found);
        if (result.best_known) context.known.push_back(result.best_known->solution);
    }
    auto steps = timed(seconds, "steps", [&] { return explain_steps(context, *numbers); });
    if (!steps) return steps.error();
    result.steps = *std::move(steps);
    Parts::each([&]<class Part> { Part::finish(context, result.steps); });
    StepWords const words = words_of(context);
    for (Step& step : result.steps) step.lines = step_lines(words, step);
    if (options.tells_story()) {
        improve_best_known(result, context);
        result.thumb = thumb_story(episode);
        result.plan = summary_of(result);
        result.story = tell_story(words, result);
    }
    result.seconds = std::move(seconds);
    return result;
}

Explanation describe_episode(ExplanationContext const& context) {
    Explanation result = without_steps(context);
    StepWords const words = words_of(context);
    for (Decision const& decision : context.episode->decisions) {
        Step& step = result.steps.emplace_back(decided_step(decision));
        step.sentences = step_sentences(words, step);
        step.lines = step_lines(words, step);
    }
    return result;
}

} // namespace cax
