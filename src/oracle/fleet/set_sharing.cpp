#include "set_sharing.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace cax::oracle {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_sets = 3'000'000;

struct PricedRoute {
    CustomerSet set = 0; ///< of places in the order
    double reduced = 0;
    std::uint32_t column = 0;
};

/// A set that is covered, and how.
struct Covered {
    CustomerSet set = 0;
    double reduced = 0;
    std::uint32_t column = none; ///< the last route
    std::uint32_t before = none; ///< what was covered before it
};

class Sharing {
public:
    Sharing(std::vector<Column> const& pool, PoolTask const& task, std::vector<std::size_t> const& order, Work& work)
        : pool_(pool), task_(task), work_(work), routes_(task.rows), waiting_(task.rows + 1) {
        std::vector<std::size_t> place(task.rows);
        for (std::size_t p = 0; p < order.size(); ++p) place[order[p]] = p;
        for (std::size_t k = 0; k < pool.size(); ++k) {
            PricedRoute route{0, pool[k].length, static_cast<std::uint32_t>(k)};
            for_each(pool[k].set, [&](std::size_t row) {
                route.reduced -= task.prices[row];
                route.set |= bit(place[row]);
            });
            routes_[static_cast<std::size_t>(std::countr_zero(route.set))].push_back(route);
        }
        for (auto& each : routes_) std::ranges::stable_sort(each, {}, &PricedRoute::reduced);
        gap_ = task.limit * (1 - sum_rounding);
        for (double const price : task.prices) gap_ -= price;
    }

    [[nodiscard]] PoolAnswer run() {
        PoolAnswer answer;
        waiting_[0].push_back({});
        for (std::size_t first = 0; first < task_.rows; ++first) {
            std::size_t const from = kept_.size();
            keep_cheapest(waiting_[first]);
            for (std::size_t k = from; k < kept_.size(); ++k) {
                extend(k, first);
                if (work_.exhausted() || waiting_count_ > most_sets) return answer;
            }
        }
        keep_cheapest(waiting_[task_.rows]);
        answer.complete = true;
        answer.bound = task_.limit;
        if (kept_.back().column == none || std::popcount(kept_.back().set) < static_cast<int>(task_.rows)) return answer;
        answer.chosen.emplace();
        for (Covered const* last = &kept_.back(); last->column != none; last = &kept_[last->before]) {
            answer.chosen->push_back(last->column);
            answer.length += pool_[last->column].length;
        }
        answer.bound = answer.length;
        return answer;
    }

private:
    void extend(std::size_t k, std::size_t first) {
        Covered const from = kept_[k];
        std::size_t looked_at = 0;
        for (PricedRoute const& route : routes_[first]) {
            double const sum = from.reduced + route.reduced;
            if (sum >= gap_) break;
            ++looked_at;
            if ((from.set & route.set) != 0) continue;
            CustomerSet const set = from.set | route.set;
            waiting_[static_cast<std::size_t>(std::countr_one(set))].push_back(
                {set, sum, route.column, static_cast<std::uint32_t>(k)});
            ++waiting_count_;
        }
        work_.spend(2 + looked_at / 2);
    }

    void keep_cheapest(std::vector<Covered>& waiting) {
        std::ranges::sort(waiting, {}, [](Covered const& each) {
            return std::tuple(each.set, each.reduced, each.column, each.before);
        });
        work_.spend(8 * waiting.size());
        for (std::size_t k = 0; k < waiting.size(); ++k) {
            if (k == 0 || waiting[k].set != waiting[k - 1].set) kept_.push_back(waiting[k]);
        }
        waiting = {};
    }

    std::vector<Column> const& pool_;
    PoolTask const& task_;
    Work& work_;
    double gap_ = 0;
    std::vector<std::vector<PricedRoute>> routes_;  ///< by their first row, the cheapest first
    std::vector<std::vector<Covered>> waiting_;     ///< by the first row that is not covered
    std::size_t waiting_count_ = 0;
    std::vector<Covered> kept_;
};

} // namespace

PoolAnswer share_sets(std::vector<Column> const& pool, PoolTask const& task, std::vector<std::size_t> const& order,
                      Work& work) {
    assert(!task.vehicles && order.size() == task.rows);
    return Sharing(pool, task, order, work).run();
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
