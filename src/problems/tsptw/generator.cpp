// PIP's instances: places within 100 by 100, divided by 100 in the end, and three ways to draw windows.
//
//   easy, medium   windows anywhere within a day of 55 per node; half to three quarters, or a tenth to a fifth, of a
//   day
//                  long. There may be no tour within all of them.
//   hard           around the times at which a random tour passes, at most 50 to either side: that tour is on time.
#include "../errors.hpp"
#include "../routing/distances.hpp"
#include "problem.hpp"

#include "cax/core/printable.hpp"
#include "cax/problems/tsptw/instance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax::tsptw {
namespace {

constexpr double side = 100;

/// Drawn in units of the places, before they are divided.
struct Draft {
    std::vector<std::array<double, 2>> places;
    std::vector<std::array<double, 2>> windows;
};

double way_between(Draft const& draft, std::size_t a, std::size_t b) {
    return std::hypot(draft.places[a][0] - draft.places[b][0], draft.places[a][1] - draft.places[b][1]);
}

void draw_anywhere(Draft& draft, double narrowest, double widest, Rng& rng) {
    std::size_t const day = 55 * draft.places.size();
    auto const length = static_cast<double>(day);
    for (std::size_t i = 1; i < draft.places.size(); ++i) {
        auto const open = static_cast<double>(rng.below(day));
        double const width = std::round(length * rng.uniform(narrowest, widest));
        draft.windows[i] = {open, std::min(open + width, 2 * length)};
    }
}

void draw_along_a_tour(Draft& draft, Rng& rng) {
    std::vector<std::size_t> order(draft.places.size() - 1);
    std::iota(order.begin(), order.end(), std::size_t{1});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    double time = 0;
    std::size_t here = 0;
    for (std::size_t const node : order) {
        time += way_between(draft, here, node);
        double const open = time - 50 + 50 * rng.uniform();
        draft.windows[node] = {open, time + 50 * rng.uniform()};
        here = node;
    }
}

} // namespace

Result<InstancePtr> drawn_instance(std::size_t nodes, Options const& options, Rng& rng) {
    auto const given = options.find("hardness");
    std::string_view const hardness = given == options.end() ? "hard" : std::string_view(given->second);
    if (hardness != "easy" && hardness != "medium" && hardness != "hard") {
        return invalid("hardness is \"{}\": expected easy, medium or hard", printable(hardness));
    }
    Draft draft{.places = {}, .windows = std::vector<std::array<double, 2>>(nodes)};
    for (std::size_t i = 0; i < nodes; ++i) {
        double const x = side * rng.uniform();
        draft.places.push_back({x, side * rng.uniform()});
    }
    if (hardness == "hard")
        draw_along_a_tour(draft, rng);
    else if (hardness == "medium")
        draw_anywhere(draft, 0.1, 0.2, rng);
    else
        draw_anywhere(draft, 0.5, 0.75, rng);
    Data data;
    for (auto const& [x, y] : draft.places)
        data.locs.push_back({static_cast<float>(x / side), static_cast<float>(y / side)});
    for (auto const& [open, close] : draft.windows) {
        data.time_windows.push_back({static_cast<float>(open / side), static_cast<float>(close / side)});
    }
    float end = 0; // whoever comes home from the last visit
    for (std::size_t i = 1; i < nodes; ++i) {
        end = std::max(end, routing::float_distance(data.locs[0], data.locs[i]) + data.time_windows[i].close);
    }
    data.time_windows[0] = {0, end};
    return Instance::make_any(data);
}

} // namespace cax::tsptw
