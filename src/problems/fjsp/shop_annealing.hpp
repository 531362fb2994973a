#pragma once
// Annealing on schedules: one operation of a longest path at a time moves to any machine and place (the neighbourhood
// of Mastrolilli and Gambardella 2000). Operations that have begun can be held where they are.
#include "shop_graph.hpp"

#include "cax/core/rng.hpp"

namespace cax::fjsp {

/// Every operation where the schedule has it, but as early as it can be.
[[nodiscard]] ShopGraph follow(Instance const& instance, Schedule schedule);

class ShopAnnealing {
public:
    /// `held`: 1 for every operation that is not moved; empty = all may be. Precondition: `start` is refreshed, and
    /// some operation may be moved. Keeps a reference to the instance.
    ShopAnnealing(Instance const& instance, ShopGraph start, std::vector<std::uint8_t> const& held);

    [[nodiscard]] ShopGraph const& best() const { return best_; }

    /// Tries one move: an operation to any place where it can go. `fraction`: of the budget that is used up.
    void iterate(Rng rng, double fraction);

private:
    void find_critical();

    Instance const& instance_;
    std::vector<std::size_t> movable_;
    std::vector<std::uint8_t> is_movable_; ///< by operation
    ShopGraph current_;
    ShopGraph best_;
    ShopGraph trial_; ///< scratch: copies into it allocate nothing
    double scale_;
    std::vector<std::size_t> critical_; ///< and movable
};

} // namespace cax::fjsp
