#pragma once
// The median, for whatever sums up many decisions.
#include <algorithm>
#include <vector>

namespace cax {

/// 0 of none; of an even number the mean of the middle two.
[[nodiscard]] inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    std::size_t const half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace cax
