#include "fleet.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cax::routing {

double default_capacity(std::size_t customers) {
    constexpr std::array<std::pair<std::size_t, double>, 14> table{{{10, 20},
                                                                    {15, 25},
                                                                    {20, 30},
                                                                    {30, 33},
                                                                    {40, 37},
                                                                    {50, 40},
                                                                    {60, 43},
                                                                    {75, 45},
                                                                    {100, 50},
                                                                    {125, 55},
                                                                    {150, 60},
                                                                    {200, 70},
                                                                    {500, 100},
                                                                    {1000, 150}}};
    auto const away = [&](auto const& entry) {
        return std::max(entry.first, customers) - std::min(entry.first, customers);
    };
    return std::ranges::min_element(table, {}, away)->second;
}

} // namespace cax::routing
