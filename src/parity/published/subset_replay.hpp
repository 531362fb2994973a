#pragma once
// One step of one recorded call of the published subset test: its states, the order of nodes, the noise, and what it
// found.
#include "golden_tensors.hpp"

#include "cax/problems/problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cax::parity {

struct Replay {
    std::string prefix;                               ///< "bonferroni/run0/t1/"
    std::vector<std::shared_ptr<State const>> states; ///< one per instance of the call
    std::vector<std::size_t> base;                    ///< their actions
    std::vector<std::vector<std::size_t>> orders;     ///< their nodes
    std::vector<double> accepted_sizes;               ///< what the published code found; 0 = none
    std::size_t step = 0;
    std::size_t sizes = 0; ///< so many were tested
    std::size_t samples = 0;
    std::vector<Tensor> noise; ///< per feature tensor

    [[nodiscard]] std::size_t batch() const { return states.size(); }
    [[nodiscard]] std::size_t index(std::size_t k, std::size_t m, std::size_t b) const {
        return (k * samples + m) * batch() + b;
    }
    [[nodiscard]] Shape block() const { return {sizes, samples, batch()}; }
    [[nodiscard]] Shape table() const { return {sizes, batch()}; }
};

/// All steps of call `run` under sample size `tag`. Error if a tensor is missing or does not fit the instances.
[[nodiscard]] Result<std::vector<Replay>> read_replays(GoldenTensors& golden, Problem const& problem,
                                                       std::vector<InstancePtr> const& instances,
                                                       std::string const& tag, std::string const& run);

} // namespace cax::parity
