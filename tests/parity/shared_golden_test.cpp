// The real thing: numbers that rl4co computed. A small set lies in tests/data, the whole one in the shared folder.
#include "cax/parity/check_golden.hpp"

#include "cax/problems/registry.hpp"
#include "data.hpp"

#include <gtest/gtest.h>

namespace cax::parity {
namespace {

void expect_agreement(std::filesystem::path const& folder) {
    auto const report = check_golden(folder);
    ASSERT_TRUE(report) << report.error().message;
    for (GoldenFolder const& each : report->folders) {
        EXPECT_TRUE(each.passed()) << each.path << ": " << each.failure_count << " failures";
        for (std::string const& failure : each.failures) ADD_FAILURE() << each.path << ": " << failure;
        EXPECT_GT(each.decisions, 0U) << each.path;
        EXPECT_LE(each.log_probs64.largest, 1e-9) << each.path;
        EXPECT_LE(each.gradients64.largest, 1e-7) << each.path;
        EXPECT_LE(each.log_probs32.largest, each.log_probs32.tolerance) << each.path;
        for (std::string const& name : each.not_compared) {
            EXPECT_NE(name.find("debug/"), std::string::npos)
                << name << " is not an inner activation, and not compared";
        }
    }
}

TEST(Rl4coGolden, AgreesOnTheSmallSet) { expect_agreement(test::data_path("rl4co-golden")); }

TEST(Rl4coGolden, AgreesOnTheWholeSet) {
    CAX_REQUIRE_SHARED("rl4co-golden");
    expect_agreement(test::shared_path("rl4co-golden"));
}

TEST(Rl4coGolden, AgreesOnFurtherProblemsAndListsThoseItDoesNotKnow) {
    CAX_REQUIRE_SHARED("more-problems/rl4co-golden");
    auto const folder = test::shared_path("more-problems/rl4co-golden");
    expect_agreement(folder);
    auto const report = check_golden(folder, {.float32 = false});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->passed());
    for (SkippedFolder const& skipped : report->skipped) EXPECT_EQ(find_problem(skipped.problem), nullptr);
    EXPECT_GT(report->skipped.size(), 0U);
    auto const unknown = check_golden(report->skipped.front().path);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("no golden folder is of a problem that cax knows"), std::string::npos)
        << unknown.error().message;
}

} // namespace
} // namespace cax::parity
