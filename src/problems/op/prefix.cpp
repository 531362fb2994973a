#include "prefix.hpp"

#include "../routing/prefix.hpp"

#include <cmath>

namespace cax::op {

double distance(Data const& data, std::size_t a, std::size_t b) {
    return std::hypot(double{data.locs[a].x} - data.locs[b].x, double{data.locs[a].y} - data.locs[b].y);
}

double prize_tolerance(double bound) { return 1e-6 * bound; }

Result<Prefix> prefix_of(Instance const& instance, std::span<std::size_t const> actions) {
    auto driven = routing::prefix_of(instance, actions);
    if (!driven) return driven.error();
    Prefix prefix{.tour = {}, .left = std::move(driven->left), .closed = driven->closed};
    for (std::size_t const node : driven->finished.empty() ? driven->under_way : driven->finished[0]) {
        prefix.length += distance(instance.data(), prefix.last(), node);
        prefix.prize += double{instance.data().prize[node]};
        prefix.tour.push_back(node);
    }
    return prefix;
}

} // namespace cax::op
