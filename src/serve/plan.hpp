#pragma once
// The policy's plan for one version of the instance, and what is said about it: everything of a session that asks the
// policy. Holds no state of its own. Values come out; JSON is made of them where they leave the session.
#include "cax/core/json_fwd.hpp"
#include "cax/serve/session.hpp"

#include <map>

namespace cax::serve {

/// An instance as it was moved, and the decisions insisted on.
struct Version {
    InstancePtr instance; ///< in its own units: what is moved and saved
    std::map<std::size_t, std::size_t> locks;
};

struct Plan {
    Version version;
    double scale = 1; ///< in which units the policy is shown the instance
    std::string note; ///< about that
    std::shared_ptr<Episode const> episode;
    Explanation explanation; ///< without parts
};

/// A decision insisted on, beside what the policy would have done: both with completion costs.
struct Comparison {
    Alternative insisted;
    Alternative own;
};

/// What has been asked about a plan.
struct Answers {
    std::map<std::size_t, Step> steps;             ///< with all parts
    std::map<std::size_t, Comparison> comparisons; ///< of decisions insisted on
    std::shared_ptr<Explanation const> whole;      ///< all parts of all steps, and the story; or null
    /// What all questions about the plan share, once one was asked.
    std::shared_ptr<ExplanationContext const> context;

    [[nodiscard]] bool explains(std::size_t step) const { return whole != nullptr || steps.contains(step); }
};

class Planner {
public:
    explicit Planner(SessionOptions const& options) : options_(options) {}

    /// One greedy rollout. Error, in words for the person who asked: there is no such plan.
    [[nodiscard]] Result<Plan> plan(Policy const& policy, Version const& version) const;

    /// The alternatives of a step, with their probabilities and without completion costs.
    [[nodiscard]] Result<Alternatives> probabilities(Policy const& policy, Plan const& plan, std::size_t step) const;

    /// The context of all questions about the plan: `known` if there is one.
    [[nodiscard]] Result<std::shared_ptr<ExplanationContext const>>
    context(Policy const& policy, Plan const& plan, std::shared_ptr<ExplanationContext const> known) const;
    /// All parts of one step.
    [[nodiscard]] Result<Step> explained_step(Policy const& policy, ExplanationContext const& context,
                                              std::size_t step) const;
    /// All parts of all steps, and the story. Error if decisions are insisted on: then it is not the policy's story.
    [[nodiscard]] Result<Explanation> explained_plan(Policy const& policy, Plan const& plan) const;
    /// What policy and search make of a decision insisted on, and of what the policy would have done.
    [[nodiscard]] Result<Comparison> comparison(Policy const& policy, Plan const& plan, std::size_t step) const;

    /// cax/explanation/1 of the plan with what is known about it; `changes` are those of the instance, in words.
    [[nodiscard]] Json record(Plan const& plan, Answers const& known, std::vector<std::string> const& changes,
                              std::optional<Alternatives> probabilities) const;

private:
    SessionOptions const& options_;
};

/// {insisted, own}, each {action, words, probability, policy_cost, cost, cost_status, bound, drawing}.
[[nodiscard]] Json comparison_json(Instance const& instance, Comparison const& comparison);

/// While a hand drags, only the step that is looked at is told in full.
void leave_to_rest(Plan& plan, std::size_t step);

/// Notes about what was changed, for a record that is saved.
void add_what_if(Json& record, Plan const& plan, std::vector<std::string> const& changes);

} // namespace cax::serve
