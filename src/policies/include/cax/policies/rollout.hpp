#pragma once
// Episodes and their decisions. rollout() is the one way to get an episode: the policy decides greedily, except where
// an action is forced (a decision somebody insists on, a prefix, a plan of somebody else). Everything that is asked
// about a decision afterwards takes the episode and a step, and never rolls out again.
#include "cax/core/progress.hpp"
#include "cax/core/rng.hpp"
#include "cax/policies/policy.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cax {

/// One step of an episode, and what the policy makes of it: the unit of work, of parallelism and of statistics.
struct Decision {
    std::size_t instance = 0; ///< its number: see RolloutOptions
    std::size_t step = 0;
    std::shared_ptr<State const> state; ///< before the decision
    std::size_t action = 0;             ///< the policy's choice: the most probable one, lowest index on ties
    LogProbs log_probs;                 ///< of the policy's own distribution
    /// The action that was taken whatever the policy prefers; nothing if the policy decided.
    std::optional<std::size_t> forced = std::nullopt;

    /// The second most probable action; nothing if only one is allowed.
    [[nodiscard]] std::optional<std::size_t> runner_up() const;
    /// log pi(action) - log pi(runner_up); infinite if only one is allowed.
    [[nodiscard]] double margin() const;
    /// The action with which the episode went on.
    [[nodiscard]] std::size_t taken() const { return forced.value_or(action); }
};

/// A plan that somebody else made.
struct ExternalPlan {
    Solution solution;
    std::vector<std::size_t> actions; ///< the episode that made it; empty: one that stays with the policy's own longest
    std::string source;               ///< "best.json": what it is called
};

struct Episode {
    InstancePtr instance;
    std::vector<Decision> decisions; ///< one per step
    bool finished = false;           ///< it came to its end; false if RolloutOptions::steps cut it off
    StateOptions state = {};         ///< of its states

    /// How an external plan compares with what the policy makes of the instance.
    struct External {
        std::string source;
        double policy_cost = 0; ///< of the policy's own plan
        double gap = 0;     ///< of the external plan to it, as a part of it: negative where the external one is better
        bool waits = false; ///< it waits where something could be done, which policies are not offered otherwise
    };
    std::optional<External> external = std::nullopt; ///< nothing if the plan is the policy's own

    [[nodiscard]] std::vector<std::size_t> actions() const; ///< that were taken
    /// The actions that led to a step.
    [[nodiscard]] std::vector<std::size_t> before(std::size_t step) const;
};

struct RolloutOptions {
    std::size_t steps = 0; ///< first so many decisions; 0 = to the end
    /// What the instances are called in decisions and errors; empty = by their places in the span.
    std::vector<std::size_t> numbers = {};
    StateOptions state = {};
    /// At these steps (from 0) these actions are taken, whatever the policy prefers. Error if one is not allowed there,
    /// or no such step is reached.
    std::map<std::size_t, std::size_t> forced = {};
    /// Of one instance only: an episode that reaches a state in which nothing is allowed ends there, unfinished; else
    /// that is an error.
    bool keep_dead_end = false;
    Progress progress = {}; ///< counts steps of all instances together
};

/// No action of the mask is allowed.
[[nodiscard]] bool nothing_allowed(State const& state);
/// The most probable action, lowest index on ties. Precondition: some action is allowed.
[[nodiscard]] std::size_t most_probable(LogProbs const& log_probs);
/// A random action with these probabilities.
[[nodiscard]] std::size_t draw_action(LogProbs const& log_probs, Rng& rng);

/// How the policy encodes states of an episode that wants to be encoded like this: one without an encoder, or one that
/// is shown what is left, takes every state by itself; where the two are the same, once is cheaper.
[[nodiscard]] EncodeMode encode_mode(Policy const& policy, EncodeMode wanted);

/// Error if the policy does not accept an instance, or an episode reaches a state in which nothing is allowed.
[[nodiscard]] Result<std::vector<Episode>> rollout(Policy const& policy, std::span<InstancePtr const> instances,
                                                   RolloutOptions const& options = {});
/// The same for one instance.
[[nodiscard]] Result<Episode> rollout(Policy const& policy, InstancePtr const& instance,
                                      RolloutOptions const& options = {});

/// A whole plan as forced actions: by step.
[[nodiscard]] std::map<std::size_t, std::size_t> forced_actions(std::span<std::size_t const> plan);

/// Along a plan that somebody else made: its states, and what the policy would do in each. Where the plan waits, so may
/// the policy. Error if the plan is not valid, or no episode makes it.
[[nodiscard]] Result<Episode> rollout_external(Policy const& policy, InstancePtr const& instance,
                                               ExternalPlan const& plan, StateOptions const& options = {});

/// The state after these actions. Error if one of them is out of range or not allowed where it is taken: "step 3:
/// visit customer 7 is not allowed".
[[nodiscard]] Result<StatePtr> replay_actions(Instance const& instance, std::span<std::size_t const> actions,
                                              StateOptions const& options = {});

/// A policy that finishes episodes of one instance. Its encoder runs once; where its inputs change on the way, once per
/// state to start from, or at every step if that is how these states are shown (EncodeMode::each_step).
class Completer {
public:
    explicit Completer(Policy const& policy);
    ~Completer();

    /// Actions that the policy takes from `state` until the end; drawn at random where `rng` is given, else the most
    /// probable ones. Nothing if it runs into a state in which no action is allowed.
    [[nodiscard]] std::optional<std::vector<std::size_t>> from(State const& state, Rng* rng = nullptr);

private:
    Policy const& policy_;
    std::unique_ptr<class EpisodeScorer> scorer_;
};

} // namespace cax
