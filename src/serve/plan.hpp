#pragma once
// The policy's plan for one version of the instance, and what is said about it: everything of a session that asks the
// policy. Holds no state of its own.
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
    double scale = 1;        ///< in which units the policy is shown the instance
    std::string note;        ///< about that
    Explanation explanation; ///< without parts
};

class Planner {
public:
    explicit Planner(SessionOptions const& options) : options_(options) {}

    /// One greedy rollout. Error, in words for the person who asked: there is no such plan.
    [[nodiscard]] Result<Plan> plan(Policy const& policy, Version const& version) const;

    /// The alternatives of a step, with their probabilities and without prices.
    [[nodiscard]] Result<Alternatives> probabilities(Policy const& policy, Plan const& plan, std::size_t step) const;
    /// cax/explanation/1 of the plan without parts, but with these alternatives at their step; `changes` are those of
    /// the instance, in words.
    [[nodiscard]] Json record(Plan const& plan, std::vector<std::string> const& changes,
                              std::optional<Alternatives> probabilities) const;

    /// All parts of one step: the record of explain(), which the decisions before it that are insisted on have led to.
    /// `multipliers`: those of the plan's instance, once they are known; null at first.
    [[nodiscard]] Result<Json> explained_step(Policy const& policy, Plan const& plan, std::size_t step,
                                              std::shared_ptr<Multipliers const>& multipliers) const;
    /// All parts of all steps, and the story. Error if decisions are insisted on: then it is not the policy's story.
    [[nodiscard]] Result<Json> explained_plan(Policy const& policy, Plan const& plan) const;
    /// Of a decision insisted on: {insisted, own}, each {action, words, probability, policy_cost, cost, cost_status,
    /// bound, drawing}: what policy and search make of it, and of what the policy would have done.
    [[nodiscard]] Result<Json> comparison(Policy const& policy, Plan const& plan, std::size_t step) const;

private:
    [[nodiscard]] static Result<Decision> decision(Plan const& plan, std::size_t step);

    SessionOptions const& options_;
};

/// Drops what is said about the other steps: while a hand moves nobody reads it, and writing it costs more than
/// deciding.
void leave_to_rest(Plan& plan, std::size_t step);

/// Notes what was changed and insisted on: for a file, beside which nothing else says it.
void add_what_if(Json& record, Plan const& plan, std::vector<std::string> const& changes);

/// Puts the one step that `explained` has in the place of the record's own, and what else it knows beside it.
void put_step(Json& record, Json const& explained, std::size_t step);

} // namespace cax::serve
