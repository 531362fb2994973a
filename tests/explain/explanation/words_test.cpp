#include "explanation/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cax {
namespace {

constexpr std::array labels{FamilyWords{"time windows", ""}};

ProblemInfo const& some_problem() {
    static ProblemInfo const info = [] {
        ProblemInfo made;
        made.node_word = "customer";
        made.cost_word = "length";
        made.families = {"time_window"};
        return made;
    }();
    return info;
}

std::vector<Sentence> told(Step const& step) { return step_sentences({some_problem(), labels}, step); }

Step bare_step() {
    Step step;
    step.choice.words = "visit customer 4";
    step.choice.probability = 0.75;
    step.allowed = 3;
    step.actions = 9;
    return step;
}

std::optional<Evidence> evidence_about(Step const& step, Topic topic) {
    auto const sentences = told(step);
    auto const found = std::ranges::find(sentences, topic, &Sentence::about);
    return found == sentences.end() ? std::nullopt : std::optional(found->evidence);
}

StepCounterfactual flip(std::optional<Verdict> verdict, std::size_t entries = 1) {
    StepCounterfactual part;
    SettledFlip settled;
    settled.flip.l1 = 2;
    settled.flip.changes.resize(entries);
    if (verdict) {
        settled.certificate.emplace();
        settled.certificate->verdict = *verdict;
        settled.certificate->cost = 7.5;
    }
    part.answer.report.shots = 128;
    part.answer.refined.push_back(settled);
    settled.flip.l1 = 40;
    part.answer.sampled.push_back(settled);
    part.choice = Choice{0, "return to the depot", 0.5, nullptr};
    part.conditions.assign(entries, {"customer 4's window closed at 20 instead of 30", 30, 20, 4});
    part.certificate_words = "it can be completed";
    return part;
}

TEST(Words, PercentagesNeverClaimCertaintyThatIsNotThere) {
    EXPECT_EQ(percent_words(0), "0.0 %");
    EXPECT_EQ(percent_words(1), "100.0 %");
    EXPECT_EQ(percent_words(1e-9), "under 0.1 %");
    EXPECT_EQ(percent_words(1 - 1e-9), "over 99.9 %");
    EXPECT_EQ(percent_words(0.8342), "83.4 %");
    EXPECT_EQ(number_words(-0.0), "0");
}

/// Halves up of the decimal that stands in the file, digit by digit: written by a machine that knows no doubles.
std::string percent_by_hand(std::size_t ten_thousandths, bool whole) {
    std::size_t const tenths = (ten_thousandths + 5) / 10;
    std::size_t const percents = (ten_thousandths + 50) / 100;
    if (whole) {
        if (ten_thousandths > 0 && percents == 0) return "under 1 %";
        if (ten_thousandths < 10'000 && percents == 100) return "over 99 %";
        return fmt::format("{} %", percents);
    }
    if (ten_thousandths > 0 && tenths == 0) return "under 0.1 %";
    if (ten_thousandths < 10'000 && tenths == 1000) return "over 99.9 %";
    return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

TEST(Words, PercentagesRoundHalvesOfTheWrittenDecimalUp) {
    for (std::size_t i = 0; i <= 10'000; ++i) {
        double const share = std::stod(fmt::format("{}e-4", i));
        EXPECT_EQ(percent_words(share), percent_by_hand(i, false)) << share;
        EXPECT_EQ(whole_percent_words(share), percent_by_hand(i, true)) << share;
    }
    EXPECT_EQ(whole_percent_words(0.285), "29 %") << "100 * 0.285 is less than 28.5 in doubles";
    EXPECT_EQ(percent_words(-0.0004), "0.0 %");
    EXPECT_EQ(percent_words(-0.0005), "-0.1 %");
    EXPECT_EQ(percent_words(1.5), "150.0 %");
}

Step step_with_runner_up(double probability, double next) {
    Step step = bare_step();
    step.choice.probability = probability;
    step.runner_up = Choice{5, "visit customer 5", next, nullptr};
    return step;
}

std::string first_line(Step const& step) { return step_lines({some_problem(), labels}, step).front().text; }

TEST(Words, ATieIsNoPreferenceAndNeverACloseCall) {
    EXPECT_EQ(first_line(step_with_runner_up(0.25, 0.25)),
              "No preference: the first of equals was taken, to visit customer 4 (25 %); to visit customer 5 has 25 % as "
              "well.");
    EXPECT_EQ(first_line(step_with_runner_up(0.3, 0.25)),
              "Close call: visit customer 4 (30 %) or visit customer 5 (25 %).");
    EXPECT_TRUE(is_tie(step_with_runner_up(0.25, 0.25 - 1e-9))) << "rounding is no preference";
    Step along_a_plan = step_with_runner_up(0.25, 0.25);
    along_a_plan.favourite = along_a_plan.choice;
    EXPECT_TRUE(first_line(along_a_plan).starts_with("No preference: the plan's choice,")) << first_line(along_a_plan);
    EXPECT_FALSE(is_tie(bare_step())) << "an only action is no tie";
}

Alternative priced(std::size_t action, CostStatus status, std::optional<double> cost = {}) {
    Alternative each;
    each.action = action;
    each.words = action == 0 ? "visit customer 4" : "visit customer 5";
    each.allowed = true;
    each.status = status;
    each.cost = cost;
    return each;
}

/// The line about what a choice cost, beside its evidence.
std::pair<std::string, Evidence> price_line(std::vector<Alternative> all) {
    Step step = step_with_runner_up(0.7, 0.2);
    step.of<parts::Alternatives>().emplace().all = std::move(all);
    for (Sentence const& line : step_lines({some_problem(), labels}, step)) {
        if (line.about == Topic::price) return {line.text, line.evidence};
    }
    return {};
}

TEST(Words, WhatSomeActionsCostIsNotSaidOfAll) {
    using enum CostStatus;
    auto const [equal, sure] = price_line({priced(0, proved, 7), priced(1, proved, 7), priced(2, unpriced)});
    EXPECT_EQ(equal, "Of the actions compared (2 of 3 allowed), none is better: length 7 after it, and just so if it were "
                     "to visit customer 5.");
    EXPECT_EQ(sure, Evidence::proved) << "of those two it is";
    auto const [better, found] = price_line({priced(0, proved, 7), priced(1, search, 8), priced(2, unpriced)});
    EXPECT_EQ(better, "Of the actions compared (2 of 3 allowed), none is better: length 7 after it, 8 if it were to visit "
                      "customer 5.");
    EXPECT_EQ(found, Evidence::sampled);
}

TEST(Words, NoBetterChoiceFoundIsNotProved) {
    using enum CostStatus;
    auto const [line, evidence] = price_line({priced(0, proved, 7), priced(1, search, 8), priced(2, search, 9)});
    EXPECT_TRUE(line.starts_with("No better choice was found: ")) << line;
    EXPECT_EQ(evidence, Evidence::sampled);
}

TEST(Words, ABetterPlanIsProvedWhateverTheOthersCost) {
    using enum CostStatus;
    auto const [line, evidence] = price_line({priced(0, proved, 7), priced(1, search, 6), priced(2, unpriced)});
    EXPECT_EQ(line, "Not the best: to visit customer 5 leads to length 6, this one to 7 at best.");
    EXPECT_EQ(evidence, Evidence::proved);
}

TEST(Words, NothingIsLostWhereNoBoundIsBetter) {
    using enum CostStatus;
    Alternative other = priced(1, bounded, 9);
    other.bound = 7.5;
    auto const [line, evidence] = price_line({priced(0, proved, 7), other});
    EXPECT_EQ(line, "Nothing lost: length 7 can still be reached, and no other action leads to better.");
    EXPECT_EQ(evidence, Evidence::proved);
}

TEST(Words, NoFamilyIsNamedWhereExchangingAllDataChangesNothing) {
    static constexpr std::array two{FamilyWords{"prizes", ""}, FamilyWords{"places", ""}};
    ProblemInfo info = some_problem();
    info.families = {"prize", "spatial"};
    auto const lines_about_swaps = [&](double margin, std::vector<double> phi) {
        Step step = step_with_runner_up(0.5, 0.5 * std::exp(-margin));
        StepSwap& part = step.of<parts::Swap>().emplace();
        part.swap.other = 5;
        part.swap.other_is_runner_up = true;
        part.swap.margin = margin;
        part.swap.phi = std::move(phi);
        part.swap.single = {0.1, 0.1};
        part.other_words = "visit customer 5";
        auto const lines = step_lines({info, two}, step);
        return std::ranges::count(lines, Topic::swap, &Sentence::about);
    };
    EXPECT_EQ(lines_about_swaps(0, {0, 0}), 0);
    EXPECT_EQ(lines_about_swaps(0, {0.5, -0.5}), 0) << "of a tie there is nothing to explain";
    EXPECT_EQ(lines_about_swaps(1e-5, {1e-5, 0}), 0);
    EXPECT_EQ(lines_about_swaps(1, {0.9, 0.1}), 1);
}

TEST(Words, AnOnlyActionIsSaidToBeTheOnlyOne) {
    Step step = bare_step();
    EXPECT_EQ(told(step)[0].text, "The policy has to visit customer 4: it looks ahead, and nothing else is left.");
    step.allowed = 1;
    auto const sentences = told(step);
    ASSERT_EQ(sentences.size(), 1u);
    EXPECT_EQ(sentences[0].text, "The policy has to visit customer 4: no other action is allowed.");
    ASSERT_EQ(sentences[0].fields.size(), 1u);
    EXPECT_EQ(sentences[0].fields[0].field, "/words");
    EXPECT_EQ(sentences[0].fields[0].shown, "visit customer 4");
}

TEST(Words, ACertificateIsAsSureAsItsVerdict) {
    Step step = bare_step();
    for (auto const& [verdict, evidence] : {std::pair{Verdict::certified, Evidence::proved},
                                            {Verdict::refuted, Evidence::refuted},
                                            {Verdict::undecided, Evidence::undecided}}) {
        step.of<parts::Counterfactual>() = flip(verdict);
        EXPECT_EQ(evidence_about(step, Topic::certificate), evidence) << name_of(verdict);
    }
    step.of<parts::Counterfactual>() = flip(std::nullopt);
    EXPECT_EQ(evidence_about(step, Topic::certificate), std::nullopt);
}

TEST(Words, AFlipIsToldWithItsProbabilityAndBothSizes) {
    Step step = bare_step();
    step.of<parts::Counterfactual>() = flip(Verdict::certified);
    auto const sentences = told(step);
    ASSERT_EQ(sentences.size(), 4u);
    EXPECT_EQ(sentences[1].text, "If customer 4's window closed at 20 instead of 30, the policy would return to the "
                                 "depot instead (50.0 %, tried).");
    EXPECT_EQ(sentences[2].text, "It can be completed; its length is 7.5.");
    EXPECT_EQ(sentences[3].text, "That is the smallest of 128 random changes that do it, total size 40, then made "
                                 "smaller and simpler: size 2; a smaller one may exist.");
}

TEST(Words, ManyChangesAreCountedNotListed) {
    Step step = bare_step();
    step.of<parts::Counterfactual>() = flip(Verdict::certified, 100);
    std::string const text = told(step)[1].text;
    EXPECT_NE(text.find("and more, 100 changes in all"), std::string::npos) << text;
    EXPECT_LT(text.size(), 300u);
}

/// Two families, with what a range says about them.
ScoredAttribution scored_families(TopFamily unique, std::optional<std::size_t> always_first) {
    ScoredAttribution part;
    part.decision.mass = {2, 1};
    part.multipliers = {{FamilyStatus::computed, 1.0}, {FamilyStatus::computed, 1.0}};
    part.scores.values = {2.0, 1.0};
    part.scores.shares = {2.0 / 3, 1.0 / 3};
    part.scores.ranked = {0, 1};
    part.scores.top = 0;
    part.top_unique = unique;
    part.always_first = always_first;
    return part;
}

TEST(Words, TheFamilyThatDominatesIsNamedAndOfWhichProgram) {
    ProblemInfo info = some_problem();
    info.families = {"prize", "spatial"};
    std::array const words{FamilyWords{"prizes", ""}, FamilyWords{"distances", ""}};
    Step step = bare_step();
    auto const last = [&](ScoredAttribution part) {
        step.of<parts::Attribution>() = std::move(part);
        return step_sentences({info, words}, step).back();
    };
    Sentence const same = last(scored_families(TopFamily::unique, 0));
    EXPECT_EQ(same.text, "First for every optimal set of multipliers of the relaxation without its redundant rows: "
                         "prizes.");
    EXPECT_EQ(same.evidence, Evidence::computed) << "no checker has seen the duals";
    EXPECT_EQ(last(scored_families(TopFamily::unique, 1)).text,
              "First for every optimal set of multipliers of the relaxation without its redundant rows: distances; the "
              "multipliers above, of the relaxation with all its rows, put prizes first.");
    Sentence const open = last(scored_families(TopFamily::not_unique, std::nullopt));
    EXPECT_NE(open.text.find("puts another one before prizes or level with it"), std::string::npos) << open.text;
    EXPECT_EQ(open.evidence, Evidence::computed);
    EXPECT_EQ(last(scored_families(TopFamily::undecided, std::nullopt)).evidence, Evidence::undecided);
}

TEST(Words, ASetOfNodesIsBoundedOnlyIfItsLowerBoundIsGoodEnough) {
    Step step = bare_step();
    StepSubset& part = step.of<parts::Subset>().emplace();
    part.subset.accepted = true;
    part.subset.nodes = {4};
    part.subset.nodes_in_all = 9;
    part.labels = {"4"};
    part.confidence = 0.8;
    part.k_max = 9;
    EXPECT_EQ(evidence_about(step, Topic::subset), Evidence::sampled);
    part.guaranteed = true;
    EXPECT_EQ(evidence_about(step, Topic::subset), Evidence::bounded);
    part.subset.nodes.resize(9);
    EXPECT_EQ(evidence_about(step, Topic::subset), Evidence::not_found) << "all nodes are no explanation";
    part.subset.nodes = {4};
    part.subset.accepted = false;
    EXPECT_EQ(evidence_about(step, Topic::subset), Evidence::not_found);
}

TEST(Words, SizesThatWereRejectedEarlyAreNotToldAsARate) {
    Step step = bare_step();
    StepSubset& part = step.of<parts::Subset>().emplace();
    part.subset.nodes_in_all = 9;
    part.subset.observed = {.samples = 1, .preserved = 0, .rate = 0, .lower_bound = 0, .hoeffding = 0};
    part.confidence = 0.8;
    part.k_max = 9;
    EXPECT_EQ(told(step)[1].text,
              "Taken in the attribution's order, up to 9 customers are not enough to keep the decision with "
              "confidence 80.0 %.");
}

TEST(Words, AnActionThatIsNotAllowedSaysWhichRuleForbidsIt) {
    Step step = bare_step();
    step.of<parts::WhyNot>().emplace();
    step.of<parts::WhyNot>()->label = "customer 7";
    step.of<parts::WhyNot>()->refusal =
        Refusal{"load on arrival", Slack{.family = 0, .rule = "load on arrival", .used = 43, .limit = 40, .slack = -3}};
    EXPECT_EQ(told(step)[1].text,
              "Why not customer 7? It is not allowed now: load on arrival, 43 where 40 is the limit.");
}

} // namespace
} // namespace cax
