#include "cax/explain/price.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

Alternative action(std::size_t number, CostStatus status, std::optional<double> cost = {},
                   std::optional<double> bound = {}) {
    Alternative each;
    each.action = number;
    each.allowed = true;
    each.status = status;
    each.cost = cost;
    each.bound = status == CostStatus::proved ? cost : bound;
    return each;
}

/// Action 0 is the chosen one.
Alternatives table(std::vector<Alternative> all) {
    Alternatives made;
    made.all = std::move(all);
    return made;
}

Price price(Alternatives const& of, Objective objective = Objective::minimise) {
    auto const found = price_of_choice(of, objective);
    EXPECT_TRUE(found);
    return found.value_or(Price{});
}

TEST(PriceOfAChoice, IsNotKnownWhileAnActionHasNeitherCostNorBound) {
    Price const found = price(table({action(0, CostStatus::proved, 10), action(1, CostStatus::proved, 10),
                                     action(2, CostStatus::unpriced)}));
    EXPECT_EQ(found.given_away, std::nullopt);
    EXPECT_EQ(found.at_most, std::nullopt);
    EXPECT_EQ(found.at_least, 0);
    EXPECT_EQ(found.found, 0);
    EXPECT_EQ(found.compared, 2U);
    EXPECT_EQ(found.allowed, 3U);
    EXPECT_FALSE(found.of_all());
}

TEST(PriceOfAChoice, IsAtLeastWhatAKnownPlanIsBetterByWhateverTheOthersCost) {
    Price const found = price(table({action(0, CostStatus::proved, 10), action(1, CostStatus::search, 8),
                                     action(2, CostStatus::unpriced)}));
    EXPECT_EQ(found.at_least, 2);
    EXPECT_EQ(found.at_most, std::nullopt);
    EXPECT_EQ(found.given_away, std::nullopt);
    EXPECT_EQ(found.instead, 1U);
}

TEST(PriceOfAChoice, LiesBetweenCostsAndBounds) {
    Price const found = price(table({action(0, CostStatus::bounded, 10, 9), action(1, CostStatus::bounded, 8, 7),
                                     action(2, CostStatus::proved, 11)}));
    EXPECT_EQ(found.at_least, 1); // 9 - 8
    EXPECT_EQ(found.at_most, 3);  // 10 - 7
    EXPECT_EQ(found.given_away, std::nullopt);
    EXPECT_EQ(found.found, 2);
    EXPECT_TRUE(found.of_all());
}

TEST(PriceOfAChoice, IsNothingWhereNoBoundIsBetterThanWhatIsReached) {
    for (auto const& [objective, sign] : {std::pair{Objective::minimise, 1.0}, std::pair{Objective::maximise, -1.0}}) {
        Price const found = price(table({action(0, CostStatus::bounded, sign * 10, sign * 10),
                                         action(1, CostStatus::bounded, sign * 12, sign * 10.5)}),
                                  objective);
        EXPECT_EQ(found.given_away, 0);
        EXPECT_EQ(found.at_most, 0);
    }
}

TEST(PriceOfAChoice, DoesNotCallTheSameSumInAnotherOrderBetter) {
    double const sum = 0.1 + 0.2 + 0.3;
    double const other = 0.3 + 0.2 + 0.1;
    ASSERT_NE(sum, other);
    Alternatives const both = table({action(0, CostStatus::proved, sum), action(1, CostStatus::proved, other)});
    EXPECT_EQ(price(both).given_away, 0);
    EXPECT_EQ(price(both).found, 0);
    EXPECT_EQ(worse_by(both, both.all[1], Objective::minimise), 0);
}

TEST(PriceOfAChoice, CountsActionsThatLeadNowhereAsCompared) {
    Alternative lost = action(2, CostStatus::unpriced);
    lost.impossible = true;
    Alternative forbidden = action(3, CostStatus::unpriced);
    forbidden.allowed = false;
    Price const found =
        price(table({action(0, CostStatus::proved, 10), action(1, CostStatus::proved, 9), lost, forbidden}));
    EXPECT_EQ(found.given_away, 1);
    EXPECT_EQ(found.compared, 3U);
    EXPECT_EQ(found.allowed, 3U);
}

} // namespace
} // namespace cax
