// Routes of a pool, shared out in three ways: all of them tried, by sets, and by branch and bound.
#include "pool_search.hpp"
#include "rank_one_cuts.hpp"
#include "set_sharing.hpp"

#include "cax/core/rng.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <set>

namespace cax::oracle {
namespace {

constexpr std::size_t rows = 14;
constexpr double nothing = std::numeric_limits<double>::infinity();

/// Different sets of two to four rows, each nearly as good per row: the linear program has fractional solutions.
std::vector<Column> random_pool(std::size_t count, Rng& rng) {
    std::set<CustomerSet> sets;
    std::vector<Column> pool;
    while (pool.size() < count) {
        CustomerSet set = 0;
        std::size_t const size = 2 + rng.below(3);
        while (std::popcount(set) < static_cast<int>(size)) set |= bit(rng.below(rows));
        if (!sets.insert(set).second) continue;
        pool.push_back({.set = set, .length = static_cast<double>(size) + 0.6 * rng.uniform(), .customers = {}});
    }
    return pool;
}

double least(std::vector<Column> const& pool, CustomerSet covered, std::size_t vehicles) {
    if (covered == bit(rows) - 1) return 0;
    if (vehicles == 0) return nothing;
    double best = nothing;
    for (Column const& column : pool) {
        bool const next = (column.set & covered) == 0 && (column.set >> std::countr_one(covered) & 1) != 0;
        if (next) best = std::min(best, column.length + least(pool, covered | column.set, vehicles - 1));
    }
    return best;
}

void expect_best(PoolAnswer const& answer, std::vector<Column> const& pool, double best, double limit) {
    ASSERT_TRUE(answer.complete);
    ASSERT_EQ(answer.chosen.has_value(), best < limit);
    if (!answer.chosen) {
        EXPECT_NEAR(answer.bound, limit, 1e-6);
        return;
    }
    EXPECT_NEAR(answer.length, best, 1e-6);
    CustomerSet covered = 0;
    for (std::size_t const k : *answer.chosen) {
        EXPECT_EQ(covered & pool[k].set, 0U);
        covered |= pool[k].set;
    }
    EXPECT_EQ(covered, bit(rows) - 1);
}

void expect_shared(std::vector<Column> const& pool, PoolTask const& task, double best, Work& work) {
    std::vector<PricedRoute> routes;
    for (std::size_t k = 0; k < pool.size(); ++k)
        routes.push_back({pool[k].set, pool[k].length, pool[k].length, static_cast<std::uint32_t>(k)});
    Shared const shared = share_sets(routes, task.order, {task.limit, 1'000'000}, work);
    ASSERT_TRUE(shared.complete);
    ASSERT_EQ(shared.chosen.has_value(), best < task.limit);
    if (!shared.chosen) return;
    double length = 0;
    for (std::size_t const k : *shared.chosen) length += pool[k].length;
    EXPECT_NEAR(length, best, 1e-9);
    EXPECT_FALSE(share_sets(routes, task.order, {task.limit, 3}, work).complete);
}

TEST(Pools, AreSharedOutAsByTryingEverything) {
    std::size_t solved = 0;
    std::size_t unsolved = 0;
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
        Rng rng(seed, 1);
        auto const pool = random_pool(60 + rng.below(100), rng);
        double const limit = 14.2 + 1.2 * rng.uniform();
        PoolTask task{.rows = rows,
                      .vehicles = {},
                      .limit = limit,
                      .order = {},
                      .prices = std::vector<double>(rows, 0.0),
                      .begin_with = {},
                      .sets = 5 + rng.below(60)}; // often too few
        double const best = least(pool, 0, rows);
        (best < limit ? solved : unsolved) += 1;
        task.order.resize(rows);
        std::iota(task.order.begin(), task.order.end(), std::size_t{0});
        std::ranges::rotate(task.order, task.order.begin() + static_cast<std::ptrdiff_t>(rng.below(rows)));
        Work work(1'000'000'000);
        expect_shared(pool, task, best, work);
        auto const searched = search_pool(pool, task, work);
        ASSERT_TRUE(searched) << searched.error().message;
        expect_best(*searched, pool, best, limit);
        task.vehicles = rows; // no limit, but by branch and bound alone
        auto const branched = search_pool(pool, task, work);
        ASSERT_TRUE(branched) << branched.error().message;
        expect_best(*branched, pool, best, limit);
        task.vehicles = 4 + rng.below(2);
        auto const limited = search_pool(pool, task, work);
        ASSERT_TRUE(limited) << limited.error().message;
        expect_best(*limited, pool, least(pool, 0, *task.vehicles), limit);
    }
    EXPECT_GT(solved, 20U);
    EXPECT_GT(unsolved, 10U);
}

TEST(Cuts, AreMetByEverySolutionOfWholeRoutesAndBrokenByTheFractionalOne) {
    std::size_t found = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Rng rng(seed, 2);
        auto const pool = random_pool(30, rng);
        std::vector<RoutePart> parts;
        for (std::size_t k = 0; k < 8; ++k) parts.push_back({pool[k].set, 0.5});
        for (RankOneCut const& cut : broken_cuts(parts, rows, 50)) {
            ++found;
            double activity = 0;
            for (RoutePart const& part : parts) activity += part.value * cut.coefficient(part.set);
            EXPECT_GT(activity, cut.most);
            // Every way to split all rows among routes: subsets of the cut's rows are all that matters.
            for (int trial = 0; trial < 50; ++trial) {
                std::vector<CustomerSet> routes(1 + rng.below(4), 0);
                for (std::size_t row = 0; row < rows; ++row) routes[rng.below(routes.size())] |= bit(row);
                int sum = 0;
                for (CustomerSet const route : routes) sum += cut.coefficient(route);
                EXPECT_LE(sum, cut.most);
            }
        }
    }
    EXPECT_GT(found, 50U);
}

} // namespace
} // namespace cax::oracle
