#pragma once
// The work and the time that one certification may spend, over all the questions it asks a solver.
#include "cax/solvers/csp.hpp"

#include <chrono>
#include <cstdint>

namespace cax {

class WorkAccount {
public:
    WorkAccount(std::uint64_t work, double seconds);

    [[nodiscard]] std::uint64_t spent() const { return spent_; }
    [[nodiscard]] std::uint64_t left() const { return spent_ < work_ ? work_ - spent_ : 0; }
    void spend(std::uint64_t work) { spent_ += work; }

    [[nodiscard]] bool out_of_time() const { return limited_ && Clock::now() >= deadline_; }
    /// A large number if there is no limit; never 0, which would mean "no limit" to a solver.
    [[nodiscard]] double seconds_left() const;

    /// Within what is left. With nothing left the status says so and nobody is asked.
    [[nodiscard]] Result<CspAnswer> solve(ConstraintModel const& model, std::uint64_t seed);

private:
    using Clock = std::chrono::steady_clock;

    std::uint64_t work_;
    std::uint64_t spent_ = 0;
    bool limited_;
    Clock::time_point deadline_;
};

} // namespace cax
