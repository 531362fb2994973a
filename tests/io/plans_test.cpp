#include "cax/io/plans.hpp"

#include "cax/problems/registry.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cax::io {
namespace {

/// Three customers somewhere.
InstancePtr three_customers() {
    Rng rng(1);
    auto made = find_problem("cvrptw")->generate("3", {}, rng);
    EXPECT_TRUE(made) << made.error().message;
    return *made;
}

constexpr std::string_view apart = R"([[1], [2], [3]])"; ///< every customer for itself: always valid

double cost_apart(Instance const& instance) { return instance.check(Solution(Routes{{{1}, {2}, {3}}})).cost; }

std::string plan_refusal(std::string const& text, PlanPlace const& place = {}) {
    auto const plan = parse_plan(text, place, *three_customers());
    return plan ? "accepted" : plan.error().message;
}

void expect_apart(std::string const& text, PlanPlace const& place = {}) {
    auto const plan = parse_plan(text, place, *three_customers());
    ASSERT_TRUE(plan) << plan.error().message << " in " << text;
    EXPECT_EQ(std::get<Routes>(plan->solution), (Routes{{{1}, {2}, {3}}}));
}

TEST(PlanFile, IsReadFromEveryKindOfFile) {
    double const cost = cost_apart(*three_customers());
    expect_apart("Route #1: 1\nRoute #2: 2\nRoute #3: 3\n");
    expect_apart(fmt::format("Route #1: 1\nRoute #2: 2\nRoute #3: 3\nCost {}\n", cost));
    expect_apart(fmt::format(R"({{"routes": {}}})", apart));
    expect_apart(
        fmt::format(R"({{"schema": "cax/solve/1", "instances": [{{"instance": 4, "routes": {}, "cost": {}}}]}})", apart,
                    cost),
        {.number = 4, .set = ""});
    expect_apart(fmt::format(
        R"({{"problems": {{"town": {{"instances": [{{"index": 0, "cost": {}, "routes": {}}}]}}}}}})", cost, apart));
    expect_apart(
        fmt::format(R"({{"problems": {{"a": {{"instances": []}}, "b": {{"instances": [{{}}, {{"routes": {}}}]}}}}}})",
                    apart),
        {.number = 1, .set = "b"});
}

TEST(PlanFile, KeepsTheEpisodeAndWhoMadeIt) {
    auto const plan = parse_plan(
        fmt::format(R"({{"command": "solve", "instances": [{{"routes": {}, "actions": [2, 0, 1, 0, 3, 0]}}]}})", apart),
        {}, *three_customers());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->actions, (std::vector<std::size_t>{2, 0, 1, 0, 3, 0}));
    EXPECT_EQ(plan->maker, "cax solve");
}

TEST(PlanFile, OfAnotherInstanceIsRefused) {
    EXPECT_NE(plan_refusal("Route #1: 1 2 3 4\n").find("not valid for this instance"), std::string::npos);
    EXPECT_NE(plan_refusal("Route #1: 1\nRoute #2: 2\n").find("not valid for this instance"), std::string::npos);
    EXPECT_NE(plan_refusal(fmt::format(R"({{"routes": {}, "cost": 7}})", apart)).find("made for another instance"),
              std::string::npos);
    EXPECT_NE(plan_refusal("Route #1: 1\nRoute #2: 2\nRoute #3: 3\nCost 1e9\n").find("made for another instance"),
              std::string::npos);
    EXPECT_EQ(plan_refusal(R"({"instances": [{"instance": 1}]})"), "it has plans of 1 instances, none of instance 0");
}

TEST(PlanFile, ThatIsNoneSaysSo) {
    EXPECT_EQ(plan_refusal("[]"), "a list, not a plan");
    EXPECT_EQ(plan_refusal("{}"), "neither routes, tour, schedule nor packing, nor instances or problems with them");
    EXPECT_EQ(plan_refusal(R"({"problems": {}})"), "problems has no sets");
    EXPECT_EQ(plan_refusal(R"({"instances": 3})"), "instances is not a list");
    EXPECT_EQ(plan_refusal(R"({"instances": [{"instance": 0}]})"),
              "the entry has neither routes, tour, schedule nor packing");
    EXPECT_NE(plan_refusal("hello").find("neither Route nor Cost"), std::string::npos);
    EXPECT_NE(plan_refusal("{").find("JSON"), std::string::npos) << plan_refusal("{");
    EXPECT_NE(plan_refusal(fmt::format(R"({{"routes": {}, "actions": [-1]}})", apart)).find("is no action"),
              std::string::npos);
}

} // namespace
} // namespace cax::io
