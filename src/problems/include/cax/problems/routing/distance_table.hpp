#pragma once
// All pairwise distances of an instance's points, kept once somebody has asked for several rows: episodes ask for many,
// a reader of thousands of instances for one row of each, and the tables would take far more memory than the instances.
#include "cax/problems/point.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

namespace cax::routing {

class DistanceTable {
public:
    /// Distances from one point to all (rl4co's, in single precision). `points` must be the same in every call. The
    /// same numbers whether they are kept or not, and from any number of threads.
    void row(std::span<Point const> points, std::size_t from, std::span<float> out) const;

private:
    mutable std::atomic<unsigned> asked_ = 0; ///< rows computed one by one so far
    mutable std::atomic<bool> kept_ = false;
    mutable std::once_flag once_;
    mutable std::vector<float> values_;
};

} // namespace cax::routing
