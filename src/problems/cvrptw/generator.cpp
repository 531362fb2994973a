// Random instances with the distribution of rl4co's CVRPTW generator (its numbers, not its random stream). Draws in a
// fixed order: depot, customers, demands, windows.
#include "../errors.hpp"
#include "../fields.hpp"
#include "../routing/distances.hpp"
#include "../routing/fleet/fleet.hpp"
#include "problem.hpp"

#include "cax/core/printable.hpp"
#include "cax/problems/cvrptw/instance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace cax::cvrptw {
namespace {

struct Settings {
    double capacity = 0;
    double max_loc = 150;
    double max_time = 480;
    bool scale = false;
};

Result<Settings> read_settings(std::size_t customers, Options const& options) {
    Settings settings;
    // Demands run to 9, and each must fit a vehicle.
    auto const capacity = number_option(options, "capacity", routing::default_capacity(customers), 9, 1e6);
    if (!capacity) return capacity.error();
    auto const max_loc = number_option(options, "max_loc", settings.max_loc, 1e-3, 1e6);
    if (!max_loc) return max_loc.error();
    auto const max_time = number_option(options, "max_time", settings.max_time, 1, 1e7);
    if (!max_time) return max_time.error();
    settings.capacity = *capacity;
    settings.max_loc = *max_loc;
    settings.max_time = std::trunc(*max_time); // windows are whole numbers
    // Windows are whole numbers between the way out and the last moment to turn back: leave room for one.
    double const needed = 2 * std::numbers::sqrt2 * settings.max_loc + 1;
    if (settings.max_time < needed) {
        return invalid("option max_time: {} is too short for max_loc {}: expected at least {}", settings.max_time,
                       settings.max_loc, std::ceil(needed));
    }
    if (auto const place = options.find("scale"); place != options.end()) {
        if (place->second != "true" && place->second != "false") {
            return invalid("option scale: '{}' is neither true nor false", printable(place->second));
        }
        settings.scale = place->second == "true";
    }
    return settings;
}

/// Two whole moments between the direct way out and the last start of service that still allows the way home.
Window draw_window(float distance, float max_time, Rng& rng) {
    float const last = max_time - distance;
    auto const moment = [&] { return std::trunc(distance + (last - distance) * static_cast<float>(rng.uniform())); };
    float const first_draw = moment();
    float const second_draw = moment();
    Window window{std::min(first_draw, second_draw), std::max(first_draw, second_draw)};
    if (window.open == window.close) window.open = std::max(std::trunc(distance), window.open - 1);
    if (window.open == window.close) window.close = std::min(std::floor(last), window.close + 1);
    return window;
}

} // namespace

std::vector<std::pair<std::string_view, std::string_view>> generator_options() {
    return {
        {"capacity", "vehicle capacity Q; demands are 1 to 9 (default: rl4co's for the size, 40 for 50 customers)"},
        {"max_loc", "coordinates are uniform on [0, max_loc] (default 150)"},
        {"max_time", "closing time of the depot (default 480)"},
        {"scale", "true divides places and times by max_time (default false)"},
    };
}

Result<InstancePtr> drawn_instance(std::size_t customers, Options const& options, Rng& rng) {
    auto const settings = read_settings(customers, options);
    if (!settings) return settings.error();
    std::size_t const nodes = customers + 1;
    auto const max_time = static_cast<float>(settings->max_time);

    Data data{.capacity = static_cast<float>(settings->capacity),
              .locs = routing::to_pairs<Point>(routing::drawn_places(nodes, rng, settings->max_loc)),
              .integral_windows = true};
    for (std::size_t i = 1; i < nodes; ++i) data.demand.push_back(static_cast<float>(1 + rng.below(9)) / data.capacity);
    data.durations.assign(nodes, 0.0F);
    data.time_windows.push_back({0, max_time});
    for (std::size_t i = 1; i < nodes; ++i) {
        data.time_windows.push_back(draw_window(routing::float_distance(data.locs[0], data.locs[i]), max_time, rng));
    }
    if (settings->scale) {
        data.integral_windows = false;
        for (Point& p : data.locs) p = {p.x / max_time, p.y / max_time};
        for (Window& w : data.time_windows) w = {w.open / max_time, w.close / max_time};
    }
    return Instance::make_any(data);
}

} // namespace cax::cvrptw
