#pragma once
// Everything about the decisions of one episode: what each hung on, what the alternatives would have cost, the paper's
// three primitives, and the story of the whole plan in sentences, as one value. The record cax/explanation/1
// (cax/records/explanation.hpp) is this value written down, and computes nothing.
//
// The policy walks greedily through the instance, or is led along a plan that somebody else made: prices, slacks and
// rules of thumb are then about what the plan does, and what asks the policy about what it would have done there. The
// episode always runs to its end, so that the solution is there; the primitives are asked about the chosen steps only.
// Everything but the seconds is the same for the same options, whatever the number of threads.
#include "cax/core/progress.hpp"
#include "cax/explain/alternatives.hpp"
#include "cax/explain/answer.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/explain/forbidden.hpp"
#include "cax/explain/kept_parts.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/explain/sensitivity_reference.hpp"
#include "cax/explain/sentence.hpp"
#include "cax/explain/subset.hpp"
#include "cax/explain/swap.hpp"
#include "cax/explain/thumb.hpp"
#include "cax/problems/presentation.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cax {

/// A plan that somebody else made.
struct GivenPlan {
    Solution solution;
    std::vector<std::size_t> actions; ///< the episode that made it; empty: one that stays with the policy's own longest
    std::string whose;                ///< "best.json": what it is called
};

struct ExplainOptions {
    ExplainOptions();

    std::optional<GivenPlan> plan; ///< nothing: the policy's own

    /// Which decisions, counted from 0; empty = all.
    std::vector<std::size_t> steps;
    std::size_t first_steps = 0; ///< or the first so many; 0 = all
    StateOptions state_options;  ///< of the walk, and of every state that is replayed
    /// Decisions that are not the policy's: WalkOptions::given.
    std::map<std::size_t, std::size_t> given;
    bool attribution = true;
    bool counterfactual = true;
    bool subset = true;
    bool swap = true;
    bool sensitivity = true;
    bool forbidden = true;
    bool alternatives = true;
    bool thumb = true;
    bool story = true; ///< of the whole plan; needs all steps, so there is none if only some are asked for
    /// Why was this node not chosen? As it is called in drawings: "17", "3.2", "depot".
    std::string why_not;
    MultiplierOptions multipliers;
    /// Those of this instance by these options, if somebody knows them already; null = they are computed.
    std::shared_ptr<Multipliers const> known_multipliers;
    AttributionOptions attributions;
    AnswerOptions counterfactuals; ///< by default refined, and certified with the prefix
    /// Certificates with a prefix and no bound of their own ask for a completion that spends no more than the plan
    /// does, give or take this part of it (a number of vehicles: no more); nothing = any completion will do.
    std::optional<double> plan_slack = 0.05;
    SubsetOptions subsets{.accept =
                              Acceptance::certified}; ///< a person is told what holds, in stages: far fewer passes
    SensitivityOptions sensitivities;
    /// What the sensitivity of a decision is compared with; without one nothing is called unusual.
    std::shared_ptr<ReferenceTable const> reference;
    PricingOptions pricing;
    /// Iterations of the classical search for a plan to compare with.
    std::uint64_t story_work = 20'000;
    std::uint64_t seed = 0; ///< of everything
    std::size_t threads = 0;
    Progress progress = {}; ///< counts decisions
    /// Where finished parts are kept, for a run that may be killed; null = nowhere. Of this policy, instance and
    /// options.
    std::shared_ptr<KeptParts> kept;
};

/// How long a part took.
struct PartSeconds {
    std::string part;
    double seconds = 0;
};

/// An action that the policy takes, or could.
struct Choice {
    std::size_t action = 0;
    std::string words;
    std::optional<double> probability;
    std::shared_ptr<State const> state; ///< in which it would be taken; null if that cannot be reached
};

/// One changed entry, in words that follow "if".
struct Condition {
    std::string words; ///< "customer 17's window closed at 220 instead of 232"
    double from = 0;   ///< in the instance's units
    double to = 0;
    std::optional<std::size_t> node; ///< that the entry belongs to; nothing for padding
};

struct StepCounterfactual {
    CounterfactualAnswer answer;
    // Of answer.best(); empty if there is none.
    std::optional<Choice> choice;      ///< what the policy does on the changed instance
    std::vector<Condition> conditions; ///< one for each of its changes
    std::string certificate_words;     ///< what its certificate says
    /// By no rule of thumb does the change speak for the new action, and by some against it: the policy answers it
    /// the wrong way round (a customer is preferred after its prize fell).
    bool odd = false;
};

struct StepSubset {
    Subset subset;
    std::vector<std::string> labels; ///< of the subset's nodes
    std::size_t k_max = 0;           ///< the largest size that could be tried
    double epsilon = 0;
    double confidence = 0;
    double level = 0;        ///< alpha of the bounds
    bool guaranteed = false; ///< accepted, and the bound reaches 1 - epsilon: what the paper accepts need not hold
};

/// Why an action is not in the mask.
struct Refusal {
    std::string reason;
    std::optional<Slack> slack; ///< of the rule that is broken
};

