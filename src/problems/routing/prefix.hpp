#pragma once
// What the first actions of an episode have driven: whole routes, and perhaps one that is under way.
#include "cax/problems/routing/instance.hpp"

namespace cax::routing {

struct Prefix {
    std::vector<std::vector<std::size_t>> finished;
    std::vector<std::size_t> under_way; ///< empty: the vehicle stands at the depot
    std::vector<std::size_t> left;      ///< customers that are in neither
    bool closed = false;                ///< one tour: it has returned, and nothing can be added
    [[nodiscard]] std::size_t here() const { return under_way.empty() ? 0 : under_way.back(); }
    /// What is finished, and these.
    [[nodiscard]] Routes with(Routes const& others) const;
    /// What is finished, and what is under way.
    [[nodiscard]] Routes driven() const { return with(under_way.empty() ? Routes{} : Routes{{under_way}}); }
};

/// Error if an action is no node, a customer comes twice, or one comes after the return of the only tour.
[[nodiscard]] Result<Prefix> prefix_of(Instance const& instance, std::span<std::size_t const> actions);

/// What a list of routes misses of a prefix: every route that the actions finished must be there as it is, and the one
/// under way must go on from there.
[[nodiscard]] std::vector<std::string> missing_of(std::span<std::size_t const> prefix, Routes const& solution);

} // namespace cax::routing
