#include "search_clock.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {

Result<void> check_search_options(Instance const& instance, SearchOptions const& options) {
    if (!(options.seconds >= 0)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("seconds: {}, expected a number of at least 0", options.seconds)};
    }
    if (options.bound && !(std::isfinite(*options.bound) && *options.bound >= 0)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("bound: {}, expected a number of at least 0", *options.bound)};
    }
    if (options.start) {
        CheckReport const report = instance.check(*options.start);
        if (!report.valid())
            return Error{ErrorCode::invalid_value, "the solution to begin with: " + report.violations.front()};
    }
    return {};
}

double SearchClock::fraction(std::uint64_t iteration) const {
    if (limited_) {
        if (options_.iterations == 0) return 1;
        return std::min(1.0, static_cast<double>(iteration) / static_cast<double>(options_.iterations));
    }
    return options_.seconds > 0 ? std::min(1.0, elapsed_ / options_.seconds) : 1;
}

void SearchClock::look() {
    elapsed_ = std::chrono::duration<double>(Clock::now() - start_).count();
    stopped_ = elapsed_ >= options_.seconds || (options_.stop && options_.stop());
}

} // namespace cax
