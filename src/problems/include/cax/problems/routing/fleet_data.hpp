#pragma once
// What is given where vehicles of one capacity serve customers within time windows. Problems without clocks are the
// special case whose windows never close.
#include "cax/problems/point.hpp"

#include <string>
#include <vector>

namespace cax::routing {

struct Window {
    float open = 0;
    float close = 0;
    bool operator==(Window const&) const = default;
};

struct FleetData {
    std::string name{};
    float capacity = 1;                 ///< Q, in the file's units; the policies see the vehicle as capacity 1
    std::vector<Point> locs{};          ///< N+1 nodes, the depot first
    std::vector<float> demand{};        ///< N customers, as a fraction of Q: customer i has demand[i-1]
    std::vector<Window> time_windows{}; ///< N+1
    std::vector<float> durations{};     ///< N+1: service times
    /// Windows are whole numbers and stay so (rl4co's int32): the published code truncates perturbed ones.
    bool integral_windows = false;
    bool operator==(FleetData const&) const = default;
};

} // namespace cax::routing
