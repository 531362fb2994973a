#include "cax/study/statistics.hpp"

#include "cax/core/json.hpp"
#include "cax/core/rng.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "data.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::study {
namespace {

std::vector<std::uint8_t> outcomes(std::string const& digits) {
    std::vector<std::uint8_t> values;
    for (char const digit : digits) values.push_back(digit == '1' ? 1 : 0);
    return values;
}

Json const& golden() {
    static Json const json = [] {
        auto const text = io::read_text(test::data_path("statistics.json"));
        return *io::parse_json(*text);
    }();
    return json;
}

TEST(Statistics, ReproducesEveryRecordedMcNemarTest) {
    ASSERT_GE(golden()["cases"].size(), 10U);
    for (Json const& each : golden()["cases"]) {
        auto const a = outcomes(each["a"]);
        auto const b = outcomes(each["b"]);
        McNemar const test = mcnemar(a, b);
        EXPECT_EQ(test.b01, each["mcnemar"]["b01"]) << each["name"];
        EXPECT_EQ(test.b10, each["mcnemar"]["b10"]) << each["name"];
        double const p = each["mcnemar"]["p"];
        EXPECT_NEAR(test.p, p, 1e-12 * p) << each["name"];
    }
}

TEST(Statistics, ReproducesThePublishedBootstrapDigitForDigit) {
    std::size_t compared = 0;
    for (Json const& each : golden()["cases"]) {
        auto const a = outcomes(each["a"]);
        auto const b = outcomes(each["b"]);
        for (Json const& expected : each["bootstrap"]) {
            auto const got = published_bootstrap(
                a, b,
                {.resamples = expected["n_resamples"], .confidence = expected["confidence"], .seed = expected["seed"]});
            EXPECT_EQ(got.point, expected["point"].get<double>()) << each["name"];
            EXPECT_EQ(got.low, expected["lo"].get<double>()) << each["name"];
            EXPECT_EQ(got.high, expected["hi"].get<double>()) << each["name"];
            ++compared;
        }
    }
    EXPECT_GE(compared, 20U);
}

TEST(Statistics, DrawsTheIndicesThatPythonDraws) {
    for (Json const& each : golden()["cases"]) {
        if (!each.contains("first_indices_of_generator")) continue;
        Json const& expected = each["first_indices_of_generator"];
        EXPECT_EQ(published_indices(expected["seed"], each["n"], expected["values"].size()),
                  expected["values"].get<std::vector<std::size_t>>());
    }
}

TEST(Statistics, OwnBootstrapAgreesWithThePublishedOneWithinMonteCarloError) {
    for (Json const& each : golden()["cases"]) {
        Json const& expected = each["bootstrap"].back();
        if (expected["n_resamples"] < 10000) continue;
        auto const a = outcomes(each["a"]);
        auto const b = outcomes(each["b"]);
        auto const got = paired_bootstrap(a, b, {.seed = 5});
        EXPECT_EQ(got.point, expected["point"].get<double>());
        // An end of the interval is an order statistic of 10,000 draws: its error is far below a tenth of the width.
        double const width = expected["hi"].get<double>() - expected["lo"].get<double>();
        EXPECT_NEAR(got.low, expected["lo"].get<double>(), 0.05 * width) << each["name"];
        EXPECT_NEAR(got.high, expected["hi"].get<double>(), 0.05 * width) << each["name"];
    }
}

TEST(Statistics, GivesThePapersPValuesFromItsCounts) {
    EXPECT_NEAR(mcnemar_p(7, 81), 4.5e-17, 0.05e-17);
    EXPECT_NEAR(mcnemar_p(60, 178), 9.3e-15, 0.05e-15);
    EXPECT_EQ(mcnemar_p(0, 0), 1);
    EXPECT_EQ(mcnemar_p(5, 5), 1);
    EXPECT_EQ(mcnemar_p(81, 7), mcnemar_p(7, 81));
}

TEST(Statistics, McNemarEqualsTheSumOverAllOutcomesOfFairCoins) {
    for (std::size_t n = 1; n <= 12; ++n) {
        for (std::size_t k = 0; k <= n; ++k) {
            std::size_t extreme = 0; // sequences of n coins at least as lopsided as k of n
            for (std::size_t coins = 0; coins < (std::size_t{1} << n); ++coins) {
                auto const heads = static_cast<std::size_t>(std::popcount(coins));
                if (std::min(heads, n - heads) <= std::min(k, n - k)) ++extreme;
            }
            double const expected = static_cast<double>(extreme) / std::pow(2.0, static_cast<double>(n));
            EXPECT_NEAR(mcnemar_p(k, n - k), std::min(1.0, expected), 1e-12) << k << " of " << n;
        }
    }
}

TEST(Statistics, ClustersOfOneGiveAboutTheIntervalOfPairsAndLargeClustersAWiderOne) {
    // 60 clusters of 8 cases that all share their outcome: 8 times the data in appearance only.
    std::vector<std::uint8_t> a, b;
    std::vector<std::size_t> cluster, alone;
    Rng rng(3);
    for (std::size_t c = 0; c < 60; ++c) {
        std::uint8_t const right_a = rng.uniform() < 0.8 ? 1 : 0;
        std::uint8_t const right_b = rng.uniform() < 0.5 ? 1 : 0;
        for (std::size_t i = 0; i < 8; ++i) {
            a.push_back(right_a);
            b.push_back(right_b);
            cluster.push_back(100 - c); // names need not be in order
            alone.push_back(alone.size());
        }
    }
    auto const width = [](Difference const& d) { return d.high - d.low; };
    BootstrapOptions const options{.resamples = 2000};
    auto const pairs = paired_bootstrap(a, b, options);
    auto const singles = clustered_bootstrap(a, b, alone, options);
    auto const clusters = clustered_bootstrap(a, b, cluster, options);
    EXPECT_EQ(pairs.point, clusters.point);
    EXPECT_NEAR(width(singles), width(pairs), 0.15 * width(pairs));
    EXPECT_NEAR(width(clusters) / width(pairs), std::sqrt(8.0), 0.4);
}

TEST(Statistics, SaysTheSameForTheSameSeedOnly) {
    auto const a = outcomes("1101110111011101110111011");
    auto const b = outcomes("0101010101010101010101010");
    auto const one = paired_bootstrap(a, b, {.resamples = 50, .seed = 1});
    auto const again = paired_bootstrap(a, b, {.resamples = 50, .seed = 1});
    EXPECT_EQ(one.low, again.low);
    EXPECT_EQ(one.high, again.high);
    bool differs = false;
    for (std::uint64_t seed = 2; seed < 12 && !differs; ++seed) {
        differs = paired_bootstrap(a, b, {.resamples = 50, .seed = seed}).low != one.low;
    }
    EXPECT_TRUE(differs);
}

TEST(Statistics, NothingComesOfNothing) {
    std::vector<std::uint8_t> const none;
    EXPECT_EQ(paired_bootstrap(none, none).point, 0);
    EXPECT_EQ(clustered_bootstrap(none, none, {}).high, 0);
    EXPECT_EQ(published_bootstrap(none, none).low, 0);
    EXPECT_EQ(share_of_ones(none), 0);
    EXPECT_EQ(mean({}), 0);
    EXPECT_EQ(sample_std(std::vector<double>{4}), 0);
    EXPECT_FALSE(median({}));
    EXPECT_FALSE(Confusion(3).agreement());
    EXPECT_FALSE(Confusion(3).kappa());
    EXPECT_FALSE(Confusion(3).majority());
}

TEST(Statistics, MeanSpreadAndMedianByHand) {
    std::vector<double> const values{2, 4, 4, 4, 5, 5, 7, 9};
    EXPECT_DOUBLE_EQ(mean(values), 5);
    EXPECT_DOUBLE_EQ(sample_std(values), std::sqrt(32.0 / 7));
    EXPECT_DOUBLE_EQ(*median({3, 1, 2}), 2);
    EXPECT_DOUBLE_EQ(*median({4, 1, 2, 3}), 2.5);
}

Confusion textbook() {
    // Two raters, 50 cases: 20 both yes, 15 both no, 5 yes/no, 10 no/yes.
    Confusion confusion(2);
    auto const add = [&](std::size_t reference, std::size_t predicted, std::size_t times) {
        for (std::size_t i = 0; i < times; ++i) confusion.add(reference, predicted);
    };
    add(0, 0, 20);
    add(0, 1, 5);
    add(1, 0, 10);
    add(1, 1, 15);
    return confusion;
}

TEST(Confusion, GivesTheTextbookKappa) {
    auto const confusion = textbook();
    EXPECT_DOUBLE_EQ(*confusion.agreement(), 0.7);
    EXPECT_NEAR(*confusion.kappa(), 0.4, 1e-12);
    EXPECT_EQ(confusion.reference_count(0), 25U);
    EXPECT_EQ(confusion.predicted_count(0), 30U);
    EXPECT_EQ(*confusion.majority(), 0U); // a tie: the lower label
}

TEST(Confusion, AConstantPredictorHasNoKappaHoweverOftenItIsRight) {
    Confusion confusion(3);
    for (int i = 0; i < 97; ++i) confusion.add(2, 2);
    for (int i = 0; i < 3; ++i) confusion.add(0, 2);
    EXPECT_DOUBLE_EQ(*confusion.agreement(), 0.97);
    EXPECT_DOUBLE_EQ(*confusion.kappa(), 0);
    EXPECT_EQ(*confusion.majority(), 2U);
    Confusion one(3);
    one.add(1, 1);
    EXPECT_FALSE(one.kappa()); // chance alone is always right: nothing can be beyond it
}

TEST(Confusion, CountsMissingPredictionsAsWrong) {
    Confusion confusion(2);
    confusion.add(0, std::nullopt);
    confusion.add(0, 0);
    EXPECT_DOUBLE_EQ(*confusion.agreement(), 0.5);
    EXPECT_EQ(confusion.predicted_count(2), 1U);
}

TEST(ClusteredKappa, IsThatOfTheConfusionAndMovesWithTheInstancesDrawn) {
    Rng rng(3);
    std::vector<Label> a;
    std::vector<Label> b;
    std::vector<std::size_t> cluster;
    Confusion confusion(3);
    for (std::size_t i = 0; i < 200; ++i) {
        a.emplace_back(rng.below(3));
        b.emplace_back(rng.uniform() < 0.5 ? a.back() : Label(rng.below(3)));
        cluster.push_back(i / 10);
        if (i % 7 == 0) {
            b.back().reset(); // does not count
        } else {
            confusion.add(*a.back(), b.back());
        }
    }
    auto const kappa = clustered_kappa(a, b, 3, cluster, {.resamples = 400});
    ASSERT_TRUE(kappa);
    EXPECT_NEAR(kappa->point, *confusion.kappa(), 1e-12);
    EXPECT_LT(kappa->low, kappa->point);
    EXPECT_GT(kappa->high, kappa->point);
    EXPECT_FALSE(clustered_kappa(std::vector<Label>(4, 1), std::vector<Label>(4, 1), 3, std::vector<std::size_t>(4)));
    // One cluster is the same however often it is drawn.
    auto const alone = clustered_kappa(a, b, 3, std::vector<std::size_t>(a.size(), 8), {.resamples = 50});
    EXPECT_DOUBLE_EQ(alone->low, alone->high);
}

TEST(ClusteredMean, CoversTheMeanAndKnowsNoOrder) {
    std::vector<double> values;
    std::vector<std::size_t> cluster;
    for (std::size_t i = 0; i < 60; ++i) {
        values.push_back(static_cast<double>(i % 7));
        cluster.push_back(i % 12);
    }
    Difference const found = clustered_mean(values, cluster, {.resamples = 300});
    EXPECT_NEAR(found.point, mean(values), 1e-12);
    EXPECT_LE(found.low, found.point);
    EXPECT_GE(found.high, found.point);
    EXPECT_EQ(clustered_mean({}, {}).point, 0);
}

TEST(RankCorrelation, OfTiesAndOfNothing) {
    auto const rho = [](std::vector<double> const& x, std::vector<double> const& y) { return rank_correlation(x, y); };
    EXPECT_DOUBLE_EQ(*rho({1, 5, 9}, {2, 3, 100}), 1);
    EXPECT_DOUBLE_EQ(*rho({1, 5, 9}, {3, 2, 1}), -1);
    EXPECT_NEAR(*rho({1, 2, 2, 3}, {1, 2, 3, 4}), 0.9486832980505138, 1e-12); // Pearson of ranks 0, 1.5, 1.5, 3
    EXPECT_FALSE(rho({1, 1}, {1, 2}));
    EXPECT_FALSE(rho({1}, {1}));
}

TEST(Statistics, TheMeanAsASummaryIsTheClusteredMean) {
    std::vector<double> const values{1, 2, 3, 5, 8, 13};
    std::vector<std::size_t> const cluster{0, 0, 1, 1, 2, 2};
    auto const found = clustered_summary(values, cluster, [](auto const& drawn) { return mean(drawn); },
                                         {.resamples = 400, .confidence = 0.9, .seed = 3});
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->point, mean(values));
    EXPECT_LE(found->low, found->point);
    EXPECT_GE(found->high, found->point);
    EXPECT_GE(found->low, 1.5); // of the smallest cluster
    EXPECT_LE(found->high, 10.5);
    EXPECT_FALSE(clustered_summary({}, {}, [](auto const&) { return 0.0; }));
}

TEST(Statistics, WilsonsIntervalIsWhereTheNormalTestIsNotRejected) {
    for (double const share : {0.0, 0.2, 0.5, 1.0}) {
        double const cases = 40;
        Difference const interval = wilson_interval(share, cases);
        EXPECT_LE(interval.low, share + 1e-12);
        EXPECT_GE(interval.high, share - 1e-12);
        for (double const end : {interval.low, interval.high}) {
            if (end <= 1e-12 || end >= 1 - 1e-12) continue;
            double const z = (share - end) / std::sqrt(end * (1 - end) / cases);
            EXPECT_NEAR(std::abs(z), 1.959964, 1e-4) << share;
        }
    }
    EXPECT_NEAR(interval_of_three_runs(10, 1).high, 12.484, 1e-3); // 4.3027 / sqrt(3)
}

} // namespace
} // namespace cax::study
