#include "presentation.hpp"

#include "../fields.hpp"
#include "../route_drawing.hpp"
#include "features.hpp"
#include "problem.hpp"
#include "state.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

// What the generator draws from.
constexpr double largest_place = 150;
constexpr double longest_day = 480;

constexpr std::array<FamilyWords, 3> words{{
    {"capacity", "a vehicle carries no more than it can hold"},
    {"time windows", "every customer is reached before its window closes, and the depot before the day ends"},
    {"distances", "every customer is visited, and how far that is"},
}};

class CvrptwPresentation final : public Presentation {
public:
    [[nodiscard]] std::span<FamilyWords const> families() const override { return words; }
    [[nodiscard]] std::string node_label(cax::Instance const&, std::size_t node) const override {
        return route_node_label(node);
    }
    [[nodiscard]] std::string node_short(cax::Instance const&, std::size_t node) const override {
        return route_node_short(node);
    }
    [[nodiscard]] std::size_t node_count(cax::Instance const& any) const override {
        return static_cast<Instance const&>(any).nodes();
    }
    [[nodiscard]] std::optional<std::size_t> node_of(cax::State const&, std::size_t action) const override {
        return action;
    }

    [[nodiscard]] std::string describe_action(cax::State const& state, std::size_t action) const override {
        return static_cast<State const&>(state).describe_action(action);
    }
    [[nodiscard]] std::vector<Slack> slacks(cax::State const& state, std::size_t action) const override {
        return static_cast<State const&>(state).slacks(action);
    }
    [[nodiscard]] std::string describe_entry(cax::Instance const& instance, std::size_t tensor,
                                             std::size_t index) const override {
        return static_cast<Instance const&>(instance).describe_entry(tensor, index);
    }
    [[nodiscard]] std::string change_words(cax::Instance const&, std::size_t tensor, std::size_t index,
                                           std::string_view from, std::string_view to) const override {
        switch (tensor) {
        case feature_demand:
            return fmt::format("{} demand were {} instead of {}", route_node_owner(index + 1), to, from);
        case feature_time_windows:
            return fmt::format("{} {} {} at {} instead of {}", route_node_owner(index / 2),
                               index < 2 ? "day" : "window", index % 2 == 0 ? "opened" : "closed", to, from);
        case feature_durations:
            return fmt::format("{} service took {} instead of {}", route_node_owner(index), to, from);
        default: return moved_words(index, from, to);
        }
    }

    [[nodiscard]] Json scene(cax::Instance const& any) const override {
        Data const& data = static_cast<Instance const&>(any).data();
        float const largest = data.demand.empty() ? 1 : *std::ranges::max_element(data.demand);
        Json nodes = Json::array();
        for (std::size_t i = 0; i < data.locs.size(); ++i) {
            auto const [open, close] = data.time_windows[i];
            std::vector<std::string> facts{
                fmt::format("{} {} to {}", i == 0 ? "day" : "window", readable(open), readable(close))};
            if (i > 0)
                facts.push_back(fmt::format("demand {:.4g} of {}", demand_in_units(data, i), readable(data.capacity)));
            if (data.durations[i] > 0) facts.push_back(fmt::format("service takes {}", readable(data.durations[i])));
            Json node = route_node(i, data.locs[i], i > 0 && largest > 0 ? data.demand[i - 1] / largest : 0, facts);
            node["window"] = {readable(open), readable(close)};
            nodes.push_back(std::move(node));
        }
        return {{"kind", "routes"}, {"weight_word", "demand"}, {"nodes", std::move(nodes)}};
    }

    [[nodiscard]] Json moment(cax::State const& any, std::span<std::size_t const> actions) const override {
        auto const& state = static_cast<State const&>(any);
        return {{"at", state.current_node()},
                {"clock", readable(state.current_time())},
                {"done", std::vector<std::size_t>(actions.begin(), actions.end())},
                {"paths", paths_of_actions(actions)}};
    }

    [[nodiscard]] Json mark(cax::State const& any, std::size_t action) const override {
        auto const& state = static_cast<State const&>(any);
        return {{"node", action},
                {"from", state.current_node()},
                {"arrival", double{state.current_time()} + double{state.distances()[action]}}};
    }

    [[nodiscard]] Json drawing(cax::Instance const&, Solution const& solution) const override {
        return {{"paths", paths_of_solution(solution)}};
    }

    [[nodiscard]] Result<InDomain> into_domain(InstancePtr const& any) const override {
        Data data = static_cast<Instance const&>(*any).data();
        double const day = data.time_windows[0].close;
        Extent const extent = extent_of(data.locs);
        double const scale = std::min({1.0, longest_day / day, largest_place / extent.side});
        bool const outside = std::ranges::any_of(
            data.locs, [](Point p) { return p.x < 0 || p.y < 0 || p.x > largest_place || p.y > largest_place; });
        if (!(scale < 1) && !outside) return InDomain{.instance = any, .note = {}};
        auto const scaled = [&](float value) { return static_cast<float>(scale * double{value}); };
        for (Point& place : data.locs) {
            place = {static_cast<float>(scale * (double{place.x} - extent.left)),
                     static_cast<float>(scale * (double{place.y} - extent.bottom))};
        }
        for (Window& window : data.time_windows) window = {scaled(window.open), scaled(window.close)};
        for (float& duration : data.durations) duration = scaled(duration);
        data.integral_windows = data.integral_windows && scale == 1;
        auto instance = Instance::make(std::move(data));
        if (!instance) return instance.error();
        return InDomain{.instance = *std::move(instance),
                        .scale = scale,
                        .note = fmt::format(
                            "The instance has a day of {:.6g} and places up to {:.6g} apart; policies are trained on "
                            "days of {} and places up to {} apart. Its distances and times are multiplied by {:.4g}, "
                            "which changes no solution; all numbers below are in these units.",
                            day, extent.side, longest_day, largest_place, scale)};
    }
};

} // namespace

Presentation const& presentation() {
    static CvrptwPresentation const instance;
    return instance;
}

} // namespace cax::cvrptw
