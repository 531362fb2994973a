#pragma once
// Replaces the global operator new of the test executable it is linked into: while a guard is alive, one allocation
// beyond 64 MB, or more than 256 MB live at once, throws. A reader that believes an absurd length shows here.
#include <cstddef>

namespace cax::test {

inline constexpr std::size_t largest_allocation = std::size_t{64} << 20;
inline constexpr std::size_t largest_live_total = std::size_t{256} << 20;

class AllocationGuard {
public:
    AllocationGuard();
    ~AllocationGuard();
    AllocationGuard(AllocationGuard const&) = delete;
    AllocationGuard& operator=(AllocationGuard const&) = delete;
};

} // namespace cax::test
