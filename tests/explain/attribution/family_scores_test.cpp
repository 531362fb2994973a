#include "cax/core/json.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

DecisionAttribution with_mass(std::vector<double> mass) {
    DecisionAttribution attribution;
    attribution.mass = std::move(mass);
    return attribution;
}

Multipliers with_lambda(std::vector<std::optional<double>> const& lambda) {
    Multipliers multipliers;
    for (auto const& value : lambda) {
        multipliers.families.push_back({value ? FamilyStatus::computed : FamilyStatus::no_rows, value});
    }
    return multipliers;
}

TEST(FamilyScores, AreLambdaTimesMass) {
    FamilyScores const scores = family_scores(with_mass({2, 3, 1}), with_lambda({1, 4, 2}));
    EXPECT_EQ(scores.status, ScoreStatus::computed);
    EXPECT_EQ(scores.values, (std::vector<std::optional<double>>{2, 12, 2}));
    EXPECT_EQ(scores.top, 1U);
    EXPECT_DOUBLE_EQ(scores.margin, 10.0 / 12);
}

TEST(FamilyScores, GiveTheFirstFamilyOnTies) {
    FamilyScores const scores = family_scores(with_mass({1, 6, 3}), with_lambda({1, 1, 2}));
    EXPECT_EQ(scores.top, 1U);
    EXPECT_EQ(scores.margin, 0);
}

TEST(FamilyScores, NameNoTopWhereNothingCanBeSaid) {
    FamilyScores const massless = family_scores(with_mass({0, 0}), with_lambda({1, 4}));
    EXPECT_EQ(massless.status, ScoreStatus::no_mass);
    FamilyScores const free = family_scores(with_mass({0, 2}), with_lambda({3, 0}));
    EXPECT_EQ(free.status, ScoreStatus::no_score);
    FamilyScores const unknown = family_scores(with_mass({1, 2}), with_lambda({3, std::nullopt}));
    EXPECT_EQ(unknown.status, ScoreStatus::no_multiplier);
    EXPECT_EQ(unknown.values, (std::vector<std::optional<double>>{3, std::nullopt}));
    for (FamilyScores const& scores : {massless, free, unknown}) {
        EXPECT_FALSE(scores.top);
        EXPECT_EQ(scores.top_or_first(), 0U);
        EXPECT_EQ(scores.margin, 0);
    }
}

TEST(DualUnique, AsksTheRangesForTheMasses) {
    DecisionAttribution const attribution = with_mass({1, 1});
    Multipliers multipliers = with_lambda({1, 2});
    EXPECT_FALSE(dual_unique(attribution, multipliers)); // no ranges
    multipliers.range.emplace();
    multipliers.range->without_redundant_rows.families = {{1, 1, 1, true, {}, {}, ""}, {2, 3, 3, true, {}, {}, ""}};
    EXPECT_EQ(dual_unique(attribution, multipliers), TopFamily::unique);
    multipliers.range->without_redundant_rows.families[1].low = 0.5;
    multipliers.range->without_redundant_rows.families[1].at_low = {1, 0.5};
    multipliers.range->without_redundant_rows.families[1].at_high = {1, 3};
    EXPECT_EQ(dual_unique(attribution, multipliers), TopFamily::not_unique);
    DecisionAttribution forced = attribution;
    forced.status = AttributionStatus::no_choice;
    EXPECT_FALSE(dual_unique(forced, multipliers));
}

TEST(MultipliersOf, AreEachInstancesOwnOrTheFirstOnes) {
    std::vector<InstancePtr> instances;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        Rng rng(seed);
        instances.push_back(*find_problem("op")->generate("6", {}, rng));
    }
    auto const own = multipliers_of(instances, {}, DualsFrom::each, 2);
    auto const first = multipliers_of(instances, {}, DualsFrom::first);
    ASSERT_TRUE(own && first);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        EXPECT_EQ(*(*own)[i].values(), *compute_multipliers(*instances[i])->values());
        EXPECT_EQ(*(*first)[i].values(), *(*own)[0].values());
    }
    EXPECT_NE(*(*own)[1].values(), *(*own)[0].values());
    EXPECT_TRUE(multipliers_of({})->empty());
    MultiplierOptions contradiction;
    contradiction.backend = Backend::given;
    auto const refused = multipliers_of(instances, contradiction);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.starts_with("instance 0: ")) << refused.error().message;
}

