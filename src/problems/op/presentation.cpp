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

namespace cax::op {
namespace {

constexpr std::array<FamilyWords, 3> words{{
    {"prizes", "what a visit is worth"},
    {"tour length", "the tour must be back before its length is spent"},
    {"distances", "how far the customers are from each other"},
}};

class OpPresentation final : public Presentation {
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
        case feature_prize: return fmt::format("{} prize were {} instead of {}", route_node_owner(index), to, from);
        case feature_max_length:
            if (index == 0) return fmt::format("the tour were allowed a length of {} instead of {}", to, from);
            return fmt::format("{} latest arrival were {} instead of {}", route_node_owner(index), to, from);
        default: return moved_words(index, from, to);
        }
    }

    [[nodiscard]] Json scene(cax::Instance const& any) const override {
        Data const& data = static_cast<Instance const&>(any).data();
        float const largest = *std::ranges::max_element(data.prize);
        Json nodes = Json::array();
        for (std::size_t i = 0; i < data.locs.size(); ++i) {
            std::vector<std::string> facts;
            if (i > 0)
                facts.push_back(fmt::format("prize {}", readable(data.prize[i])));
            else
                facts.push_back(fmt::format("tour of length at most {}", readable(data.max_length)));
            nodes.push_back(route_node(i, data.locs[i], largest > 0 ? data.prize[i] / largest : 0, facts));
        }
        return {{"kind", "routes"}, {"weight_word", "prize"}, {"nodes", std::move(nodes)}};
    }

    [[nodiscard]] Json moment(cax::State const& any, std::span<std::size_t const> actions) const override {
        auto const& state = static_cast<State const&>(any);
        return {{"at", state.current_node()},
                {"done", std::vector<std::size_t>(actions.begin(), actions.end())},
                {"paths", paths_of_actions(actions)}};
    }

    [[nodiscard]] Json mark(cax::State const& any, std::size_t action) const override {
        return {{"node", action}, {"from", static_cast<State const&>(any).current_node()}};
    }

    [[nodiscard]] Json drawing(cax::Instance const&, Solution const& solution) const override {
        return {{"paths", paths_of_solution(solution)}};
    }

    /// The generator's places lie in the unit square and its prizes are at most 1.
    [[nodiscard]] Result<InDomain> into_domain(InstancePtr const& any) const override {
        Data data = static_cast<Instance const&>(*any).data();
        double const richest = *std::ranges::max_element(data.prize);
        Extent const extent = extent_of(data.locs);
        bool const outside =
            std::ranges::any_of(data.locs, [](Point p) { return p.x < 0 || p.y < 0 || p.x > 1 || p.y > 1; });
        if (!outside && richest <= 1) return InDomain{.instance = any, .note = {}};
        double const scale = outside && extent.side > 1 ? 1 / extent.side : 1;
        double const prize_scale = richest > 1 ? 1 / richest : 1;
        if (outside) {
            for (Point& place : data.locs) {
                place = {static_cast<float>(scale * (double{place.x} - extent.left)),
                         static_cast<float>(scale * (double{place.y} - extent.bottom))};
            }
        }
        for (float& prize : data.prize) prize = static_cast<float>(prize_scale * double{prize});
        data.max_length = static_cast<float>(scale * double{data.max_length});
        auto instance = Instance::make(std::move(data));
        if (!instance) return instance.error();
        return InDomain{.instance = *std::move(instance),
                        .scale = scale,
                        .note =
                            fmt::format("The instance has places up to {:.6g} apart and prizes up to {:.6g}; policies "
                                        "are trained on the unit square and prizes up to 1. Its distances are "
                                        "multiplied by {:.4g} and its prizes by {:.4g}, which changes no tour; all "
                                        "numbers below are in these units.",
                                        extent.side, richest, scale, prize_scale)};
    }
};

} // namespace

Presentation const& presentation() {
    static OpPresentation const instance;
    return instance;
}

} // namespace cax::op
