#pragma once
// What a vehicle of a fleet consumes on its way, as numbers: what exact methods over routes are made of. The windows and
// loads have the tolerances of the problem's checker, so that what is proved is about everything that it accepts.
#include "cax/core/matrix.hpp"
#include "cax/problems/problem.hpp"

#include <optional>
#include <vector>

namespace cax {

/// Equal vehicles, as many as needed, leave the depot (node 0) at time 0, visit every customer once and come back; the
/// total length is minimised. A vehicle that arrives before a window opens waits. Distances and travel times satisfy
/// the triangle inequality.
struct VehicleModel {
    Matrix<double> distance;     ///< between nodes
    Matrix<double> travel;       ///< time on the way; all 0 where there are no clocks
    std::vector<double> demand;  ///< by node; 0 for the depot
    double largest_load = 1;     ///< that a vehicle may carry
    std::vector<double> open;    ///< by node: service begins no earlier
    std::vector<double> latest;  ///< by node: the latest arrival, for the depot of the way home
    std::vector<double> service; ///< by node: how long it takes
};

/// Nothing if the problem has no fleet.
[[nodiscard]] std::optional<VehicleModel> vehicle_model_of(Instance const& instance);

} // namespace cax
