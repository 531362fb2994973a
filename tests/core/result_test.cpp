#include "cax/core/result.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace cax {
namespace {

TEST(Result, HoldsAValueOrAnError) {
    Result<int> const good = 7;
    ASSERT_TRUE(good);
    EXPECT_EQ(*good, 7);
    Result<int> const bad = Error{ErrorCode::invalid_value, "demand -3 is negative"};
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::invalid_value);
}

TEST(Result, MovesTheValueOut) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
    std::unique_ptr<int> const value = *std::move(result);
    EXPECT_EQ(*value, 3);
}

TEST(Error, GainsItsPlaceFromTheOutside) {
    Error const error{ErrorCode::invalid_value, "demand -3 is negative"};
    EXPECT_EQ(error.within("customer 7").within("a.json").message, "a.json: customer 7: demand -3 is negative");
}

} // namespace
} // namespace cax
