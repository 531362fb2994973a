#include "cax/core/same_cost.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

TEST(SameCost, HoldsForSumsInAnotherOrderAndForNothingThatCanBeSeen) {
    EXPECT_TRUE(same_cost(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1));
    EXPECT_TRUE(same_cost(0, 0));
    EXPECT_TRUE(same_cost(1, 1 + 0.9e-9));
    EXPECT_FALSE(same_cost(1, 1 + 1.1e-9));
    EXPECT_FALSE(same_cost(0, 1e-300));
    EXPECT_FALSE(same_cost(-1, 1));
}

} // namespace
} // namespace cax
