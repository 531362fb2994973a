#pragma once
// The decisions to be explained. A policy walks greedily through instances, and each decision on the way is a cell: the
// unit of work, of parallelism and of statistics. The episode is the one that a greedy decode takes, its encoder run
// once or on every state, as the options of the states say. It may also be led along a plan that somebody else made:
// then a cell is about what the policy would have done in that plan's state.
#include "cax/core/progress.hpp"
#include "cax/core/result.hpp"
#include "cax/policies/policy.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cax {

struct Cell {
    std::size_t instance = 0; ///< its number: see WalkOptions
    std::size_t step = 0;
    std::shared_ptr<State const> state; ///< before the decision
    std::size_t action = 0;             ///< the most probable one, lowest index on ties
    LogProbs log_probs;                 ///< of the policy's own distribution
    /// What is done here though it is not the policy that leads; nothing if it does.
    std::optional<std::size_t> given = std::nullopt;

    /// The second most probable action; nothing if only one is allowed.
    [[nodiscard]] std::optional<std::size_t> runner_up() const;
    /// log pi(action) - log pi(runner_up); infinite if only one is allowed.
    [[nodiscard]] double margin() const;
    /// The action with which the episode went on.
    [[nodiscard]] std::size_t taken() const { return given.value_or(action); }
};

struct Walk {
    InstancePtr instance;
    std::vector<Cell> cells; ///< one per step
    bool finished = false;   ///< the episode ended; false if `steps` cut it off

    [[nodiscard]] std::vector<std::size_t> actions() const; ///< that were taken
};

struct WalkOptions {
    std::size_t steps = 0; ///< first so many decisions; 0 = to the end
    /// What the instances are called in cells and errors; empty = by their places in the span.
    std::vector<std::size_t> numbers = {};
    StateOptions state = {};
    /// Decisions that are not the policy's: at these steps (from 0) these actions are taken. Error if one is not
    /// allowed there, or no such step is reached.
    std::map<std::size_t, std::size_t> given = {};
    Progress progress = {}; ///< counts steps of all instances together
};

/// No action of the mask is allowed.
[[nodiscard]] bool nothing_allowed(State const& state);
/// Allowed action with the largest log-probability, lowest index on ties. Precondition: some action is allowed.
[[nodiscard]] std::size_t most_probable(LogProbs const& log_probs);

/// Error if the policy does not accept an instance, or an episode reaches a state in which nothing is allowed.
[[nodiscard]] Result<std::vector<Walk>> walk(Policy const& policy, std::span<InstancePtr const> instances,
                                             WalkOptions const& options = {});

/// Along a given plan: its states, and in each what the policy would do. Error as walk(), and if an action is not
/// allowed where the plan takes it.
[[nodiscard]] Result<Walk> walk_along(Policy const& policy, InstancePtr const& instance,
                                      std::span<std::size_t const> plan, StateOptions const& options = {});

/// The state after these actions. Error if one of them is out of range or not allowed where it is taken: "step 3:
/// visit customer 7 is not allowed".
[[nodiscard]] Result<StatePtr> replay(Instance const& instance, std::span<std::size_t const> actions,
                                      StateOptions const& options = {});

} // namespace cax