/// Why was that node not chosen?
struct StepWhyNot {
    std::size_t node = 0;
    std::string label;
    bool chosen = false;                              ///< it was
    bool favourite = false;                           ///< it is what the policy would do
    std::optional<Refusal> refusal;                   ///< no action that leads there is allowed
    std::optional<Choice> choice;                     ///< else the most probable one
    std::optional<StepCounterfactual> counterfactual; ///< towards it; nothing if it was chosen or refused
};

struct StepSwap {
    Swap swap;
    std::string other_words; ///< what the chosen action is compared with; empty if with nothing
};

struct StepSensitivity {
    Sensitivity found;
    std::vector<double> percentiles;    ///< of the families' shares among the reference decisions; empty without any
    std::optional<std::size_t> unusual; ///< the family with the highest one
};

/// An action that one rule alone kept the policy from.
struct StepForbidden {
    Forbidden what;
    std::string words; ///< of the action
};

struct Step {
    std::size_t step = 0; ///< counted from 0
    Choice choice;
    double log_prob = 0;
    LogProbs log_probs;              ///< of all actions
    std::size_t allowed = 0;         ///< actions of the mask
    std::size_t actions = 0;         ///< in all
    std::optional<Choice> runner_up; ///< the most probable other action
    std::optional<Choice> favourite; ///< along a given plan: what the policy would do
    std::vector<Slack> slacks;       ///< if the action is taken
    // Nothing if it was not asked for.
    std::optional<ScoredAttribution> attribution;
    std::optional<StepCounterfactual> counterfactual;
    std::optional<StepSubset> subset;
    std::optional<StepWhyNot> why_not;
    std::optional<StepSwap> swap;
    std::optional<StepSensitivity> sensitivity;
    std::optional<std::vector<StepForbidden>> forbidden;
    std::optional<Alternatives> alternatives;
    std::optional<Thumb> thumb;
    std::vector<Sentence> lines;     ///< at most four, for whoever wants to know what happened
    std::vector<Sentence> sentences; ///< everything, with its numbers

    [[nodiscard]] bool forced() const { return !runner_up; }
    /// The plan is somebody else's, and the policy would do something else here.
    [[nodiscard]] bool differs() const { return favourite && favourite->action != choice.action; }
    /// What the questions to the policy are about: its own choice here.
    [[nodiscard]] Choice const& own_choice() const { return favourite ? *favourite : choice; }
    std::vector<PartSeconds> seconds;
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
    std::vector<std::size_t> close_calls;  ///< the lead is below close_call_lead, closest first
    std::vector<std::size_t> costly;       ///< proved: another action leads to a better plan; dearest first
    std::optional<double> regret;          ///< the dearest one's
    std::vector<std::size_t> better_found; ///< not proved: for another action a better plan was found
    std::optional<std::size_t> fragile;    ///< wrong data upset it most easily
    std::optional<double> fragile_rate;    ///< how often, for the family below
    std::optional<std::size_t> fragile_family;
    /// Wrong data of one family upset it in at least `fragile_part` of the cases, most easily upset first.
    std::vector<std::size_t> fragile_steps;
    std::size_t firm = 0;               ///< decisions that no wrong data of the sizes tried upset
    std::vector<TightRule> tight;       ///< by family, where it happened
    std::vector<std::size_t> odd;       ///< a small change is answered the wrong way round: StepCounterfactual::odd
    std::vector<std::size_t> differing; ///< a given plan: the policy would do something else, in order
    std::optional<std::size_t> blocked; ///< the step at which a rule kept the policy from what it wanted most
    std::size_t blocked_steps = 0;
};
/// A decision is a close call if the runner-up's probability comes this near to the chosen one's.
inline constexpr double close_call_lead = 0.2;
/// A decision is fragile if wrong data of one family change it in so many of the cases tried.
inline constexpr double fragile_part = 0.5;
/// A blocked favourite to which the policy would give less than this is no favourite.
inline constexpr double notable_favourite = 0.3;
/// A rule is tight if less than this part of its limit is left.
inline constexpr double tight_part = 0.05;

/// How a plan that was given compares with what the policy makes of the instance when it leads.
struct GivenReport {
    std::string whose;
    double policy_cost = 0; ///< of the policy's own plan
    double gap = 0;         ///< of the given plan to it, as a part of it: negative where the given one is better
    bool waits = false;     ///< it waits where something could be done, which policies are not offered otherwise
};

struct Explanation {
    InstancePtr instance;
    std::vector<std::size_t> actions; ///< of the whole episode
    std::optional<GivenReport> given; ///< nothing if the plan is the policy's own
    Solution solution;
    CheckReport report;                     ///< of the solution
    std::optional<Multipliers> multipliers; ///< nothing without attribution
    std::vector<Step> steps;
    // Of the whole plan; nothing if only some steps were asked for, or no story.
    std::optional<PlanSummary> plan;
    std::optional<BestKnown> best_known; ///< also nothing where the problem has no search
    std::optional<ThumbStory> thumb;
    std::vector<Sentence> story; ///< its fields are those of the whole record
    std::vector<PartSeconds> seconds;
};

/// Error if the policy does not accept the instance, a step lies beyond the end, why_not names nothing, the episode
/// reaches a state in which nothing is allowed, options contradict each other, or a given plan is not valid or made by
/// no episode.
[[nodiscard]] Result<Explanation> explain(Policy const& policy, InstancePtr const& instance,
                                          ExplainOptions const& options);

} // namespace cax
