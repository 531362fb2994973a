// A problem that lacks capabilities is explained by what is left, and nothing else is made up.
#include "cax/explain/explanation.hpp"

#include "cax/problems/registry.hpp"
#include "random_policy.hpp"
#include "variant_problems.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

Result<Explanation> explained(Problem const& problem, void (*choose)(ExplainOptions&)) {
    Rng rng(1);
    auto const instance = problem.generate("7", {}, rng);
    auto const policy = make_policy(test::random_policy("cvrp", 16, 1, 2));
    EXPECT_TRUE(instance && policy);
    ExplainOptions options;
    options.attribution = options.counterfactual = options.subset = false;
    options.swap = options.sensitivity = options.forbidden = options.alternatives = options.thumb = false;
    options.threads = 1;
    choose(options);
    return explain(**policy, *instance, options);
}

TEST(MissingCapabilities, LeaveTheStoryOfThePlan) {
    auto const bare = explained(test::bare_problem(), [](ExplainOptions&) {});
    auto const whole = explained(*find_problem("cvrp"), [](ExplainOptions&) {});
    ASSERT_TRUE(bare) << bare.error().message;
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(bare->actions, whole->actions);
    EXPECT_EQ(bare->report.cost, whole->report.cost);
    EXPECT_TRUE(bare->report.valid());
    EXPECT_FALSE(bare->story.empty());
    EXPECT_FALSE(bare->best_known);
}

TEST(MissingCapabilities, LeaveAttributionWithMultipliersOfOne) {
    auto const bare = explained(test::bare_problem(), [](ExplainOptions& options) {
        options.attribution = true;
        options.multipliers.backend = Backend::proxy;
    });
    ASSERT_TRUE(bare) << bare.error().message;
    for (auto const& step : bare->steps) EXPECT_TRUE(step.attribution);
}

TEST(MissingCapabilities, AreNoHeuristicsAndNoProvedAlternatives) {
    auto const bare =
        explained(test::bare_problem(), [](ExplainOptions& options) { options.alternatives = options.thumb = true; });
    ASSERT_TRUE(bare) << bare.error().message;
    for (auto const& step : bare->steps) {
        ASSERT_TRUE(step.alternatives);
        for (auto const& each : step.alternatives->all) EXPECT_NE(each.status, CostStatus::proved);
    }
}

TEST(MissingCapabilities, AreRefusedByNameWhereAPartIsMadeOfThem) {
    auto const relaxation =
        explained(test::bare_problem(), [](ExplainOptions& options) { options.attribution = true; });
    ASSERT_FALSE(relaxation);
    EXPECT_NE(relaxation.error().message.find("no linear relaxation for cvrp"), std::string::npos)
        << relaxation.error().message;
}

TEST(MissingCapabilities, LeaveEveryOtherPart) {
    using Choose = void (*)(ExplainOptions&);
    for (Choose const choose : {Choose([](ExplainOptions& options) { options.counterfactual = true; }),
                                Choose([](ExplainOptions& options) { options.subset = true; }),
                                Choose([](ExplainOptions& options) { options.swap = true; }),
                                Choose([](ExplainOptions& options) { options.sensitivity = true; }),
                                Choose([](ExplainOptions& options) { options.forbidden = true; })}) {
        auto const bare = explained(test::bare_problem(), choose);
        ASSERT_TRUE(bare) << bare.error().message;
        EXPECT_FALSE(bare->steps.empty());
    }
}

} // namespace
} // namespace cax
