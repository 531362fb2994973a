// The scan and the search on set functions that need no policy: tables, and coins of known probability.
#include "subset/subset_scan.hpp"

#include "binomial_tail.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace cax {
namespace {

/// Preserved or not, by (set of nodes as bits, sample): any function at all, monotone or not.
class TablePreservation final : public Preservation {
public:
    TablePreservation(std::size_t nodes, std::uint64_t seed, double low, double high)
        : nodes_(nodes), seed_(seed), low_(low), high_(high) {}

    [[nodiscard]] bool preserved(std::uint32_t set, std::size_t sample) const {
        Rng of_set(seed_, set);
        double const probability = of_set.uniform(low_, high_);
        return Rng(seed_, set, 1, static_cast<std::uint32_t>(sample)).uniform() < probability;
    }
    [[nodiscard]] std::size_t count(std::uint32_t set, std::size_t samples) const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < samples; ++i) sum += preserved(set, i) ? 1 : 0;
        return sum;
    }

    [[nodiscard]] std::size_t nodes() const override { return nodes_; }
    [[nodiscard]] std::vector<std::uint8_t> ask(NodeSet const& kept, std::span<std::size_t const> samples) override {
        std::uint32_t set = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) set |= static_cast<std::uint32_t>(kept[i]) << i;
        std::vector<std::uint8_t> answers;
        for (std::size_t const sample : samples) answers.push_back(preserved(set, sample) ? 1 : 0);
        passes_ += samples.size();
        return answers;
    }
    [[nodiscard]] std::size_t forward_passes() const override { return passes_; }

private:
    std::size_t nodes_;
    std::uint64_t seed_;
    double low_, high_;
    std::size_t passes_ = 0;
};

std::vector<std::size_t> first_nodes(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::uint32_t bits(std::span<std::size_t const> nodes) {
    std::uint32_t set = 0;
    for (std::size_t const node : nodes) set |= 1U << node;
    return set;
}

/// Smallest size of 1..k_max with a subset that passes, by looking at all of them; 0 if there is none.
std::size_t smallest_by_brute_force(TablePreservation const& table, SubsetRule const& rule, std::size_t k_max) {
    std::size_t smallest = 0;
    for (std::uint32_t set = 1; set < (1U << table.nodes()); ++set) {
        std::size_t const size = static_cast<std::size_t>(std::popcount(set));
        if (size > k_max || (smallest != 0 && size >= smallest)) continue;
        if (table.count(set, rule.samples) >= rule.needed) smallest = size;
    }
    return smallest;
}

TEST(SubsetWalk, EarlyStoppingGivesTheVerdictsOfTheFullLoop) {
    std::size_t spent = 0;
    std::size_t full = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        TablePreservation table(12, seed, 0.5, 0.95);
        SubsetOptions options;
        options.k_max = 12;
        if (seed % 2 == 1) options.accept = Acceptance::certified;
        SubsetRule const rule = *subset_rule(options);
        auto const order = first_nodes(12);
        ScannedSubset const scanned = scan_order(table, rule, order, options);
        std::size_t expected = 0;
        for (std::size_t k = 1; k <= 12 && expected == 0; ++k) {
            std::size_t const count = table.count(bits(std::span(order).first(k)), rule.samples);
            if (count >= rule.needed) expected = k;
            if (scanned.tests.size() < k) continue;
            EXPECT_EQ(scanned.tests[k - 1].accepted, count >= rule.needed);
            if (count >= rule.needed || k == 12) { // its numbers are those of all samples
                EXPECT_EQ(scanned.tests[k - 1].samples, rule.samples);
                EXPECT_EQ(scanned.tests[k - 1].preserved, count);
            }
        }
        EXPECT_EQ(scanned.accepted, expected) << seed;
        EXPECT_EQ(scanned.tests.size(), expected == 0 ? 12 : expected);
        spent += table.forward_passes();
        full += scanned.tests.size() * rule.samples;
    }
    EXPECT_LT(spent, full);
}

TEST(SubsetWalk, StopsAtTheSampleThatDecides) {
    SubsetRule const rule{.samples = 70, .needed = 56, .level = 0.008};
    TablePreservation never(3, 1, 0, 0);
    SubsetTest test(never, rule);
    SizeTest const rejected = test.run({1, 0, 0}, SubsetTest::Effort::verdict);
    EXPECT_FALSE(rejected.accepted);
    EXPECT_EQ(rejected.samples, 15U);
    TablePreservation always(3, 1, 1, 1);
    SizeTest const accepted = SubsetTest(always, rule).run({1, 0, 0}, SubsetTest::Effort::verdict);
    EXPECT_TRUE(accepted.accepted);
    EXPECT_EQ(accepted.samples, 56U);
}

TEST(SubsetWalk, ACurveHasEverySizeOnEverySample) {
    TablePreservation table(9, 5, 0.6, 1);
    SubsetOptions options;
    options.curve = true;
    options.k_max = 7;
    SubsetRule const rule = *subset_rule(options);
    auto const order = first_nodes(9);
    ScannedSubset const scanned = scan_order(table, rule, order, options);
    ASSERT_EQ(scanned.tests.size(), 7U);
    for (SizeTest const& each : scanned.tests) {
        EXPECT_EQ(each.preserved, table.count(bits(std::span(order).first(each.size)), rule.samples));
    }
}

