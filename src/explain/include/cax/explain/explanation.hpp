#pragma once
// Everything about the decisions of one episode: what each depended on, what the alternatives would have cost, the
// paper's three primitives, and the story of the whole plan in sentences, as one value. The record cax/explanation/1
// (cax/records/explanation.hpp) is this value written down, and computes nothing.
//
// The episode is the policy's own, or one along a plan that somebody else made: completion costs, slacks and heuristics
// are then about what the plan does, and what asks the policy about what it would have done there. No question rolls
// out again. Everything but the seconds is the same for the same options, whatever the number of threads.
#include "cax/core/progress.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/explain/partial_results.hpp"
#include "cax/explain/parts.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/problems/presentation.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cax {

struct ExplainOptions {
    /// Which decisions, counted from 0; empty = all.
    std::vector<std::size_t> steps;
    std::size_t first_steps = 0; ///< or the first so many; 0 = all
    ChosenParts parts = ChosenParts::usual();
    Parts::Options part_options;
    std::uint64_t seed = 0; ///< of everything
    std::size_t threads = 0;
    Progress progress = {}; ///< counts decisions
    /// Where finished parts are kept, for a run that may be killed; null = nowhere. Of this policy, episode and
    /// options.
    std::shared_ptr<PartialResults> partial;

    template <class Part> [[nodiscard]] auto& of() { return std::get<Parts::index<Part>>(part_options); }
    template <class Part> [[nodiscard]] auto const& of() const { return std::get<Parts::index<Part>>(part_options); }
    /// The story is one of a whole plan: of all its steps.
    [[nodiscard]] bool tells_story() const {
        return parts.has<parts::Story>() && steps.empty() && first_steps == 0;
    }
};

/// How long a part took.
struct PartSeconds {
    std::string part;
    double seconds = 0;
};

struct Step {
    std::size_t step = 0; ///< counted from 0
    Choice choice;
    double log_prob = 0;
    LogProbs log_probs;              ///< of all actions
    std::size_t allowed = 0;         ///< actions of the mask
    std::size_t actions = 0;         ///< in all
    std::optional<Choice> runner_up; ///< the most probable other action
    std::optional<Choice> favourite; ///< where an action was forced: what the policy would do
    std::vector<Slack> slacks;       ///< if the action is taken
    Parts::Findings findings;
    std::vector<Sentence> lines;     ///< at most four, for whoever wants to know what happened
    std::vector<Sentence> sentences; ///< everything, with its numbers
    std::vector<PartSeconds> seconds;

    /// What a part found; nothing if it was not asked for.
    template <class Part> [[nodiscard]] auto& of() { return std::get<Parts::index<Part>>(findings); }
    template <class Part> [[nodiscard]] auto const& of() const { return std::get<Parts::index<Part>>(findings); }

    [[nodiscard]] bool forced() const { return !runner_up; }
    /// The action was forced, and the policy would do something else here.
    [[nodiscard]] bool differs() const { return favourite && favourite->action != choice.action; }
    /// What the questions to the policy are about: its own choice here.
    [[nodiscard]] Choice const& own_choice() const { return favourite ? *favourite : choice; }
};

/// A plan to compare the policy's with, by a classical search in the same run.
struct BestKnown {
    Solution solution;
    double cost = 0;
    CostStatus status = CostStatus::search; ///< proved, bounded or search
    std::optional<double> bound;            ///< none is better than this
    double gap = 0;                         ///< of the policy's plan to it, as a part of it
    // The first decision that is not part of it; nothing if all are.
    std::optional<std::size_t> parts_at;
    std::size_t instead_action = 0; ///< what it does there
    std::string instead;            ///< in words
};

/// A rule that was nearly used up.
struct TightRule {
    std::size_t step = 0; ///< the first such
    Slack slack;
};