// Degenerate inputs through the whole primitive: every number finite, every gap named.

void expect_named_or_finite(std::string_view problem, std::string_view json) {
    auto const instance = find_problem(problem)->exchange().from_json(Json::parse(json));
    ASSERT_TRUE(instance) << instance.error().message;
    auto const policy = make_policy(test::random_policy(problem, 16, 1, 3));
    ASSERT_TRUE(policy) << policy.error().message;
    auto const episodes = rollout(**policy, std::span(&*instance, 1));
    if (!episodes) return; // an episode that cannot end is an error with words
    auto const decisions = all_cells(*episodes);
    auto const multipliers = compute_multipliers(**instance);
    ASSERT_TRUE(multipliers) << multipliers.error().message;
    for (auto const method :
         {AttributionMethod::gradient, AttributionMethod::integrated, AttributionMethod::occlusion}) {
        for (auto const baseline : {MaskingBaseline::zero, MaskingBaseline::mean}) {
            AttributionOptions options;
            options.method = method;
            options.baseline = baseline;
            options.points = 4;
            auto const found = attribute(**policy, decisions, options);
            ASSERT_TRUE(found) << found.error().message;
            for (DecisionAttribution const& each : *found) {
                bool any = false;
                EXPECT_TRUE(std::isfinite(each.log_prob));
                for (std::size_t k = 0; k < each.mass.size(); ++k) {
                    EXPECT_TRUE(std::isfinite(each.mass[k])) << problem;
                    any = any || each.mass[k] > 0;
                    for (double const score : each.nodes[k]) EXPECT_TRUE(std::isfinite(score)) << problem;
                }
                EXPECT_EQ(any, each.status == AttributionStatus::computed) << name_of(each.status);
                FamilyScores const scores = family_scores(each, *multipliers);
                EXPECT_EQ(scores.top.has_value(), scores.status == ScoreStatus::computed);
                if (any && !multipliers->values()) {
                    EXPECT_EQ(scores.status, ScoreStatus::no_multiplier);
                }
            }
        }
    }
}

TEST(DegenerateAttribution, OfOneCustomerAndOfTwo) {
    expect_named_or_finite("cvrptw", R"({"capacity": 10, "depot": {"x": 0, "y": 0, "window": [0, 100]},
        "customers": [{"x": 3, "y": 4, "demand": 5, "window": [0, 50], "service": 1}]})");
    expect_named_or_finite("op", R"({"max_length": 20, "depot": {"x": 0, "y": 0},
        "customers": [{"x": 3, "y": 4, "prize": 2}, {"x": 0, "y": 1, "prize": 1}]})");
}

TEST(DegenerateAttribution, OfCustomersWithoutPrizes) {
    expect_named_or_finite("op", R"({"max_length": 20, "depot": {"x": 0, "y": 0},
        "customers": [{"x": 3, "y": 4, "prize": 0}, {"x": 0, "y": 1, "prize": 0}]})");
}

TEST(DegenerateAttribution, OfOneMachine) {
    expect_named_or_finite("fjsp", R"({"machines": 1, "jobs": [[[[0, 3]], [[0, 2]]], [[[0, 4]]]]})");
    expect_named_or_finite("fjsp", R"({"machines": 1, "jobs": [[[[0, 3]]]]})");
}

TEST(DegenerateAttribution, OfAnInfeasibleRelaxation) {
    expect_named_or_finite("cvrptw", R"({"capacity": 10, "depot": {"x": 0, "y": 0, "window": [0, 100]},
        "customers": [{"x": 3, "y": 4, "demand": 5, "window": [0, 50], "service": 1},
                      {"x": 3, "y": 4, "demand": 5, "window": [0, 4], "service": 1}]})");
    expect_named_or_finite("op", R"({"max_length": 9, "depot": {"x": 0, "y": 0},
        "customers": [{"x": 3, "y": 4, "prize": 1}]})");
}

} // namespace
} // namespace cax
