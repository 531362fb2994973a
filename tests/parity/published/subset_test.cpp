// The published subset test on its recorded noise (reference-golden, README sections 5 and 8).
#include "cax/parity/check_golden.hpp"

#include "data.hpp"

#include <gtest/gtest.h>

namespace cax::parity {
namespace {

/// Double precision has margins and equation 2 as well.
void expect_agreement(std::filesystem::path const& folder, GoldenOptions const& options) {
    auto const report = check_golden(folder, options);
    ASSERT_TRUE(report) << report.error().message;
    GoldenFolder const& golden = report->folders.front();
    for (std::string const& failure : golden.failures) ADD_FAILURE() << failure;
    std::vector<std::string> names{"samples", "rates", "sizes"};
    if (options.float64) names.emplace_back("samples, equation 2");
    for (std::string const& name : names) {
        auto const count = golden.counts.find(name);
        ASSERT_NE(count, golden.counts.end()) << name;
        EXPECT_GT(count->second.compared, 0U) << name;
        EXPECT_EQ(count->second.unequal, 0U) << name;
    }
    if (options.float64) {
        EXPECT_LE(golden.differences.at("margins 64").largest, 1e-5);
    }
}

TEST(SubsetGolden, AgreesOnTheSmallSet) { expect_agreement(test::data_path("reference-golden/op"), {}); }

class SharedSubsetGolden : public testing::TestWithParam<std::string> {};

/// Single precision is enough here: double is slow on the larger networks, and cax check-golden runs all of it.
TEST_P(SharedSubsetGolden, AgreesOnRecordedNoise) {
    std::string const folder = "reference-golden/" + GetParam();
    CAX_REQUIRE_SHARED(folder);
    expect_agreement(test::shared_path(folder), {.float64 = false});
}

INSTANTIATE_TEST_SUITE_P(Set, SharedSubsetGolden, testing::Values("cvrptw", "op", "fjsp"),
                         [](auto const& each) { return each.param; });

} // namespace
} // namespace cax::parity
