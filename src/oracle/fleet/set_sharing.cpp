#include "set_sharing.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace cax::oracle {
namespace {

constexpr std::uint32_t no_route = std::numeric_limits<std::uint32_t>::max();

struct PricedRoute {
    CustomerSet set = 0;
    double reduced = 0;
    std::uint32_t column = 0;
};

/// By the lowest row, the cheapest first.
std::vector<std::vector<PricedRoute>> priced(std::vector<Column> const& pool, PoolTask const& task) {
    std::vector<std::vector<PricedRoute>> routes(task.rows);
    for (std::size_t k = 0; k < pool.size(); ++k) {
        PricedRoute route{pool[k].set, pool[k].length, static_cast<std::uint32_t>(k)};
        for_each(route.set, [&](std::size_t row) { route.reduced -= task.prices[row]; });
        routes[static_cast<std::size_t>(std::countr_zero(route.set))].push_back(route);
    }
    for (auto& each : routes) std::ranges::stable_sort(each, {}, &PricedRoute::reduced);
    return routes;
}

} // namespace

PoolAnswer share_sets(std::vector<Column> const& pool, PoolTask const& task, Work& work) {
    assert(task.rows <= most_shared_rows && !task.vehicles);
    constexpr CustomerSet between_looks = 1024;
    PoolAnswer answer;
    double gap = task.limit * (1 - sum_rounding);
    for (double const price : task.prices) gap -= price;
    auto const routes = priced(pool, task);
    CustomerSet const all = bit(task.rows) - 1;
    std::vector<double> reduced(all + 1, gap);
    std::vector<std::uint32_t> last(all + 1, no_route);
    reduced[0] = 0;
    work.spend(all / 8);
    for (CustomerSet set = 0; set < all; ++set) {
        if (set % between_looks == 0 && work.exhausted()) return answer;
        if (set != 0 && last[set] == no_route) continue;
        auto const& next = routes[static_cast<std::size_t>(std::countr_one(set))];
        std::size_t looked_at = 0;
        for (PricedRoute const& route : next) {
            double const sum = reduced[set] + route.reduced;
            if (sum >= gap) break;
            ++looked_at;
            CustomerSet const covered = set | route.set;
            if ((set & route.set) != 0 || sum >= reduced[covered]) continue;
            reduced[covered] = sum;
            last[covered] = route.column;
        }
        work.spend(1 + looked_at / 4);
    }
    answer.complete = true;
    answer.bound = task.limit;
    if (last[all] == no_route) return answer;
    answer.chosen.emplace();
    for (CustomerSet set = all; set != 0; set ^= pool[last[set]].set) {
        answer.chosen->push_back(last[set]);
        answer.length += pool[last[set]].length;
    }
    answer.bound = answer.length;
    return answer;
}

} // namespace cax::oracle
