#include "../routing/prefix.hpp"
#include "tour.hpp"

namespace cax::op {

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
