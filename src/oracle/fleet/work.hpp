#pragma once
// Work in units that do not depend on the machine, each roughly ten nanoseconds. Who spends looks at exhausted() now and
// then, inside every long loop.
#include <cstdint>

namespace cax::oracle {

/// Costs that differ by less, relative, are equal: sums in another order.
inline constexpr double sum_rounding = 1e-9;

class Work {
public:
    explicit Work(std::uint64_t limit) : limit_(limit) {}
    void spend(std::uint64_t units) { spent_ += units; }
    [[nodiscard]] bool exhausted() const { return spent_ >= limit_; }
    [[nodiscard]] std::uint64_t spent() const { return spent_; }
    [[nodiscard]] std::uint64_t left() const { return spent_ < limit_ ? limit_ - spent_ : 0; }

private:
    std::uint64_t limit_;
    std::uint64_t spent_ = 0;
};

} // namespace cax::oracle
