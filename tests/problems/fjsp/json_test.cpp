#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include "shops.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cax::test {
namespace {

/// The instance after a trip through JSON text.
Result<InstancePtr> through_text(fjsp::Instance const& instance) {
    return fjsp_problem().exchange().from_json(Json::parse(to_json(instance).dump()));
}

std::string json_refusal(std::string const& text) {
    auto const instance = fjsp_problem().exchange().from_json(Json::parse(text));
    return instance ? "accepted" : instance.error().message;
}

TEST(FjspJson, IsReadable) {
    EXPECT_EQ(
        make_shop({.name = "tiny", .machines = 2, .padded_operations = 3, .jobs = {{{{0, 3}, {1, 0.1F}}, {{1, 2}}}}})
            ->to_json()
            .dump(),
        R"({"name":"tiny","machines":2,"padded_operations":3,"jobs":[[[[0,3],[1,0.1]],[[1,2]]]]})");
}

TEST(FjspJson, KeepsInstancesBitForBit) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        auto const instance = random_shop(seed, true);
        auto const again = through_text(*instance);
        ASSERT_TRUE(again) << again.error().message;
        ASSERT_EQ(dynamic_cast<fjsp::Instance const&>(**again).data(), instance->data());
    }
}

RC_GTEST_PROP(FjspJsonProperty, KeepsEveryFloatThatATimeCanBe, ()) {
    auto const bits = *rc::gen::inRange<std::uint32_t>(1, std::bit_cast<std::uint32_t>(9e37F));
    auto const time = std::bit_cast<float>(bits);
    auto const instance = make_shop({.machines = 1, .jobs = {{{{0, time}}}}});
    auto const again = through_text(*instance);
    RC_ASSERT(again.has_value());
    RC_ASSERT(dynamic_cast<fjsp::Instance const&>(**again).time(0, 0) == time);
}

TEST(FjspJson, ReplacesBytesOfANameThatAreNotText) {
    fjsp::Data data = two_machines_three_jobs();
    data.name = "a\xFF\n\"b";
    auto const instance = make_shop(data);
    EXPECT_EQ(instance->name(), data.name);
    auto const again = through_text(*instance);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ((*again)->name(), "a\xEF\xBF\xBD\n\"b");
}

TEST(FjspJson, DoesWithoutNameAndPadding) {
    auto const instance = fjsp_problem().exchange().from_json(Json::parse(R"({"machines": 1, "jobs": [[[[0, 2]]]]})"));
    ASSERT_TRUE(instance) << instance.error().message;
    EXPECT_EQ(dynamic_cast<fjsp::Instance const&>(**instance).padded_operation_count(), 1U);
}

TEST(FjspJson, NamesTheFieldThatIsWrong) {
    EXPECT_EQ(json_refusal("[]"), "expected an object, found a list");
    EXPECT_EQ(json_refusal("{}"), "machines is missing");
    EXPECT_EQ(json_refusal(R"({"machines": 2})"), "jobs is missing");
    EXPECT_EQ(json_refusal(R"({"machines": -2, "jobs": []})"), "machines is -2, not a whole number from 0");
    EXPECT_EQ(json_refusal(R"({"machines": 2.5, "jobs": []})"), "machines is 2.5, not a whole number from 0");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": 3})"), "jobs is 3, not a list");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "padded_operations": "x", "jobs": []})"),
              "padded_operations is \"x\", not a whole number from 0");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": []})"), "jobs is empty");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": [7]})"), "job 1: expected a list of operations, found 7");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": [[7]]})"),
              "job 1: operation 1: expected a list of [machine, time], found 7");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": [[[[0, 1]], [[0]]]]})"),
              "job 1: operation 2: expected [machine, time], found [0]");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": [[[[-1, 1]]]]})"),
              "job 1: operation 1: expected [machine, time], found [-1,1]");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": [[[[0, "long"]]]]})"),
              "job 1: operation 1: expected [machine, time], found [0,\"long\"]");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": [[[[5, 1]]]]})"),
              "job 1, operation 1: machine index 5 is not below machines (2)");
    EXPECT_EQ(json_refusal(R"({"machines": 2, "jobs": [[[[0, 1e300]]]]})"),
              "job 1, operation 1: time inf on machine index 0 is not a positive number");
    EXPECT_EQ(json_refusal(R"({"machines": 99999999, "jobs": [[[[0, 1]]]]})"), "machines (99999999) exceeds 10000");
}

TEST(FjspSolutionJson, IsThatOfBestKnownFiles) {
    auto const instance = make_shop(two_machines_three_jobs());
    Schedule const schedule{{{0, 1, 0}, {3, 0, 2.5}}};
    Json const json = solution_to_json(*instance, schedule);
    EXPECT_EQ(json.dump(), R"({"schedule":[[0,1,0],[3,0,2.5]]})");
    auto const again = solution_from_json(*instance, json);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(std::get<Schedule>(*again), schedule);
}

TEST(FjspSolutionJson, NamesTheEntryThatIsWrong) {
    auto const instance = make_shop(two_machines_three_jobs());
    auto const message = [&](char const* text) {
        auto const solution = solution_from_json(*instance, Json::parse(text));
        return solution ? std::string("accepted") : solution.error().message;
    };
    EXPECT_EQ(message("3"), "expected an object, found 3");
    EXPECT_EQ(message(R"({"routes": []})"), "schedule is missing");
    EXPECT_EQ(message(R"({"schedule": {}})"), "schedule is an object, not a list");
    EXPECT_EQ(message(R"({"schedule": [[0, 1, 2], [0, 1]]})"),
              "schedule entry 2: expected [operation, machine, start], found [0,1]");
    EXPECT_EQ(message(R"({"schedule": [[0, 0.5, 2]]})"),
              "schedule entry 1: expected [operation, machine, start], found [0,0.5,2]");
    EXPECT_EQ(message(R"({"schedule": [[0, 1, null]]})"),
              "schedule entry 1: expected [operation, machine, start], found [0,1,null]");
}

} // namespace
} // namespace cax::test
