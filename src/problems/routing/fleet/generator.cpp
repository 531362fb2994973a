#include "fleet.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cax::routing {

double default_capacity(std::size_t customers) {
    constexpr std::array<double, 14> sizes{10, 15, 20, 30, 40, 50, 60, 75, 100, 125, 150, 200, 500, 1000};
    constexpr std::array<double, 14> capacities{20, 25, 30, 33, 37, 40, 43, 45, 50, 55, 60, 70, 100, 150};
    auto const away = [&](double size) { return std::abs(size - static_cast<double>(customers)); };
    return capacities[static_cast<std::size_t>(std::ranges::min_element(sizes, {}, away) - sizes.begin())];
}

} // namespace cax::routing
