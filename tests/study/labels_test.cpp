// What tables say of methods whose every word is made up.
#include "judge/labels.hpp"
#include "tables/table_parts.hpp"

#include "cax/core/rng.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace cax::study {
namespace {

using testing::ElementsAre;

/// Two policies, six instances, four decisions each; the truth's shares wander, and so do those of "swap", which tells
/// the truth; "lp" always says the same, "proxy" is noise.
ProblemFindings told() {
    ProblemFindings problem{
        .name = "op", .families = {"prize", "budget", "spatial"}, .seeds = {0, 1}, .decisions = {}, .instances = {}};
    Rng rng(7);
    for (std::size_t seed = 0; seed < 2; ++seed) {
        for (std::size_t instance = 0; instance < 6; ++instance) {
            for (std::size_t step = 0; step < 4; ++step) {
                DecisionFinding decision{.seed = seed, .instance = instance, .step = step};
                std::vector<double> const truth{rng.uniform(), rng.uniform(), 5 + rng.uniform()};
                decision.truths[Intervention::noise] = {TruthHalf{truth, truth}, TruthHalf{truth, truth}};
                decision.sayings[Asked::own] = {{Method::lp, {0, 0, 1}},
                                                {Method::proxy, {rng.uniform(), rng.uniform(), rng.uniform()}},
                                                {Method::sensitivity, {2 * truth[0], 2 * truth[1], 2 * truth[2]}}};
                decision.sayings[Asked::untrained] = {{Method::lp, {0, 0, 3}}};
                problem.decisions.push_back(std::move(decision));
            }
        }
    }
    return problem;
}

Settings few() {
    Settings settings;
    settings.resamples = 200;
    return settings;
}

TEST(Labels, NameTheLargestFamilyAndNothingWhereNothingIsSaid) {
    Speaker const speaker{{Spoken({1, 3, 3}), std::nullopt, Spoken({0, 0, 0}), Spoken({-5, -1, 2})}};
    EXPECT_THAT(speaker.tops(), ElementsAre(Label(1), std::nullopt, std::nullopt, Label(2)));
    auto const shares = speaker.shares();
    EXPECT_FALSE(shares[1]);
    EXPECT_FALSE(shares[2]);
    EXPECT_DOUBLE_EQ((*shares[3])[0], 5.0 / 8);
}

TEST(Labels, RelativeOnesCompareWithOtherInstancesOfTheSamePolicyOnly) {
    ProblemFindings problem{.name = "op", .families = {"a", "b"}, .seeds = {0, 1}, .decisions = {}, .instances = {}};
    auto const add = [&](std::size_t seed, std::size_t instance) {
        problem.decisions.push_back({.seed = seed, .instance = instance, .step = 0});
    };
    add(0, 0);
    add(0, 0);
    add(0, 1);
    add(1, 0);
    // Of policy 0, instance 0 has much of a both times; instance 1 less, which is more of b than usual.
    Speaker const speaker{{Spoken({9, 1}), Spoken({8, 2}), Spoken({6, 4}), Spoken({1, 9})}};
    EXPECT_THAT(relative_labels(problem, speaker), ElementsAre(Label(0), Label(0), Label(1), std::nullopt));
}

TEST(Labels, WhoSaysWhatTheTruthSaysHasKappaOne) {
    ProblemFindings const problem = told();
    auto const truth = relative_labels(problem, truth_of(problem, Intervention::noise));
    auto const told_by = [&](Method method) {
        return sameness(problem, relative_labels(problem, speaker_of(problem, Asked::own, method)), truth, few());
    };
    EXPECT_DOUBLE_EQ(told_by(Method::sensitivity).kappa->point, 1);
    EXPECT_LT(std::fabs(told_by(Method::proxy).kappa->point), 0.35);
    EXPECT_EQ(told_by(Method::swap).cases, 0U);
    EXPECT_FALSE(told_by(Method::swap).kappa);
    EXPECT_GT(favourite_of(truth, 3).cases, 0U);
    EXPECT_LT(*favourite_of(truth, 3).share(), 0.8); // balanced, although one family is always the largest
    EXPECT_DOUBLE_EQ(*favourite_of(truth_of(problem, Intervention::noise).tops(), 3).share(), 1);
}

TEST(ExplanationTables, AnswerWhoSaysSomething) {
    Findings findings;
    findings.problems.push_back(told());
    Settings const settings = few();
    Paper const paper;
    TableInput const in{findings, settings, paper, headline_signal()};
    Table const table = explanations_table(in);
    auto const verdict = [&](std::string const& method) {
        for (auto const& row : table.rows) {
            if (std::get<std::string>(row[1]) == method) return std::get<std::string>(row[2]);
        }
        return std::string("not listed");
    };
    EXPECT_EQ(verdict("lp"), "no: names spatial in 100 %");
    EXPECT_EQ(verdict("sensitivity"), "yes");
    EXPECT_EQ(verdict("proxy"), "not shown");
    EXPECT_EQ(verdict("swap"), "no data");
    for (auto const& each : {explanations_table(in), truths_table(in), relative_table(in), sanity_table(in),
                             exchange_table(in), curves_table(in), thumb_table(in), regimes_table(in)}) {
        for (auto const& row : each.rows) EXPECT_EQ(row.size(), each.columns.size()) << each.name;
    }
}

TEST(ExplanationTables, CurvesOfFamiliesFollowTheOrderThatAMethodGives) {
    Findings findings;
    ProblemFindings problem{.name = "op", .families = {"a", "b"}, .seeds = {0}, .decisions = {}, .instances = {}};
    DecisionFinding decision{.seed = 0, .instance = 0, .step = 0};
    decision.hidden = {0.8, 0.2, 0.6, 0.1}; // nothing, a, b, both hidden
    decision.sayings[Asked::own] = {{Method::lp, {3, 1}}, {Method::proxy, {1, 3}}};
    problem.decisions.push_back(decision);
    findings.problems.push_back(problem);
    Settings const settings = few();
    Paper const paper;
    Table const table = curves_table({findings, settings, paper, headline_signal()});
    ASSERT_EQ(table.rows.size(), 2U);
    auto const number = [&](std::size_t row, std::size_t column) { return std::get<double>(table.rows[row][column]); };
    // proxy hides b first; lp hides a first.
    EXPECT_DOUBLE_EQ(number(0, 4), (0.8 + 0.6 + 0.1) / 3);
    EXPECT_DOUBLE_EQ(number(1, 4), (0.8 + 0.2 + 0.1) / 3);
    EXPECT_DOUBLE_EQ(number(0, 5), (number(0, 4) + number(1, 4)) / 2);
    // Shown again, a first: everything hidden, only b hidden, nothing.
    EXPECT_DOUBLE_EQ(number(1, 9), (0.1 + 0.6 + 0.8) / 3);
}

TEST(RegimeMap, SaysWhereDualsShouldHelp) {
    Findings findings;
    ProblemFindings problem = told();
    for (std::size_t i = 0; i < 4; ++i) {
        problem.instances.push_back(
            {.seed = 0, .gaps = {}, .lambda = {0.5, 0.1, 0.2}, .entries = {1, 2, i == 0 ? 0.0 : 30.0}});
    }
    findings.problems.push_back(problem);
    Settings const settings = few();
    Paper const paper;
    TableInput const in{findings, settings, paper, headline_signal()};
    Table const table = regimes_table(in);
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(std::get<std::string>(table.rows[0][3]), "spatial");
    EXPECT_EQ(std::get<std::string>(table.rows[0][4]), "prize");
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][5]), 0);
    EXPECT_EQ(std::get<std::string>(table.rows[0][7]), "lp helps");
    auto const holds = std::ranges::find(table.columns, "prediction holds?") - table.columns.begin();
    EXPECT_EQ(std::get<std::string>(table.rows[0][static_cast<std::size_t>(holds)]), "no data"); // no counterfactuals
    EXPECT_THAT(regimes_paragraph(in), testing::HasSubstr("op (misaligned"));
}

} // namespace
} // namespace cax::study
