#pragma once
// What the parts of the rl4co check share: the policy in the precisions asked for, the golden tensors, the tolerances.
#include "golden_tensors.hpp"
#include "ledger.hpp"

#include "cax/policies/policy.hpp"
#include "cax/problems/problem.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cax::parity {

/// Bounds for what was computed in single precision. In double they are fixed: log_prob64 and gradient64 below.
struct Rl4coTolerances {
    double log_prob = 1e-4;
    double gradient = 1e-4; ///< relative to the largest entry of the tensor
    double gradient_floor = 1e-6;
    double kink = 2e-2;   ///< relative too: what one hidden unit on the other side of its ReLU may change
    double reward = 1e-6; ///< relative; far below one unit of a makespan, so makespans must be equal

    /// A network whose inputs are not scaled to about 1 amplifies float32 rounding.
    [[nodiscard]] static Rl4coTolerances for_inputs(bool scaled);
};
/// Do the numbers that enter the network stay around 1? Schedules do: their network divides times itself. Graphs go in
/// as they are, times up to 480 included.
[[nodiscard]] bool inputs_are_scaled(std::vector<InstancePtr> const& instances);
inline constexpr double log_prob64_tolerance = 1e-9;
inline constexpr double gradient64_tolerance = 1e-7;
inline constexpr double gradient64_floor = 1e-15;

/// The policy in one precision: evaluating states one by one, and with rl4co's statistics over the whole batch.
struct Rl4coPolicy {
    Precision precision = Precision::float32;
    std::unique_ptr<Policy> alone;
    std::unique_ptr<Policy> coupled;
    std::unique_ptr<Policy> plain{}; ///< without its look ahead, if it has one
    [[nodiscard]] bool is_double() const { return precision == Precision::float64; }
};

struct Rl4coCheck {
    GoldenTensors golden;
    Ledger ledger;
    std::vector<Rl4coPolicy> policies;
    Rl4coTolerances tolerances = {};
    std::vector<std::string> gradient_features = {};
    std::size_t threads = 0;
};

/// One trace of the file: the batch's (prefix "") or that of one of its instances alone ("single2/").
struct Rl4coTrace {
    std::string prefix;
    std::vector<InstancePtr> instances;
    std::vector<NamedTensors> reset; ///< golden state after reset, per instance
    bool coupled = false;            ///< results depend on the whole batch

    [[nodiscard]] Policy const& pick(Rl4coPolicy const& policy) const {
        return coupled ? *policy.coupled : *policy.alone;
    }
};

/// The tensor `name` cut into one row per instance. Empty if there is none, or (a failure) if its shape does not fit.
[[nodiscard]] std::vector<Tensor> golden_rows(Rl4coCheck& check, std::string const& name, std::size_t batch);
/// Compares every golden tensor of a state with ours of the same name; a mask counts as a mask.
void compare_state(Ledger& ledger, std::string const& where, NamedTensors const& golden, State const& state);
/// The reference's reward: what is minimised counts negative.
[[nodiscard]] double reward_of(Problem const& problem, double cost);

/// Every step of a trace: states, masks, log-probabilities, gradients, actions.
void check_steps(Rl4coCheck& check, Rl4coTrace const& trace);
/// Whole episodes: greedy in all encode modes, multi-start.
void check_episodes(Rl4coCheck& check, Rl4coTrace const& trace);
/// env_random*.safetensors: the environment alone, under random actions.
[[nodiscard]] Result<void> check_random_episodes(std::filesystem::path const& file, Problem const& problem,
                                                 Ledger& ledger);

} // namespace cax::parity
