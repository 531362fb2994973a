#pragma once
// A network whose parameters move. Training sees a flat vector of numbers, a way to run the trajectories of one
// instance, and their gradient; which network it is stays a secret of this layer.
//
//     auto lesson = network->new_lesson();                  one per thread, reused
//     lesson->begin(reset_observation);                     encodes
//     while (...) lesson->decode(states);                   log-probabilities of all active trajectories, step by step
//     lesson->backward(weights, 0, gradient);               once the rewards are known
#include "cax/policies/policy.hpp"

#include <memory>
#include <span>
#include <vector>

namespace cax {

/// The trajectories of one instance: one encoding (or one of every state, if the network is stepwise), many decoded
/// states, one backward pass through all of them.
class Lesson {
public:
    virtual ~Lesson() = default;
    /// Forgets the previous instance and encodes this one.
    virtual void begin(Observation const& reset) = 0;
    /// Log-probabilities of each state (State::observe_for_decoding is enough). The observations must stay where they
    /// are until backward(); the spans returned live until the next begin().
    virtual std::vector<std::span<float const>> decode(std::span<Observation const* const> states) = 0;
    /// Adds to `gradient` that of the sum, over all decoded states in order, of
    /// sum_a weight(a) * log pi(a) + entropy_weight * entropy of pi. `weights`: those of all actions of the first
    /// state, then of the second, ...; 0 where the mask forbids.
    virtual void backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) = 0;
};

class Trainable {
public:
    virtual ~Trainable() = default;
    /// All parameters, flat; call pack() after changing them.
    [[nodiscard]] virtual std::span<float> parameters() = 0;
    /// 1 for parameters that an optimiser may move, 0 for buffers.
    [[nodiscard]] virtual std::vector<std::uint8_t> movable() const = 0;
    virtual void pack() = 0;
    /// The policy as it is now; valid as long as this object, changes with it.
    [[nodiscard]] virtual Policy const& policy() const = 0;
    [[nodiscard]] virtual std::unique_ptr<Lesson> new_lesson() const = 0;
    /// A weights file of the policy as it is now.
    [[nodiscard]] virtual TensorFile save() const = 0;
};

/// The network that a weights file describes, ready to be trained.
[[nodiscard]] Result<std::unique_ptr<Trainable>> make_trainable(TensorFile const& file,
                                                                PolicyOptions const& options = {});

/// Sizes of a new network. Widths of the inputs follow from the problem's observations.
struct NetworkDesign {
    std::size_t embed_dim = 128;
    std::size_t layers = 3;
    std::size_t heads = 8;
    std::size_t feed_forward = 0; ///< 0 = the network's usual: 4 (attention) or 2 (matnet) times the embedding
    double scaling_factor = 20;   ///< matnet: times are divided by it
};

class OptionTable;
/// What a person may set.
void describe(OptionTable& table, NetworkDesign& design);

/// Random weights for a problem: uniform within +-1/sqrt(fan-in), instance normalisation (layer normalisation if the
/// network is stepwise), and input columns divided by the root mean square of the feature they read (measured on
/// generated instances), because rl4co's inputs are unscaled.
[[nodiscard]] Result<TensorFile> random_weights(Problem const& problem, std::string const& size,
                                                NetworkDesign const& design, std::uint64_t seed);

/// A row-major matrix inside the flat vector of parameters.
struct MatrixSlice {
    std::size_t offset = 0, rows = 0, cols = 0;
};

/// What an optimiser should know about the parameters of a policy.
struct StepPlan {
    /// How far a step of one learning rate may take each parameter: 1; for weights that read an unscaled input, 1 / its
    /// root mean square (a weight that meets the number 400 must move 400 times less to change as much); 0 for buffers.
    std::vector<float> scales{};
    /// Weights from one layer of width 32 or more to the next, in order. Tall ones come in square pieces: queries, keys
    /// and values, which rl4co stacks, are maps of their own.
    std::vector<MatrixSlice> matrices{};
};
[[nodiscard]] Result<StepPlan> step_plan(Problem const& problem, std::string const& size, TensorFile const& policy,
                                         std::uint64_t seed);

} // namespace cax
