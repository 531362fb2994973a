#include "support.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace cax::op::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> violations(Data const& data, std::vector<std::vector<std::size_t>> const& routes) {
    return make(data)->check(Solution{Routes{routes}}).violations;
}

TEST(OpCheck, AcceptsATourAndAddsUpItsPrizes) {
    auto const report = make(three_customers())->check(Solution{Routes{{{1, 2}}}});
    EXPECT_THAT(report.violations, IsEmpty());
    EXPECT_DOUBLE_EQ(report.cost, 3);
}

TEST(OpCheck, AcceptsTheEmptyTour) {
    EXPECT_THAT(violations(three_customers(), {{}}), IsEmpty());
    EXPECT_THAT(violations(three_customers(), {}), IsEmpty());
    EXPECT_EQ(make(three_customers())->check(Solution{Routes{}}).cost, 0);
}

TEST(OpCheck, NamesATourThatIsTooLong) {
    EXPECT_THAT(violations(three_customers(), {{1, 3}}), ElementsAre("the tour has length 25.5440037, more than 25"));
}

TEST(OpCheck, NamesCustomersThatAreRepeatedOrUnknown) {
    Data data = three_customers();
    data.max_length = 100;
    EXPECT_THAT(violations(data, {{1, 2, 1}}), ElementsAre("customer 1 is visited 2 times"));
    EXPECT_THAT(violations(data, {{1, 4}}), ElementsAre("there is no customer 4 (customers are 1 to 3)"));
    EXPECT_THAT(violations(data, {{0, 1}}), ElementsAre("there is no customer 0 (customers are 1 to 3)"));
}

TEST(OpCheck, RefusesMoreThanOneTourAndSchedules) {
    EXPECT_THAT(violations(three_customers(), {{1}, {2}}), ElementsAre("there are 2 routes: a solution is one tour"));
    EXPECT_THAT(make(three_customers())->check(Solution{Schedule{}}).violations,
                ElementsAre("the solution is no tour"));
}

TEST(OpCheck, AcceptsATourOfExactlyTheLimit) {
    Data data = three_customers();
    data.max_length = 20;
    EXPECT_THAT(violations(data, {{1, 2}}), IsEmpty());
    data.max_length = 19.99999F;
    EXPECT_EQ(violations(data, {{1, 2}}).size(), 1);
}

TEST(OpCheck, RoundsDistancesAsTheLiteratureDoes) {
    Data data = three_customers();
    data.locs = {{0, 0}, {1, 1}, {2, 2}, {3, 3}}; // steps of 1.41421356
    data.max_length = 7;
    auto const instance = make(data);
    Solution const tour{Routes{{{1, 2, 3}}}};
    EXPECT_FALSE(instance->check(tour).valid());                                   // 8.485
    EXPECT_FALSE(instance->check(tour, DistanceRule::truncated_to_tenth).valid()); // 8.4
    EXPECT_TRUE(instance->check(tour, DistanceRule::nearest_integer).valid());     // 1 + 1 + 1 + 4
}

} // namespace
} // namespace cax::op::test
