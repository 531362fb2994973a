// Random instances with the distribution of rl4co's OP generator (its numbers, not its random stream). Draws in a fixed
// order: depot, customers, prizes.
#include "../errors.hpp"
#include "../fields.hpp"
#include "../routing/distances.hpp"
#include "problem.hpp"

#include "cax/core/printable.hpp"
#include "cax/problems/op/instance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace cax::op {
namespace {

/// rl4co's limit by number of customers; sizes in between take the nearest entry, the smaller on ties.
double default_max_length(std::size_t customers) {
    constexpr std::array<std::pair<std::size_t, double>, 3> table{{{20, 2.0}, {50, 3.0}, {100, 4.0}}};
    auto const away = [&](auto const& entry) {
        return std::max(entry.first, customers) - std::min(entry.first, customers);
    };
    return std::ranges::min_element(table, {}, away)->second;
}

/// Hundredths from 0.01 to 1.
float hundredths(float count) { return (1 + std::trunc(count)) / 100; }

/// The farther from the depot, the larger: the farthest customer has prize 1.
void fill_by_distance(Data& data) {
    std::vector<float> away(data.locs.size());
    for (std::size_t i = 0; i < away.size(); ++i) away[i] = routing::float_distance(data.locs[0], data.locs[i]);
    float const farthest = *std::ranges::max_element(away);
    for (std::size_t i = 1; i < away.size(); ++i) {
        data.prize.push_back(farthest > 0 ? hundredths(away[i] / farthest * 99) : 1.0F);
    }
}

} // namespace

std::vector<std::pair<std::string_view, std::string_view>> generator_options() {
    return {
        {"max_length", "limit on the tour's length (default: rl4co's for the size, 2 for 20 customers)"},
        {"prize", "dist: larger far from the depot (default), unif: uniform on 0.01 to 1, const: 1"},
    };
}

Result<InstancePtr> drawn_instance(std::size_t customers, Options const& options, Rng& rng) {
    auto const max_length = number_option(options, "max_length", default_max_length(customers), 1e-3, 1e6);
    if (!max_length) return max_length.error();
    auto const kind = options.find("prize");
    std::string const prize_kind = kind == options.end() ? "dist" : kind->second;

    Data data{.locs = routing::to_pairs<Point>(routing::drawn_places(customers + 1, rng)),
              .prize = {0},
              .max_length = static_cast<float>(*max_length)};
    if (prize_kind == "dist") {
        fill_by_distance(data);
    } else if (prize_kind == "unif") {
        for (std::size_t i = 0; i < customers; ++i)
            data.prize.push_back(hundredths(static_cast<float>(rng.below(100))));
    } else if (prize_kind == "const") {
        data.prize.resize(customers + 1, 1.0F);
    } else {
        return invalid("option prize: '{}' is none of dist, unif, const", printable(prize_kind));
    }
    return Instance::make_any(data);
}

} // namespace cax::op
