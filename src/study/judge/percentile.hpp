#pragma once
// The percentile rule of the published code, which both bootstraps share: the elements at alpha R and (1 - alpha) R of
// the R sorted differences.
#include "cax/study/statistics.hpp"

#include <algorithm>

namespace cax::study {

/// Precondition: there are differences.
[[nodiscard]] inline Difference percentile_interval(double point, std::vector<double> differences, double confidence) {
    std::ranges::sort(differences);
    double const alpha = (1 - confidence) / 2;
    auto const at = [&](double share) {
        auto const place = static_cast<std::size_t>(share * static_cast<double>(differences.size()));
        return differences[std::min(differences.size() - 1, place)];
    };
    return {point, at(alpha), at(1 - alpha)};
}

} // namespace cax::study