TEST(SubsetSearch, FindsTheSmallestSubsetThatBruteForceFinds) {
    std::size_t smaller_than_scan = 0;
    std::size_t none = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::size_t const nodes = 3 + seed % 6;
        TablePreservation table(nodes, seed, 0.2, 0.9);
        SubsetOptions options;
        options.k_max = nodes - seed % 2; // with and without the whole set
        options.exact_budget = 1'000'000;
        SubsetRule const rule = *subset_rule(options);
        auto order = first_nodes(nodes);
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(seed % nodes), order.end());
        ScannedSubset const scanned = scan_order(table, rule, order, options);
        ExactSubset const exact = search_subsets(table, rule, order, scanned.accepted, options);
        std::size_t const expected = smallest_by_brute_force(table, rule, options.k_max);
        EXPECT_TRUE(exact.proven);
        EXPECT_EQ(exact.found, expected != 0) << seed;
        EXPECT_EQ(exact.nodes.size(), expected) << seed;
        EXPECT_EQ(exact.empty_suffices, table.count(0, rule.samples) >= rule.needed);
        if (exact.found) {
            EXPECT_GE(table.count(bits(exact.nodes), rule.samples), rule.needed);
        }
        if (!exact.found) {
            EXPECT_EQ(exact.size_at_least, options.k_max + 1);
        }
        smaller_than_scan += expected < scanned.accepted ? 1 : 0;
        none += expected == 0 ? 1 : 0;
    }
    EXPECT_GT(smaller_than_scan, 10U); // else the search had nothing to do
    EXPECT_GT(none, 2U);
}

TEST(SubsetSearch, SaysWhatIsProvenWhenTheBudgetEnds) {
    for (std::size_t budget = 1; budget < 3000; budget += 137) {
        TablePreservation table(8, 11, 0.2, 0.7);
        SubsetOptions options;
        options.k_max = 8;
        options.exact_budget = budget;
        SubsetRule const rule = *subset_rule(options);
        ExactSubset const exact = search_subsets(table, rule, first_nodes(8), 0, options);
        std::size_t const truth = smallest_by_brute_force(table, rule, 8);
        EXPECT_GE(truth == 0 ? 9 : truth, exact.size_at_least);
        if (exact.found) {
            EXPECT_GE(exact.nodes.size(), truth);
        }
        if (!exact.proven) {
            EXPECT_LT(exact.forward_passes, budget + rule.samples);
        }
    }
}

TEST(SubsetSearch, JudgesTheWinnerOnSamplesThatDidNotChooseIt) {
    // Every subset has probability 0.75: on the search's own samples some look better than 0.8, on fresh ones not.
    double own = 0;
    double fresh = 0;
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        TablePreservation table(8, seed, 0.75, 0.75);
        SubsetOptions options;
        options.k_max = 8;
        options.exact_budget = 1'000'000;
        SubsetRule const rule = *subset_rule(options);
        auto const order = first_nodes(8);
        ExactSubset const exact =
            search_subsets(table, rule, order, scan_order(table, rule, order, options).accepted, options);
        if (!exact.found) continue;
        ++found;
        own += exact.own.rate;
        fresh += exact.fresh.rate;
        EXPECT_EQ(exact.fresh.samples, rule.samples);
    }
    ASSERT_GT(found, 50U);
    EXPECT_GE(own / static_cast<double>(found), 0.8);
    EXPECT_NEAR(fresh / static_cast<double>(found), 0.75, 0.02);
}

struct Coverage {
    double accepted = 0; ///< share of runs that accept a subset whose probability is below 1 - epsilon
    double error = 0;    ///< three standard deviations of that share
};

/// How often is an insufficient subset accepted if every size is preserved with this probability?
Coverage wrongly_accepted(double probability, SubsetOptions options, std::size_t sizes) {
    constexpr std::uint64_t runs = 10'000;
    options.k_max = sizes;
    SubsetRule const rule = *subset_rule(options);
    auto const order = first_nodes(sizes);
    std::size_t wrong = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        TablePreservation coins(sizes, 1'000'003 * run + sizes, probability, probability);
        wrong += scan_order(coins, rule, order, options).accepted != 0 ? 1 : 0;
    }
    double const share = static_cast<double>(wrong) / runs;
    return {share, 3 * std::sqrt(share * (1 - share) / runs) + 1e-9};
}

TEST(SubsetCoverage, CertifiedIsWrongAtMostDeltaOfTheTime) {
    SubsetOptions options;
    options.accept = Acceptance::certified;
    Coverage const scan = wrongly_accepted(0.7999, options, 25);
    EXPECT_LE(scan.accepted - scan.error, options.delta);
    SubsetRule const rule = *subset_rule(options);
    double const one = test::binomial_tail(rule.needed, rule.samples, 0.7999);
    EXPECT_NEAR(scan.accepted, 1 - std::pow(1 - one, 25), scan.error); // 25 independent sizes
    options.correction = Correction::per_test;
    Coverage const single = wrongly_accepted(0.7999, options, 1);
    EXPECT_LE(single.accepted - single.error, options.delta);
}

TEST(SubsetCoverage, EmpiricalIsWrongAsOftenAsTheBinomialSays) {
    SubsetOptions options;
    SubsetRule const rule = *subset_rule(options);
    ASSERT_EQ(rule.samples, 70U);
    ASSERT_EQ(rule.needed, 56U);
    double const one = test::binomial_tail(56, 70, 0.79);
    EXPECT_GT(one, options.delta); // a single size is wrong more often than delta already
    options.k_max = 1;
    options.samples = 70;
    Coverage const single = wrongly_accepted(0.79, options, 1);
    EXPECT_NEAR(single.accepted, one, single.error);
    options.samples = 0;
    Coverage const scan = wrongly_accepted(0.75, options, 25);
    double const each = test::binomial_tail(56, 70, 0.75);
    EXPECT_NEAR(scan.accepted, 1 - std::pow(1 - each, 25), scan.error);
    EXPECT_GT(scan.accepted - scan.error, options.delta);
}

} // namespace
} // namespace cax