/// What stands out in a whole plan. Steps are those of the explanation, counted from 0.
struct PlanSummary {
    std::size_t decisions = 0; ///< with a choice
    std::size_t forced = 0;
    std::vector<std::size_t> close_calls; ///< the lead is below close_call_lead and no tie, closest first
    std::vector<std::size_t> ties;        ///< no preference: the first of equals was taken, in order
    /// Decisions that cost something, the most costly first: by their regrets, or without them where all alternatives
    /// are proved.
    std::vector<std::size_t> costly;
    std::optional<double> regret; ///< the most costly one's
    // With regrets: what the first `most_named_costs` of `costly` cost together, what the others do, and how many
    // decisions are proved to cost nothing.
    double named_cost = 0;
    double other_cost = 0;
    std::size_t costless = 0;
    std::size_t compared = 0;              ///< decisions for which every alternative has a proved completion cost
    std::vector<std::size_t> better_found; ///< not proved: for another action a better plan was found
    std::optional<std::size_t> fragile;    ///< of the fragile decisions the one that wrong data upset most often
    std::optional<double> fragile_rate;    ///< how often, for the family below
    std::optional<std::size_t> fragile_family;
    /// Wrong data of one family are sure to upset it in more than `fragile_part` of the cases, most often upset first.
    std::vector<std::size_t> fragile_steps;
    std::size_t firm = 0;               ///< decisions that no wrong data of the sizes tried upset
    std::vector<TightRule> tight;       ///< by family, where it happened
    std::vector<std::size_t> odd;       ///< a small change is answered the wrong way round: StepCounterfactual::odd
    std::vector<std::size_t> differing; ///< a given plan: the policy would do something else, in order
    std::optional<std::size_t> blocked; ///< the step at which a rule kept the policy from what it wanted most
    std::size_t blocked_steps = 0;
};
/// So many of the most costly decisions are told one by one.
inline constexpr std::size_t most_named_costs = 3;
/// A decision is a close call if the runner-up's probability comes this near to the chosen one's.
inline constexpr double close_call_lead = 0.2;
/// And it is a tie if it comes this near: the policy has no preference, and the first of equals is taken.
inline constexpr double tie_lead = 1e-6;
/// A decision is fragile if wrong data of one family change it in more than this part of the cases, and that is sure:
/// the lower end of the flip rate's interval is above it. Few samples show it of nothing.
inline constexpr double fragile_part = 0.25;
/// A blocked favourite to which the policy would give less than this is no favourite.
inline constexpr double notable_favourite = 0.3;
/// A rule is tight if less than this part of its limit is left.
inline constexpr double tight_part = 0.05;

struct Explanation {
    InstancePtr instance;
    std::vector<std::size_t> actions;          ///< of the whole episode
    std::optional<Episode::External> external; ///< nothing if the plan is the policy's own
    Solution solution;
    CheckReport report;                     ///< of the solution
    std::optional<Multipliers> multipliers; ///< nothing without attribution
    std::shared_ptr<PlanRegret const> regret; ///< of the whole plan; null if it was not asked for, or there is none
    std::string no_regret;                    ///< why
    std::vector<Step> steps;
    // Of the whole plan; nothing if only some steps were asked for, or no story.
    std::optional<PlanSummary> plan;
    std::optional<BestKnown> best_known; ///< also nothing where the problem has no search
    std::optional<ThumbStory> thumb;
    std::vector<Sentence> story; ///< its fields are those of the whole record
    std::vector<PartSeconds> seconds;
};

/// What all questions about one episode share. Policy and episode must outlive it.
struct ExplanationContext {
    Policy const* policy; ///< who is asked
    Episode const* episode;
    ExplainOptions options; ///< with what follows from the episode filled in
    std::vector<std::size_t> actions;
    Solution solution;
    CheckReport report;
    std::optional<Multipliers> multipliers;
    std::shared_ptr<PlanRegret const> regret; ///< null if it was not asked for, or there is none
    std::string no_regret;                    ///< why
    std::vector<Solution> known;              ///< whole plans, to begin searches from

    [[nodiscard]] Instance const& instance() const { return *episode->instance; }
    [[nodiscard]] ProblemInfo const& info() const { return instance().problem().info(); }
    [[nodiscard]] Presentation const& presentation() const { return instance().problem().presentation(); }
    [[nodiscard]] Decision const& decision(std::size_t step) const { return episode->decisions[step]; }
    /// The actions that led to a step.
    [[nodiscard]] std::span<std::size_t const> before(std::size_t step) const { return std::span(actions).first(step); }
};

/// Error if the story of an episode is asked for that did not come to its end, options contradict each other, or name what is not there.
[[nodiscard]] Result<ExplanationContext> explanation_context(Policy const& policy, Episode const& episode,
                                                             ExplainOptions const& options);

/// The chosen parts of one step. Error if the episode has no such step.
[[nodiscard]] Result<Step> explain_step(ExplanationContext const& context, std::size_t step);
[[nodiscard]] Result<Step> explain_step(Policy const& policy, Episode const& episode, std::size_t step,
                                        ExplainOptions const& options);

/// The chosen parts of the chosen steps, and of the whole plan. Error as those above.
[[nodiscard]] Result<Explanation> explain(Policy const& policy, Episode const& episode, ExplainOptions const& options);

/// The decisions as they were taken: an explanation without parts.
[[nodiscard]] Explanation describe_episode(ExplanationContext const& context);

} // namespace cax
