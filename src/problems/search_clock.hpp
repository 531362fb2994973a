#pragma once
// When a classical search has to stop, and how far it is. Every problem's search asks the same clock, so that seconds,
// iterations and stop() mean the same everywhere.
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/search.hpp"

#include <chrono>

namespace cax {

/// Error if the seconds are no duration, the bound is no number or the first solution is none.
[[nodiscard]] Result<void> check_search_options(Instance const& instance, SearchOptions const& options);

/// A stream of its own for every iteration, so that no search is ever long enough to run out of numbers.
[[nodiscard]] inline Rng rng_of(std::uint64_t seed, std::uint64_t iteration) {
    return Rng(seed, static_cast<std::uint32_t>(iteration), static_cast<std::uint32_t>(iteration >> 32));
}

class SearchClock {
public:
    /// Starts now. Keeps a reference to the options.
    explicit SearchClock(SearchOptions const& options)
        : options_(options), start_(Clock::now()), limited_(options.iterations != SearchOptions{}.iterations) {}

    /// May iteration number `iteration` (from 0) be done? Looks at the time only now and then: iterations take
    /// microseconds.
    [[nodiscard]] bool running(std::uint64_t iteration) {
        if (iteration >= options_.iterations) return false;
        if (iteration % iterations_between_looks == 0) look();
        return !stopped_;
    }
    /// The same for long iterations: always looks.
    [[nodiscard]] bool running_now(std::uint64_t iteration) {
        if (iteration >= options_.iterations) return false;
        look();
        return !stopped_;
    }

    /// The part of the budget that is used up, from 0 to 1. Counted in iterations if they are limited: what follows
    /// from it (a temperature) then does not depend on the machine. Otherwise the time of the last look.
    [[nodiscard]] double fraction(std::uint64_t iteration) const;

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t iterations_between_looks = 64;
    void look();

    SearchOptions const& options_;
    Clock::time_point start_;
    bool limited_;
    bool stopped_ = false;
    double elapsed_ = 0;
};

} // namespace cax
