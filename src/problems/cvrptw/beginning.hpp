#pragma once
// What the first actions of an episode have driven: whole routes, and perhaps one that is under way.
#include "cax/problems/cvrptw/instance.hpp"

namespace cax::cvrptw {

struct Beginning {
    std::vector<std::vector<std::size_t>> finished;
    std::vector<std::size_t> under_way; ///< empty: the vehicle stands at the depot
    std::vector<std::size_t> left;      ///< customers that are in neither
};

/// Error if an action is no node or a customer comes twice.
[[nodiscard]] Result<Beginning> beginning_of(Instance const& instance, std::span<std::size_t const> actions);

/// A vehicle after a route's customers, by the exact clock.
struct Vehicle {
    std::size_t node = 0;
    double time = 0; ///< ready to leave
    double load = 0;
    double lateness = 0; ///< the worst one: after a window closed, or home (if it went there now) after the depot did
    double overload = 0;
};
[[nodiscard]] Vehicle drive(Data const& data, std::span<std::size_t const> customers);

} // namespace cax::cvrptw
