#include "set_sharing.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace cax::oracle {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
/// A set that is covered, and how.
struct Covered {
    CustomerSet set = 0;
    double length = 0;
    double reduced = 0;
    std::uint32_t column = none; ///< the last route
    std::uint32_t before = none; ///< what was covered before it
};

class Sharing {
public:
    Sharing(std::span<PricedRoute const> routes, std::vector<std::size_t> const& order, SharingLimits const& limits,
            Work& work)
        : limits_(limits), work_(work), routes_(order.size()), waiting_(order.size() + 1) {
        std::vector<std::size_t> place(order.size());
        for (std::size_t p = 0; p < order.size(); ++p) place[order[p]] = p;
        for (PricedRoute route : routes) {
            CustomerSet places = 0;
            for_each(route.set, [&](std::size_t row) { places |= bit(place[row]); });
            route.set = places;
            routes_[static_cast<std::size_t>(std::countr_zero(places))].push_back(route);
        }
        for (auto& each : routes_) std::ranges::stable_sort(each, {}, &PricedRoute::reduced);
    }

    [[nodiscard]] Shared run() {
        Shared result;
        std::size_t const rows = routes_.size();
        waiting_[0].push_back({});
        for (std::size_t first = 0; first < rows; ++first) {
            std::size_t const from = kept_.size();
            keep_shortest(waiting_[first]);
            for (std::size_t k = from; k < kept_.size(); ++k) {
                extend(k, first);
                if (work_.exhausted() || waiting_count_ > limits_.sets) return result;
            }
        }
        keep_shortest(waiting_[rows]);
        result.complete = true;
        if (std::popcount(kept_.back().set) < static_cast<int>(rows)) return result;
        result.chosen.emplace();
        for (Covered const* last = &kept_.back(); last->column != none; last = &kept_[last->before])
            result.chosen->push_back(last->column);
        return result;
    }

private:
    void extend(std::size_t k, std::size_t first) {
        Covered const from = kept_[k];
        std::size_t looked_at = 0;
        for (PricedRoute const& route : routes_[first]) {
            double const sum = from.reduced + route.reduced;
            if (sum >= limits_.gap) break;
            ++looked_at;
            if ((from.set & route.set) != 0) continue;
            CustomerSet const set = from.set | route.set;
            waiting_[static_cast<std::size_t>(std::countr_one(set))].push_back(
                {set, from.length + route.length, sum, route.column, static_cast<std::uint32_t>(k)});
            ++waiting_count_;
        }
        work_.spend(2 + looked_at / 2);
    }

    /// The shortest way to cover a set. It is not dropped where a longer one would stay: whatever it becomes part of is
    /// shorter, and below the gap if the other is.
    void keep_shortest(std::vector<Covered>& waiting) {
        std::ranges::sort(waiting, {}, [](Covered const& each) {
            return std::tuple(each.set, each.length, each.reduced, each.column, each.before);
        });
        work_.spend(8 * waiting.size());
        for (std::size_t k = 0; k < waiting.size(); ++k) {
            if (k == 0 || waiting[k].set != waiting[k - 1].set) kept_.push_back(waiting[k]);
        }
        waiting = {};
    }

    SharingLimits const& limits_;
    Work& work_;
    std::vector<std::vector<PricedRoute>> routes_;  ///< by their first row, the cheapest first
    std::vector<std::vector<Covered>> waiting_;     ///< by the first row that is not covered
    std::size_t waiting_count_ = 0;
    std::vector<Covered> kept_;
};

} // namespace

Shared share_sets(std::span<PricedRoute const> routes, std::vector<std::size_t> const& order,
                  SharingLimits const& limits, Work& work) {
    return Sharing(routes, order, limits, work).run();
}

std::vector<std::size_t> chain_of_rows(Rest const& rest) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < rest.customers(); ++i) left.push_back(i);
    std::vector<std::size_t> order;
    if (rest.under_way()) order.push_back(rest.customers());
    std::size_t here = rest.under_way() ? rest.start() : rest.depot();
    bool farthest = !rest.under_way();
    while (!left.empty()) {
        auto const next = std::ranges::min_element(
            left, {}, [&](std::size_t i) { return rest.distance(here, i) * (farthest ? -1 : 1); });
        farthest = false;
        here = *next;
        order.push_back(here);
        left.erase(next);
    }
    return order;
}

} // namespace cax::oracle
