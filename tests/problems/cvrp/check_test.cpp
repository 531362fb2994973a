#include "support.hpp"

#include <gmock/gmock.h>

namespace cax::cvrp::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> violations(std::vector<std::vector<std::size_t>> const& routes) {
    return make(three_customers())->check(Solution{Routes{routes}}).violations;
}

TEST(CvrpCheck, AcceptsASolutionAndAddsUpItsLength) {
    auto const report = make(three_customers())->check(Solution{Routes{{{1, 2}, {}, {3}}}});
    EXPECT_THAT(report.violations, IsEmpty());
    EXPECT_DOUBLE_EQ(report.cost, 40);
}

TEST(CvrpCheck, NamesWhatIsWrong) {
    EXPECT_THAT(violations({{1, 2}}), ElementsAre("customer 3 is not visited"));
    EXPECT_THAT(violations({{1, 2}, {3}, {2}}), ElementsAre("customer 2 is visited 2 times"));
    EXPECT_THAT(violations({{1, 2}, {3, 4}}), ElementsAre("route 2: there is no customer 4 (customers are 1 to 3)"));
    EXPECT_THAT(violations({{1, 2, 3}}), ElementsAre("route 1: load 12 exceeds the capacity 10"));
    EXPECT_EQ(violations({{1, 2, 3, 9}, {1}}).size(), 3); // unknown, twice, overloaded
}

TEST(CvrpCheck, LetsOnlyTheRoundingOfDemandsPass) {
    Data data = three_customers();
    data.demand = {0.1F, 0.4F, 0.5F}; // adds up to 1.00000001 in double
    EXPECT_TRUE(make(data)->check(Routes{{{1, 2, 3}}}).valid());
    data.demand[0] = 0.10003F;
    EXPECT_FALSE(make(data)->check(Routes{{{1, 2, 3}}}).valid());
}

TEST(CvrpCheck, RoundsDistancesAsTheLiteratureDoes) {
    Data data = three_customers();
    data.locs = {{0, 0}, {1, 1}, {2, 2}, {3, 3}}; // steps of 1.41421356
    data.demand = {0, 0, 0};
    Routes const tour{{{1, 2, 3}}};
    EXPECT_NEAR(make(data)->check(tour, DistanceRule::truncated_to_tenth).cost, 3 * 1.4 + 4.2, 1e-12);
    EXPECT_NEAR(make(data)->check(tour, DistanceRule::nearest_integer).cost, 3 * 1 + 4, 1e-12);
}

} // namespace
} // namespace cax::cvrp::test
