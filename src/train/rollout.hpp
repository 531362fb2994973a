#pragma once
// The trajectories of one training instance: some with forced first moves (POMO; Kwon et al., NeurIPS 2020), some
// sampled from the first decision on, so that the first move is trained too. Each group is its own baseline.
#include "cax/core/rng.hpp"
#include "cax/policies/trainable.hpp"
#include "prices.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace cax::train {

struct RolloutPlan {
    std::size_t forced = 0;   ///< trajectories with distinct forced first moves, at most as many as the instance has
    std::size_t free = 0;     ///< trajectories sampled throughout
    std::uint64_t polish = 0; ///< iterations of the classical search that improve the best of each group; 0: not done
    double polish_weight = 1; ///< how much of its advantage an improved trajectory keeps
};

/// What one instance taught.
struct RolloutResult {
    std::vector<double> rewards;    ///< per trajectory: -cost or +cost, larger is better
    std::vector<double> advantages; ///< reward minus the mean of its group, which improved trajectories do not move
    double entropy = 0;             ///< mean over decoded states
    std::size_t decisions = 0;      ///< decoded states
};

/// Samples trajectories with a Lesson and, later, sends their gradient back. One per thread, reused.
class Rollout {
public:
    explicit Rollout(Trainable const& network) : lesson_(network.new_lesson()) {}

    /// Forced trajectories, free ones, then those to the improved solutions. Random numbers: streams (seed, index,
    /// trajectory, 2). Error: a dead end, probabilities that are not numbers, or solutions that are to be improved and
    /// cannot be imitated (Exchange::action_plan).
    [[nodiscard]] Result<RolloutResult> run(Instance const& instance, RolloutPlan const& plan, std::uint64_t seed,
                                            std::uint32_t index);
    /// Instead of sampled trajectories, `count` that lead to a given solution, each along another episode that makes it
    /// (Exchange::action_plan; where any order of the actions will do, in one that the policy draws), and an advantage
    /// of 1: backward() then makes the solution likelier. A solution that the masks do not allow (a tour as long as the
    /// limit, in their single precision) gives no trajectories. Error: solutions of the problem cannot be imitated.
    [[nodiscard]] Result<RolloutResult> imitate(Instance const& instance, Solution const& solution, std::size_t count,
                                                std::uint64_t seed, std::uint32_t index);
    /// Plays the policy's own episode, goes back to a random decision of it, and samples `count` trajectories from
    /// there. Every decision on them is taught by what the best completion of each action is worth: backward() then
    /// makes actions likelier the better their completions are (PriceLesson). Error: the problem cannot price actions.
    [[nodiscard]] Result<RolloutResult> price(Instance const& instance, PriceLesson const& lesson, std::size_t count,
                                              std::uint64_t seed, std::uint32_t index);
    /// Adds the gradient of -scale * sum over trajectories of advantage * log-likelihood (after price(): of all
    /// actions' log-probabilities by how much they are wanted), of the last run, and of -entropy_weight * the sum of
    /// all decisions' entropies.
    void backward(RolloutResult const& result, double scale, double entropy_weight, std::span<float> gradient);

    /// What backward() differentiates, without the entropies, at scale -1.
    [[nodiscard]] double log_likelihood(RolloutResult const& result) const;

private:
    struct Trajectory {
        StatePtr state;
        Rng rng;
        std::vector<std::size_t> plan{};    ///< actions to take, if they are not to be sampled
        bool any_order = false;             ///< sampled, but only from the plan
        bool greedy = false;                ///< the likeliest action is taken
        std::vector<std::size_t> actions{}; ///< taken so far
        void step(std::size_t action) {
            state->step(action);
            actions.push_back(action);
        }
    };
    void clear(State const& reset);
    void start(Instance const& instance, RolloutPlan const& plan, std::uint64_t seed, std::uint32_t index);
    /// Adds trajectories to what the classical search makes of the best ones; returns which those were.
    [[nodiscard]] Result<std::vector<std::size_t>> add_polished(Instance const& instance, RolloutPlan const& plan,
                                                                RolloutResult const& result, std::uint64_t seed,
                                                                std::uint32_t index);
    /// backward()'s weight on every action of the i-th decoded state.
    void add_weights(RolloutResult const& result, std::size_t i, std::vector<float>& weights) const;
    /// Plays what is not over yet.
    [[nodiscard]] Result<void> play(RolloutResult& result, std::uint32_t index);
    /// One decision of each of these; the sum of their entropies.
    [[nodiscard]] Result<double> step(std::span<std::size_t const> active);

    std::unique_ptr<Lesson> lesson_;
    std::vector<Trajectory> trajectories_;
    std::size_t forced_ = 0;                        ///< the first so many had a forced move
    std::deque<Observation> observations_;          ///< of every decoded state, in order; addresses stay valid
    std::vector<std::size_t> owners_;               ///< trajectory of every decoded state
    std::vector<std::span<float const>> log_probs_; ///< of every decoded state
    std::vector<std::size_t> actions_;              ///< action taken in every decoded state
    PriceLesson const* prices_ = nullptr;           ///< how decisions are priced, if they are
    std::vector<std::vector<float>> wanted_;        ///< then: wanted_actions() of every decoded state
};

} // namespace cax::train
