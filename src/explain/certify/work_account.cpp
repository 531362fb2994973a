#include "certify/work_account.hpp"

#include <algorithm>

namespace cax {
namespace {

constexpr double longest_seconds = 1e9; // what the clock can count to

} // namespace

WorkAccount::WorkAccount(std::uint64_t work, double seconds)
    : work_(work),
      limited_(seconds > 0),
      deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(seconds, longest_seconds)))) {}

double WorkAccount::seconds_left() const {
    constexpr double least = 1e-6;
    if (!limited_) return longest_seconds;
    return std::max(least, std::chrono::duration<double>(deadline_ - Clock::now()).count());
}

Result<CspAnswer> WorkAccount::solve(ConstraintModel const& model, std::uint64_t seed) {
    if (left() == 0) return CspAnswer{};
    auto answer =
        gecode_solver().solve(model, {.work = left(), .seconds = limited_ ? seconds_left() : 0, .seed = seed});
    if (answer) spend(answer->work);
    return answer;
}

} // namespace cax
