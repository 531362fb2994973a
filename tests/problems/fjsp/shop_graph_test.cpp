// What the search believes about a move must be what it finds when it makes it.
#include "fjsp/shop_graph.hpp"
#include "shops.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax::fjsp {
namespace {

/// Jobs continued in any order, each on any of its machines.
ShopGraph random_graph(Instance const& shop, Rng& rng) {
    ShopGraph graph(shop);
    std::vector<std::size_t> next;
    for (std::size_t job = 0; job < shop.job_count(); ++job) next.push_back(shop.first_operation(job));
    for (std::size_t placed = 0; placed < shop.operation_count();) {
        std::size_t const job = rng.below(shop.job_count());
        if (next[job] > shop.last_operation(job)) continue;
        auto const ways = shop.alternatives(next[job]);
        graph.append(next[job]++, ways[rng.below(ways.size())].machine);
        ++placed;
    }
    EXPECT_TRUE(graph.refresh());
    return graph;
}

TEST(ShopGraph, IsASchedule) {
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        Rng rng(seed);
        auto const shop = cax::test::random_shop(seed, seed % 2 == 0);
        ShopGraph const graph = random_graph(*shop, rng);
        CheckReport const report = shop->check(graph.schedule());
        EXPECT_TRUE(report.valid());
        EXPECT_EQ(report.cost, graph.makespan());
    }
}

TEST(ShopGraph, MakesNoCycleWhereThereIsRoom) {
    std::size_t moves = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Rng rng(seed, 1);
        auto const shop = cax::test::random_shop(seed, false);
        ShopGraph const graph = random_graph(*shop, rng);
        for (std::size_t o = 0; o < shop->operation_count(); ++o) {
            ShopGraph without = graph;
            without.take_out(o);
            ASSERT_TRUE(without.refresh());
            for (auto const& way : shop->alternatives(o)) {
                auto const [first, last] = without.room_for(o, way.machine);
                for (std::size_t position = first; position <= last; ++position) {
                    ShopGraph with = without;
                    with.put(o, {way.machine, position});
                    ASSERT_TRUE(with.refresh()) << "a cycle";
                    EXPECT_GE(with.makespan(), without.makespan());
                    EXPECT_EQ(shop->check(with.schedule()).cost, with.makespan());
                    ++moves;
                }
            }
        }
    }
    EXPECT_GT(moves, 2000U);
}

TEST(ShopGraph, AlwaysHasRoomWhereTheOperationWas) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        Rng rng(seed, 2);
        auto const shop = cax::test::random_shop(seed, false);
        ShopGraph const graph = random_graph(*shop, rng);
        for (std::size_t o = 0; o < shop->operation_count(); ++o) {
            Place const place = graph.place_of(o);
            ShopGraph without = graph;
            without.take_out(o);
            ASSERT_TRUE(without.refresh());
            auto const [first, last] = without.room_for(o, place.machine);
            EXPECT_LE(first, last) << "there is always some room";
        }
    }
}

TEST(ShopGraph, HasASmoothMakespanThatNeverExceedsTheRealOne) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        Rng rng(seed, 3);
        auto const shop = cax::test::random_shop(seed, false);
        ShopGraph const graph = random_graph(*shop, rng);
        double sum = 0;
        std::vector<double> done(shop->machine_count(), 0);
        for (auto const& [operation, machine, start] : graph.schedule().entries)
            done[machine] = std::max(done[machine], start + double{shop->time(machine, operation)});
        for (double const each : done) sum += std::pow(each, 10) / static_cast<double>(done.size());
        EXPECT_NEAR(graph.smooth_makespan(), std::pow(sum, 0.1), 1e-9 * graph.makespan());
        EXPECT_LE(graph.smooth_makespan(), graph.makespan() * (1 + 1e-12));
    }
}

TEST(ShopGraph, NoticesOrdersThatContradictTheJobs) {
    auto const shop = cax::test::make_shop({.machines = 1, .jobs = {{{{0, 1}}, {{0, 1}}}}});
    ShopGraph graph(*shop);
    graph.append(1, 0);
    graph.append(0, 0);
    EXPECT_FALSE(graph.refresh());
}

} // namespace
} // namespace cax::fjsp
