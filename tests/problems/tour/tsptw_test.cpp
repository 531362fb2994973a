#include "tour_support.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/tsptw/instance.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace cax::test {
namespace {

/// On a line at 1, 2 and 3; the farthest is open only at the beginning.
InstancePtr line(std::vector<routing::Window> windows = {{0, 20}, {5, 9}, {0, 20}, {0, 3}}) {
    auto const instance = tsptw::Instance::make(
        {.name = "line", .locs = {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, .time_windows = std::move(windows)});
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

TEST(Tsptw, WaitsForAWindowAndGoesOnWhenItIsLate) {
    auto const instance = line();
    auto const state = instance->reset();
    state->step(3);
    state->step(1); // arrives at 5
    state->step(2);
    EXPECT_TRUE(state->done());
    EXPECT_EQ(tensors_of(*state).at("current_time").as_double(0), 6);
    EXPECT_DOUBLE_EQ(state->cost(), 3 + 2 + 1 + 2);
    EXPECT_THAT(wrong_with(*instance, {3, 1, 2}), testing::IsEmpty());
    EXPECT_THAT(wrong_with(*instance, {2, 3, 1}), testing::IsEmpty());
    EXPECT_THAT(wrong_with(*instance, {1, 2, 3}),
                testing::ElementsAre("customer 3: arrival at 7, after the window closed at 3"));
    EXPECT_THAT(wrong_with(*instance, {3, 1}), testing::ElementsAre("customer 2 is not visited"));
}

TEST(Tsptw, LooksOneVisitAheadWithoutForbiddingIt) {
    auto const state = line()->reset();
    EXPECT_EQ(std::vector<int>(state->action_mask().begin(), state->action_mask().end()), (std::vector{0, 1, 1, 1}));
    auto const seen = std::get<GraphObservation>(state->observe());
    EXPECT_EQ(seen.lookahead, (ActionMask{0, 0, 1, 1})); // waiting for customer 1 misses customer 3
    auto const hopeless = line({{0, 20}, {5, 9}, {0, 3}, {0, 3}})->reset();
    hopeless->step(1);
    EXPECT_EQ(std::get<GraphObservation>(hopeless->observe()).lookahead, (ActionMask{0, 0, 1, 1})); // everything
}

TEST(Tsptw, ShowsWindowsInUnitsOfTheDay) {
    auto const state = line()->reset();
    auto const seen = std::get<GraphObservation>(state->observe());
    std::vector<double> const row(seen.customers.row(1).begin(), seen.customers.row(1).end());
    EXPECT_EQ(row, (std::vector<double>{1, 0, 5.0 / 20, 9.0 / 20}));
    EXPECT_EQ(seen.customers.rows(), 4);
    EXPECT_EQ(state->instance().problem().info().tensors[1].unit_node, 0);
}

TEST(Tsptw, OffersEverybodyWhoIsLeftAndLooksAheadByTheDefinition) {
    expect_masks("tsptw",
                 [](Instance const& any, std::vector<std::size_t> const& actions) {
                     auto const& data = dynamic_cast<tsptw::Instance const&>(any).data();
                     auto const way = [&](std::size_t a, std::size_t b) {
                         float const dx = data.locs[a].x - data.locs[b].x, dy = data.locs[a].y - data.locs[b].y;
                         return std::sqrt(std::fma(dy, dy, dx * dx));
                     };
                     auto const state = any.reset();
                     std::vector<int> mask(data.locs.size(), 1);
                     mask[0] = 0;
                     float time = 0;
                     std::size_t here = 0;
                     for (std::size_t const a : actions) {
                         state->step(a);
                         time = std::max(time + way(here, a), data.time_windows[a].open);
                         mask[a] = 0;
                         here = a;
                     }
                     ActionMask careful(mask.begin(), mask.end());
                     for (std::size_t j = 1; j < mask.size(); ++j) {
                         for (std::size_t k = 1; k < mask.size(); ++k) {
                             if (mask[j] == 0 || mask[k] == 0 || j == k) continue;
                             float const leaves = std::max(time + way(here, j), data.time_windows[j].open);
                             float const starts = std::max(leaves + way(j, k), data.time_windows[k].open);
                             if (starts > data.time_windows[k].close + 1e-4F) careful[j] = 0;
                         }
                     }
                     if (std::ranges::count(careful, 1) == 0) careful.assign(mask.begin(), mask.end());
                     EXPECT_EQ(std::get<GraphObservation>(state->observe_for_decoding()).lookahead, careful);
                     return mask;
                 },
                 200, {{"hardness", "medium"}});
}

TEST(Tsptw, DrawsHardWindowsAroundATourThatKeepsThem) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        auto const instance = generated_tour("tsptw", 8, seed);
        EXPECT_TRUE(cheapest_by_trying(*instance).has_value()) << "seed " << seed;
        auto const& data = dynamic_cast<tsptw::Instance const&>(*instance).data();
        for (std::size_t i = 1; i < data.locs.size(); ++i) {
            EXPECT_LE(data.time_windows[i].close - data.time_windows[i].open, 1);
            EXPECT_LE(data.time_windows[i].close, data.time_windows[0].close);
        }
    }
}

TEST(Tsptw, DrawsWindowsOfTheLengthThatItsHardnessSays) {
    for (auto const& [hardness, low, high] : {std::tuple{"easy", 0.5, 0.75}, std::tuple{"medium", 0.1, 0.2}}) {
        auto const instance = generated_tour("tsptw", 40, 3, {{"hardness", hardness}});
        auto const& data = dynamic_cast<tsptw::Instance const&>(*instance).data();
        double const day = 55 * 40 / 100.0;
        for (std::size_t i = 1; i < data.locs.size(); ++i) {
            auto const [open, close] = data.time_windows[i];
            EXPECT_GE(open, 0);
            EXPECT_LT(open, day);
            EXPECT_GE(close - open, low * day - 0.02);
            EXPECT_LE(close - open, high * day + 0.02);
        }
    }
}

} // namespace
} // namespace cax::test
