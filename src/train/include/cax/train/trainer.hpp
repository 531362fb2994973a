#pragma once
// Trains a policy by REINFORCE with shared baselines (POMO) on generated instances, if asked after some imitation of
// the problem's own classical search, or by the prices of all actions at its own decisions: no data set, no torch.
// Everything is a function of the settings and the number of instances seen: no result depends on the number of
// threads, and a run that is stopped and resumed from its checkpoint ends with the same numbers as one that was not.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"
#include "cax/policies/trainable.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cax {
class OptionTable;
}

namespace cax::train {

/// Train on this size until that share of the budget is used up.
struct CurriculumStage {
    std::string size;
    double until = 0;
};

struct TrainSettings {
    std::string size; ///< of the instances the policy is for
    std::uint64_t seed = 0;
    std::uint64_t instances = 100'000; ///< budget; the learning rate follows the share of it that is used
    double minutes = 0;                ///< if > 0, the budget instead: how far a run comes depends on the machine
    std::size_t batch = 64;            ///< instances per optimiser step
    std::size_t forced = 20;           ///< trajectories with forced first moves per instance
    std::size_t free = 12;             ///< trajectories sampled throughout
    double learning_rate = 1.2e-3;     ///< after warm-up; cosine decay to 1 % of it
    double warm_up = 0.02;             ///< share of the budget
    double clip = 1.0;                 ///< gradient norm
    double entropy = 0;    ///< reward for undecidedness at the start, in advantages; falls to 0 over the budget
    double average = 0.99; ///< what is validated and saved: weights averaged over about 1 / (1 - average) steps
    double imitate = 0;    ///< share of the budget, at its beginning, that copies solutions of the classical search
    std::uint64_t imitate_iterations = 1000; ///< of that search, for each instance
    std::uint64_t polish = 0;   ///< iterations of the classical search that improve the best trajectories; 0: not done
    double polish_weight = 0.5; ///< how much of their advantage the improved trajectories keep
    std::uint64_t price = 0;    ///< work for the price of each action, by which decisions are then taught; 0: not done
    double price_scale = 0.01;  ///< an action that costs this share of the solution's value is wanted e times less
    double settle = 0; ///< share of the budget, at its end, in which prices also let the policy settle (PriceLesson)
    std::vector<CurriculumStage> curriculum; ///< in the order of their shares; then `size`
    std::size_t validation = 64;             ///< generated instances, another seed than the training ones
    std::uint64_t validate_every = 10'000;   ///< instances
    std::size_t threads = 0;
};

/// What a person may set: budget, learning, validation. Without seed, threads and curriculum.
void describe(OptionTable& table, TrainSettings& settings);

/// One line of the training log.
struct Progress {
    std::uint64_t instances = 0;
    double fraction = 0; ///< of the budget
    double learning_rate = 0;
    double mean_cost = 0; ///< of the trajectories that were learnt from since the last report
    double loss = 0; ///< minus the log-likelihood of a trajectory, weighted by its normalised advantage, on average
    double entropy = 0;
    double gradient_norm = 0;
    /// Set when the policy has just been validated.
    struct Validation {
        double greedy = 0;           ///< mean cost
        double multistart = 0;       ///< mean cost; best of samples for problems without forced starts
        bool best = false;           ///< better than all before
        std::optional<double> gap{}; ///< what TrainListener::measure says
    };
    std::optional<Validation> validation;
};

/// Where training stands: all that a resumed run needs besides the settings.
struct TrainState {
    TensorFile policy;
    std::vector<float> first_moment, second_moment;
    std::vector<float> average;  ///< of the parameters over the last steps
    std::uint64_t steps = 0;     ///< optimiser steps done
    std::uint64_t instances = 0; ///< instances seen
    std::uint64_t validated = 0; ///< instances seen at the last validation
    double seconds = 0;          ///< spent so far
    double spread = 0;           ///< how large advantages are, a running root mean square
    double best = 0;             ///< validation score of the best policy so far
    bool has_best = false;
};

/// Who listens. `report` after every step; `save_best` with each best-so-far policy; `checkpoint` is asked for after
/// every step and decides by itself whether to write; `stop` true ends training after the current step. `measure` looks
/// at the policy after each validation, for people to read: no decision depends on what it returns.
struct TrainListener {
    std::function<void(Progress const&)> report{};
    std::function<Result<void>(TensorFile const& policy)> save_best{};
    std::function<Result<void>(std::function<TrainState()> const& state)> checkpoint{};
    std::function<bool()> stop{};
    std::function<Result<double>(Policy const& policy)> measure{};
};

/// The start: random weights, nothing seen.
[[nodiscard]] Result<TrainState> initial_state(Problem const& problem, TrainSettings const& settings,
                                               NetworkDesign const& design);
/// Another start: the weights of a policy (a shipped file, or the checkpoint of a run with other settings), a fresh
/// optimiser, nothing seen. Error if the policy is one of another problem or cannot read its instances.
[[nodiscard]] Result<TrainState> state_from_policy(Problem const& problem, TrainSettings const& settings,
                                                   TensorFile policy);

/// Runs until the budget is spent or the listener says stop; the final state is returned (and can be resumed with a
/// larger budget). Error on NaN or divergence, before a checkpoint could hold it, and if the network cannot read the
/// problem's instances.
[[nodiscard]] Result<TrainState> train(Problem const& problem, TrainSettings const& settings, TrainState start,
                                       TrainListener const& listener);

/// A state as a file of named tensors and back. `identity`: every setting that changes the numbers, by name
/// (OptionTable::json()). It is stored and must be the same on reading; the error names the first setting that differs.
[[nodiscard]] TensorFile to_checkpoint(TrainState const& state, Json const& identity);
[[nodiscard]] Result<TrainState> from_checkpoint(TensorFile const& file, Json const& identity);

} // namespace cax::train
