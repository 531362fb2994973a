#include "cax/io/solutions.hpp"

#include <gtest/gtest.h>

namespace cax::io {
namespace {

std::string sol_refusal(std::string_view text) {
    auto const file = parse_sol(text);
    return file ? "accepted" : file.error().message;
}

TEST(SolFile, HoldsRoutesAndTheirCost) {
    auto const file = parse_sol("Route #1: 3 7 1\r\nRoute #2: 2\r\n\r\nCost 827.3\r\n");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->routes.routes, (std::vector<std::vector<std::size_t>>{{3, 7, 1}, {2}}));
    EXPECT_EQ(file->cost, 827.3);
}

TEST(SolFile, MayLackTheCost) {
    auto const file = parse_sol("Route #1: 1");
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->cost.has_value());
}

TEST(SolFile, ComesBackAsItWasWritten) {
    SolFile const file{.routes = {{{3, 7, 1}, {}, {12}}}, .cost = 0.1 + 0.2};
    auto const again = parse_sol(format_sol(file));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->routes, file.routes);
    EXPECT_EQ(again->cost, file.cost);
    EXPECT_EQ(format_sol({.routes = {{{3, 7}}}, .cost = 12.5}), "Route #1: 3 7\nCost 12.5\n");
}

TEST(SolFile, IsRefusedWithTheLine) {
    EXPECT_EQ(sol_refusal("Route #1: 1\nRoute #2: 1 x\n"), "line 2: 'x' is no customer");
    EXPECT_EQ(sol_refusal("Route #1: 0 1"), "line 1: '0' is no customer");
    EXPECT_EQ(sol_refusal("Route #1: -1"), "line 1: '-1' is no customer");
    EXPECT_EQ(sol_refusal("Route #1: 99999999999999999999"), "line 1: '99999999999999999999' is no customer");
    EXPECT_EQ(sol_refusal("Route 1"), "line 1: Route without a colon");
    EXPECT_EQ(sol_refusal("Route #1: 1\nCost nan"), "line 2: cost 'nan' is no number");
    EXPECT_EQ(sol_refusal("Route #1: 1\nCost 1e999"), "line 2: cost '1e999' is no number");
    EXPECT_EQ(sol_refusal("Route #1: 1\nCost 1\nCost 2"), "line 3: a second cost");
    EXPECT_EQ(sol_refusal("Route #1: 1\nCost 1 2"), "line 2: something behind the cost");
    EXPECT_EQ(sol_refusal("Rotue #1: 1"), "line 1: 'Rotue' is neither Route nor Cost");
    EXPECT_EQ(sol_refusal("Cost 5"), "no routes");
    EXPECT_EQ(sol_refusal(""), "no routes");
}

} // namespace
} // namespace cax::io
