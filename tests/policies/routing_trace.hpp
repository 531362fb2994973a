#pragma once
// A golden trace of a routing policy as the attention network sees it. Observations and gradients are put together here
// from the trace's own tensors, without the problems' states, so that the two can only agree if both are right.
#include "cax/core/tensor.hpp"
#include "cax/problems/observation.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cax::test {

/// One step of the trace, all instances of its batch.
struct TraceStep {
    std::vector<Observation> observations;
    std::vector<std::size_t> actions;
    std::vector<std::vector<double>> log_probs;   ///< float32
    std::vector<std::vector<double>> log_probs64; ///< the reference
    std::vector<GraphObservation> gradients64;    ///< of the log-probability of the action
};

struct RoutingTrace {
    TensorFile weights;
    std::vector<TraceStep> steps;
};

[[nodiscard]] RoutingTrace read_routing_trace(std::filesystem::path const& folder);

/// The gradient by feature, all nodes that have it: x, y, ... of the depot and every customer, then each context
/// scalar.
[[nodiscard]] std::vector<std::vector<double>> by_feature(GraphObservation const& gradient);

} // namespace cax::test
