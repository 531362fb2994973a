#include "beginning.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::op {

double distance(Data const& data, std::size_t a, std::size_t b) {
    return std::hypot(double{data.locs[a].x} - data.locs[b].x, double{data.locs[a].y} - data.locs[b].y);
}

double prize_tolerance(double bound) { return 1e-6 * std::max(1.0, bound); }

Result<Beginning> beginning_of(Instance const& instance, std::span<std::size_t const> actions) {
    Beginning begun;
    std::vector<bool> visited(instance.nodes(), false);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const node = actions[t];
        auto const invalid = [&](std::string_view what) {
            return Error{ErrorCode::invalid_value, fmt::format("prefix[{}]: {} {}", t, what, node)};
        };
        if (node >= instance.nodes()) return invalid("there is no node");
        if (node == 0) {
            begun.closed = true;
            continue;
        }
        if (begun.closed) return invalid("the tour has ended before it visits customer");
        if (visited[node]) return invalid("visits again customer");
        visited[node] = true;
        begun.length += distance(instance.data(), begun.last(), node);
        begun.prize += double{instance.data().prize[node]};
        begun.tour.push_back(node);
    }
    return begun;
}

} // namespace cax::op
