#include "line.hpp"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace cax::serve {
namespace {

TEST(ServeLine, TurnsAwayWhatComesTooLate) {
    Line line;
    EXPECT_NE(line.join(5, true), nullptr);
    EXPECT_EQ(line.join(5, true), nullptr);
    EXPECT_EQ(line.join(4, false), nullptr);
    EXPECT_NE(line.join(6, false), nullptr);
}

TEST(ServeLine, CallsOffWhatALaterOneMakesWorthlessAndNothingElse) {
    Line line;
    auto const lasting = line.join(1, false);
    auto const passing = line.join(2, true);
    EXPECT_FALSE(passing->watch().stopped());
    auto const later = line.join(3, true);
    EXPECT_TRUE(passing->watch().stopped());
    EXPECT_FALSE(lasting->watch().stopped());
    line.close();
    EXPECT_TRUE(lasting->watch().stopped());
    EXPECT_TRUE(later->watch().stopped());
}

TEST(ServeLine, ServesOneAtATimeInOrder) {
    Line line;
    std::vector<std::unique_ptr<Line::Place>> places;
    for (std::uint64_t i = 1; i <= 8; ++i) places.push_back(line.join(i, false));
    std::vector<std::size_t> order; // no lock: one at a time is what is tested (and what thread sanitizer sees)
    std::vector<std::thread> threads;
    for (std::size_t i = places.size(); i-- > 0;) {
        threads.emplace_back([&, i] {
            places[i]->wait();
            order.push_back(i);
            places[i].reset();
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(ServeLine, LetsOthersPassOneThatStepsAside) {
    Line line;
    auto const slow = line.join(1, true);
    slow->wait();
    slow->step_aside();
    auto const next = line.join(2, false);
    next->wait(); // would wait for ever
    EXPECT_TRUE(slow->watch().stopped());
}

} // namespace
} // namespace cax::serve
