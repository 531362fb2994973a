#pragma once
// What a policy sees of a state: the vocabulary between problems (which fill it) and networks (which read it). Values
// are doubles that hold the state's float32 numbers exactly; a network converts them to its own precision.
//
// The same types carry gradients back: a gradient has the shape of what it is a gradient of, only the members marked
// [differentiable] are meaningful in it, and masks and indices are left empty. Everything else in a state is a
// constant.
#include "cax/core/matrix.hpp"
#include "cax/core/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace cax {

/// One entry per action: 1 = allowed.
using ActionMask = std::vector<std::uint8_t>;

/// A state of nodes: action = next node. Read by the attention network. Where node 0 is a depot with features of its
/// own, customers are nodes 1..N; where all nodes are alike, `depot` is empty and customers are all nodes.
struct GraphObservation {
    std::vector<double> depot;    ///< [differentiable] features of node 0 (its coordinates), or empty
    Matrix<double> customers;     ///< [differentiable] one row of features per other node
    std::vector<double> context;  ///< [differentiable] scalars describing the state (capacity left, clock, ...)
    std::size_t current_node = 0; ///< where the vehicle is
    ActionMask mask;              ///< one entry per node
    /// The tour begins anywhere: the first choice is where it begins, and policies are shown that node, too.
    bool free_start = false;
    std::optional<std::size_t> first_node{}; ///< of a free start: nothing before it
    /// What a driver who looks one visit ahead would still choose from; empty where there is nothing to look out for.
    /// Policies that were trained with it obey it (PolicyInfo::lookahead_mask).
    ActionMask lookahead{};
    /// There is nowhere to be (items are packed, not visited): policies are shown the scalars alone.
    bool placeless = false;
    /// Nodes are shown by what they mean to the rest of the episode, so that an encoding of one state serves no other.
    /// Policies that read this encode every state as it stands, and in it only what the mask allows
    /// (PolicyInfo::stepwise).
    bool stepwise = false;

    /// Number of nodes.
    [[nodiscard]] std::size_t nodes() const { return customers.rows() + (depot.empty() ? 0 : 1); }
};

/// A scheduling state: O operations (padding included) of J jobs on M machines; action 0 = wait, action 1 + j*M + m =
/// next operation of job j on machine m. Read by the matnet network.
struct ScheduleObservation {
    Matrix<double> proc_times;        ///< [differentiable] M x O, 0 = not eligible (scheduled columns are 0)
    std::vector<double> num_eligible; ///< [differentiable] per operation
    std::vector<double> lower_bounds; ///< per operation: rl4co's `lbs`
    std::vector<double> busy_until;   ///< per machine
    double time = 0;
    std::vector<std::uint8_t> is_ready;  ///< per operation
    std::vector<std::uint8_t> scheduled; ///< per operation
    std::vector<std::uint8_t> padding;   ///< per operation
    std::vector<std::size_t> job_of;     ///< per operation
    std::vector<std::size_t> position;   ///< per operation: rl4co's `ops_sequence_order`
    std::vector<std::size_t> next_op;    ///< per job
    ActionMask mask;                     ///< 1 + J*M entries
    /// What the encoder is shown in place of this, if it is not this. The gradient of both is one sum: their features
    /// are the same entries of the instance.
    std::shared_ptr<ScheduleObservation const> encoder;
};

/// Any state as rl4co's environment holds it: its tensors under rl4co's names, without a batch dimension. Read by
/// policies that are no networks of cax; observe_tensors() in exchange.hpp makes it.
struct TensorObservation {
    NamedTensors tensors; ///< all but `action_mask`. [differentiable] the floating ones; feature tensors are F64
    ActionMask mask;
};

using Observation = std::variant<GraphObservation, ScheduleObservation, TensorObservation>;

/// Number of actions of an observation (allowed or not).
[[nodiscard]] inline std::size_t action_count(Observation const& observation) {
    return std::visit([](auto const& o) { return o.mask.size(); }, observation);
}

[[nodiscard]] inline ActionMask const& action_mask(Observation const& observation) {
    return std::visit([](auto const& o) -> ActionMask const& { return o.mask; }, observation);
}

} // namespace cax
