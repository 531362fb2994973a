#pragma once
// Ways through sets of nodes as exact methods grow them, one visit at a time, and all ways of one size, in an
// open-addressed table into a list.
#include "tour.hpp"

#include <algorithm>

namespace cax::routing {

/// Of the ways with the same nodes (`visited`) and the same end (`last`) none that another undercuts in `length` and,
/// if ways have it, in `time`.
template <class Way> class WayLayer {
public:
    /// What matters. Precondition: ways have a time, or it does not matter.
    explicit WayLayer(bool by_length = true, bool by_time = false)
        : by_length_(by_length), by_time_(by_time), slots_(1024, empty) {}

    void offer(Way const& way) {
        if (2 * (ways_.size() + 1) > slots_.size()) grow();
        std::size_t slot = first_slot(way);
        for (;; slot = (slot + 1) & (slots_.size() - 1)) {
            if (slots_[slot] == empty) break;
            Way& other = ways_[slots_[slot]];
            if (other.visited != way.visited || other.last != way.last) continue;
            bool const shorter = !by_length_ || way.length < other.length,
                       longer = !by_length_ || way.length >= other.length;
            bool sooner = true, later = true;
            if constexpr (requires { way.time; }) {
                sooner = !by_time_ || way.time < other.time;
                later = !by_time_ || way.time >= other.time;
            }
            if (longer && later) return;
            if (shorter && sooner) {
                other = way;
                return;
            }
        }
        slots_[slot] = static_cast<std::uint32_t>(ways_.size());
        ways_.push_back(way);
    }
    [[nodiscard]] std::vector<Way>& ways() { return ways_; }

private:
    static constexpr std::uint32_t empty = static_cast<std::uint32_t>(-1);
    [[nodiscard]] std::size_t first_slot(Way const& way) const {
        std::uint64_t const hash = (way.visited * 64 + way.last) * 0x9E3779B97F4A7C15U;
        return (hash >> 20U) & (slots_.size() - 1);
    }
    void grow() {
        slots_.assign(2 * slots_.size(), empty);
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            std::size_t slot = first_slot(ways_[i]);
            while (slots_[slot] != empty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<std::uint32_t>(i);
        }
    }

    bool by_length_, by_time_;
    std::vector<Way> ways_;
    std::vector<std::uint32_t> slots_;
};

/// Grows ways from rules.root(), all of one size before the next. rules.arrives(way): it answers the question;
/// rules.any_will_do(): and nobody need look for a better one; rules.extend(way, its place in its layer, next) offers
/// what it grows into, to a layer that began as rules.empty_layer(). Ways have `last`, a place in `left`, and `before`,
/// their beginning's place in the layer before.
template <class Rules>
[[nodiscard]] TourAnswer grow_ways(Rules& rules, std::span<std::size_t const> left, std::uint64_t work,
                                   std::function<bool()> const& stop) {
    std::vector<std::vector<decltype(rules.root())>> layers;
    layers.push_back({rules.root()});
    std::optional<std::pair<std::size_t, std::size_t>> found; // layer and place in it
    TourAnswer answer;
    auto const finish = [&] {
        answer.outcome = found ? ExactAnswer::Outcome::found : ExactAnswer::Outcome::none;
        for (auto [layer, index] = found.value_or(std::pair<std::size_t, std::size_t>()); layer > 0; --layer) {
            answer.order.push_back(left[layers[layer][index].last]);
            index = layers[layer][index].before;
        }
        std::ranges::reverse(answer.order);
        return answer;
    };
    while (!layers.back().empty()) {
        auto next = rules.empty_layer();
        for (std::size_t i = 0; i < layers.back().size(); ++i) {
            auto const& way = layers.back()[i];
            if (rules.arrives(way)) found.emplace(layers.size() - 1, i);
            if (found && rules.any_will_do()) return finish();
            if (answer.work == work) return answer;
            if (answer.work % 4096 == 4095 && stop && stop()) {
                answer.outcome = ExactAnswer::Outcome::stopped;
                return answer;
            }
            ++answer.work;
            rules.extend(way, static_cast<std::uint32_t>(i), next);
        }
        layers.push_back(std::move(next.ways()));
    }
    return finish();
}

} // namespace cax::routing
