#pragma once
// The trajectories of one training instance: some with forced first moves (POMO; Kwon et al., NeurIPS 2020), some
// sampled from the first decision on, so that the first move is trained too. Each group is its own baseline.
#include "cax/core/rng.hpp"
#include "cax/policies/trainable.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace cax::train {

struct RolloutPlan {
    std::size_t forced = 0; ///< trajectories with distinct forced first moves, at most as many as the instance has
    std::size_t free = 0;   ///< trajectories sampled throughout
};

/// What one instance taught.
struct RolloutResult {
    std::vector<double> rewards;    ///< per trajectory: -cost or +cost, larger is better
    std::vector<double> advantages; ///< reward minus the mean of its group
    double entropy = 0;             ///< mean over decisions with a choice
    std::size_t decisions = 0;      ///< decoded states
};

/// Samples trajectories with a Lesson and, later, sends their gradient back. One per thread, reused.
class Rollout {
public:
    explicit Rollout(Trainable const& network) : lesson_(network.new_lesson()) {}

    /// Random numbers: streams (seed, index, trajectory, 2). Error: a dead end, or probabilities that are not numbers.
    [[nodiscard]] Result<RolloutResult> run(Instance const& instance, RolloutPlan const& plan, std::uint64_t seed,
                                            std::uint32_t index);
    /// Instead of sampled trajectories, `count` that lead to a given solution, each with the routes in another random
    /// order and an advantage of 1: backward() then makes the solution likelier. A solution that the masks
    /// do not allow (a tour as long as the limit, in their single precision) gives no trajectories. Error: a schedule.
    [[nodiscard]] Result<RolloutResult> imitate(Instance const& instance, Solution const& solution, std::size_t count,
                                                std::uint64_t seed, std::uint32_t index);
    /// Adds the gradient of -scale * sum over trajectories of advantage * log-likelihood, of the last run(), and of
    /// -entropy_weight * the sum of all decisions' entropies.
    void backward(RolloutResult const& result, double scale, double entropy_weight, std::span<float> gradient);

    /// sum over trajectories of advantage * log-likelihood of the last run(): what backward() differentiates.
    [[nodiscard]] double log_likelihood(RolloutResult const& result) const;

private:
    struct Trajectory {
        StatePtr state;
        Rng rng;
        std::vector<std::size_t> plan{}; ///< actions to take, if they are not to be sampled
        std::size_t taken = 0;           ///< how many of those have been
    };
    void clear(State const& reset);
    void start(Instance const& instance, RolloutPlan const& plan, std::uint64_t seed, std::uint32_t index);
    [[nodiscard]] Result<RolloutResult> run_all(std::uint32_t index);
    [[nodiscard]] Result<void> step(std::span<std::size_t const> active, RolloutResult& result);

    std::unique_ptr<Lesson> lesson_;
    std::vector<Trajectory> trajectories_;
    std::size_t forced_ = 0;               ///< the first so many had a forced move
    std::deque<Observation> observations_; ///< of every decoded state, in order; addresses stay valid
    std::vector<std::size_t> owners_;      ///< trajectory of every decoded state
    std::vector<double> log_probs_;        ///< of the actions
    std::vector<std::size_t> actions_;     ///< action taken in every decoded state
};

} // namespace cax::train
