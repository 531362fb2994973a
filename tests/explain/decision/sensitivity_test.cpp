#include "cax/explain/sensitivity.hpp"

#include "cax/explain/sensitivity_reference.hpp"
#include "cax/problems/noise.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class SensitivityOfDecisions : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        auto made = make_policy(test::random_policy(info().name, 16, 1, 7), {.precision = Precision::float64});
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        std::vector<InstancePtr> instances;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            Rng rng(seed);
            instances.push_back(*GetParam()->generate(size(), {}, rng));
        }
        auto episodes = rollout(*policy_, instances);
        ASSERT_TRUE(episodes) << episodes.error().message;
        for (Episode const& each : *episodes) decisions_.insert(decisions_.end(), each.decisions.begin(), each.decisions.end());
    }
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] std::string size() const { return info().size_hint == "N" ? "12" : "4x3"; }
    [[nodiscard]] Sensitivity measured(Decision const& decision, SensitivityOptions const& options = {}) const {
        auto result = sensitivity(*policy_, decision, options);
        EXPECT_TRUE(result) << result.error().message;
        return *result;
    }
    std::unique_ptr<Policy> policy_;
    std::vector<Decision> decisions_;
};

TEST_P(SensitivityOfDecisions, IsTheMeanDistanceOfItsShots) {
    SensitivityOptions const options{.sizes = {0.2, 0.5}, .shots = 3, .pool = 1, .seed = 11};
    std::size_t compared = 0;
    for (std::size_t c = 0; c < decisions_.size(); c += 3) {
        Decision const& decision = decisions_[c];
        Sensitivity const result = measured(decision, options);
        if (result.status != SensitivityStatus::computed) continue;
        ++compared;
        // The definition, one shot at a time, with the streams that the header promises to depend on nothing else.
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            double score = 0;
            double flips = 0;
            std::size_t sizes = 0;
            std::size_t asked = 0;
            for (std::size_t s = 0; s < 2; ++s) {
                double sum = 0;
                double size_flips = 0;
                double shots = 0;
                for (std::size_t r = 0; r < 3; ++r) {
                    Rng rng(options.seed ^ 0x73656e7369746976, static_cast<std::uint32_t>(decision.instance),
                            static_cast<std::uint32_t>(decision.step), static_cast<std::uint32_t>((k * 2 + s) * 3 + r));
                    auto const state = disturbed(*decision.state, k, options.sizes[s], rng);
                    if (!state || nothing_allowed(**state)) continue;
                    std::vector<Observation> const seen{(*state)->observe()};
                    LogProbs const now = policy_->log_probs(seen).front();
                    double distance = 0;
                    for (std::size_t a = 0; a < now.size(); ++a) {
                        distance =
                            std::max(distance, 0.0) + std::max(0.0, std::exp(now[a]) - std::exp(decision.log_probs[a]));
                    }
                    sum += distance; // the positive parts add up to half of all
                    size_flips += most_probable(now) != decision.action ? 1 : 0;
                    ++shots;
                    ++asked;
                }
                if (shots == 0) continue;
                score += sum / shots;
                flips += size_flips / shots;
                ++sizes;
            }
            ASSERT_EQ(result.families[k].asked, asked);
            EXPECT_EQ(result.families[k].asked + result.families[k].dropped, 6U);
            if (sizes == 0) continue;
            EXPECT_NEAR(result.families[k].score, score / static_cast<double>(sizes), 1e-9);
            EXPECT_NEAR(result.families[k].flip_rate, flips / static_cast<double>(sizes), 1e-12);
        }
    }
    EXPECT_GT(compared, 2U);
}

/// Mean and variance of a family's score over seeds, and what the results claim that variance is.
struct OverSeeds {
    double mean = 0, variance = 0;
    std::vector<SensitivityInterval> intervals;
};

TEST_P(SensitivityOfDecisions, SortedDrawsHaveTheMeanOfPlainOnesAndNoMoreVariance) {
    auto const decision = std::ranges::find_if(decisions_, [](Decision const& each) { return each.runner_up().has_value(); });
    ASSERT_NE(decision, decisions_.end());
    constexpr std::size_t seeds = 120;
    auto const over_seeds = [&](SensitivityOptions options) {
        std::vector<OverSeeds> result(info().families.size());
        std::vector<std::vector<double>> scores(result.size());
        for (options.seed = 0; options.seed < seeds; ++options.seed) {
            Sensitivity const found = measured(*decision, options);
            for (std::size_t k = 0; k < result.size(); ++k) {
                scores[k].push_back(found.families[k].score);
                result[k].mean += found.families[k].score / seeds;
                result[k].intervals.push_back(found.families[k].score_interval);
            }
        }
        for (std::size_t k = 0; k < result.size(); ++k) {
            for (double const score : scores[k])
                result[k].variance += (score - result[k].mean) * (score - result[k].mean) / (seeds - 1);
        }
        return result;
    };
    auto const plain = over_seeds({.sizes = {0.3}, .shots = 6, .pool = 1});
    auto const sorted = over_seeds({.sizes = {0.3}, .shots = 6, .pool = 6});
    double plain_variance = 0;
    double sorted_variance = 0;
    std::size_t covered = 0;
    for (std::size_t k = 0; k < plain.size(); ++k) {
        double const error = std::sqrt((plain[k].variance + sorted[k].variance) / seeds);
        EXPECT_NEAR(sorted[k].mean, plain[k].mean, 4 * error + 1e-12) << info().families[k];
        plain_variance += plain[k].variance;
        sorted_variance += sorted[k].variance;
        covered += static_cast<std::size_t>(std::ranges::count_if(sorted[k].intervals, [&](auto const& interval) {
            return interval.low <= plain[k].mean && plain[k].mean <= interval.high;
        }));
    }
    // Random weights, whose gradients foretell little; what trained policies gain is in docs/methods.md.
    EXPECT_LT(sorted_variance, 1.25 * plain_variance);
    EXPECT_GE(covered, 93 * seeds * plain.size() / 100) << "intervals promise 95 %";
}

/// The same policy without its gradients.
class Blind final : public Policy {
public:
    explicit Blind(Policy const& eyes) : eyes_(eyes) {}
    [[nodiscard]] PolicyInfo const& info() const override { return eyes_.info(); }
    [[nodiscard]] PolicyTraits traits() const override { return {.differentiable = false}; }
    [[nodiscard]] Result<void> accepts(Observation const& observation) const override {
        return eyes_.accepts(observation);
    }
    [[nodiscard]] std::unique_ptr<Encoding> encode(std::span<Observation const> observations) const override {
        return eyes_.encode(observations);
    }
    [[nodiscard]] std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                               std::span<Observation const> observations,
                                               LogProbKind kind) const override {
        return eyes_.decode(encoding, rows, observations, kind);
    }
    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                  LogProbKind kind) const override {
        return eyes_.log_probs(observations, kind);
    }
    [[nodiscard]] bool encoding_changes() const override { return eyes_.encoding_changes(); }
    [[nodiscard]] std::vector<Gradient> gradients(std::span<Observation const>, std::span<std::vector<double> const>,
                                                  LogProbKind) const override {
        ADD_FAILURE() << "nobody may ask a blind policy for gradients";
        return {};
    }

private:
    Policy const& eyes_;
};

TEST_P(SensitivityOfDecisions, APolicyWithoutGradientsIsAskedTwiceAsManyPlainOnes) {
    auto const decision = std::ranges::find_if(decisions_, [](Decision const& each) { return each.runner_up().has_value(); });
    ASSERT_NE(decision, decisions_.end());
    auto const blind = sensitivity(Blind(*policy_), *decision, {.shots = 3, .pool = 5});
    ASSERT_TRUE(blind) << blind.error().message;
    Sensitivity const plain = measured(*decision, {.shots = 6, .pool = 1});
    for (std::size_t k = 0; k < info().families.size(); ++k) {
        EXPECT_EQ(blind->families[k].score, plain.families[k].score);
        EXPECT_EQ(blind->families[k].asked, plain.families[k].asked);
    }
}

TEST_P(SensitivityOfDecisions, SharesAddUpToOneAndErrorsShrinkWithShots) {
    double few = 0;
    double many = 0;
    for (std::size_t c = 0; c < decisions_.size(); c += 2) {
        Sensitivity const result = measured(decisions_[c], {.shots = 4});
        if (result.status != SensitivityStatus::computed) continue;
        double sum = 0;
        for (double const share : result.shares()) sum += share;
        EXPECT_NEAR(sum, 1, 1e-9);
        Sensitivity const more = measured(decisions_[c], {.shots = 36});
        for (std::size_t k = 0; k < result.families.size(); ++k) {
            few += result.families[k].error;
            many += more.families[k].error;
            EXPECT_GE(more.families[k].flip_rate, 0);
            EXPECT_LE(more.families[k].flip_rate, 1);
        }
        EXPECT_LE(more.forward_passes, 1 + 2 * 36 * info().families.size());
    }
    ASSERT_GT(few, 0);
    EXPECT_LT(many / few, 0.6); // nine times as many shots: a third, but for rare large distances
}

TEST_P(SensitivityOfDecisions, IsNeverSurerThanItsFewAnswersAllow) {
    for (std::size_t c = 0; c < decisions_.size(); c += 3) {
        Sensitivity const result = measured(decisions_[c], {.shots = 5});
        for (FamilySensitivity const& family : result.families) {
            EXPECT_LE(family.flip_interval.low, family.flip_rate + 1e-12);
            EXPECT_GE(family.flip_interval.high, family.flip_rate - 1e-12);
            EXPECT_LE(family.score_interval.low, family.score + 1e-12);
            EXPECT_GE(family.score_interval.high, family.score - 1e-12);
            EXPECT_LE(family.flip_rate - family.flip_error, family.flip_interval.low + 1e-12);
            EXPECT_GE(family.flip_rate + family.flip_error, family.flip_interval.high - 1e-12);
            if (family.flip_rate > 0) continue;
            // Were the rate the upper end, that many answers without a flip would be as rare as promised.
            double const rare = std::pow(1 - family.flip_interval.high, static_cast<double>(family.asked));
            EXPECT_LE(rare, 0.025 + 1e-9) << "no flip in " << family.asked;
            EXPECT_GT(family.flip_error, 0);
        }
    }
}

TEST_P(SensitivityOfDecisions, DependsOnTheSeedAndOnNothingElse) {
    auto const decision = std::ranges::find_if(decisions_, [](Decision const& each) { return each.runner_up().has_value(); });
    ASSERT_NE(decision, decisions_.end());
    Sensitivity const first = measured(*decision);
    Sensitivity const again = measured(*decision);
    Sensitivity const other = measured(*decision, {.seed = 1});
    EXPECT_EQ(first.shares(), again.shares());
    for (std::size_t k = 0; k < info().families.size(); ++k) {
        EXPECT_EQ(first.families[k].score, again.families[k].score);
    }
    auto const scores = [](Sensitivity const& found) {
        double sum = 0;
        for (FamilySensitivity const& family : found.families) sum += family.score;
        return sum;
    };
    EXPECT_NE(scores(first), scores(other));
}

TEST_P(SensitivityOfDecisions, SaysNothingWhereThereIsNoChoice) {
    for (Decision const& decision : decisions_) {
        if (decision.runner_up()) continue;
        Sensitivity const result = measured(decision);
        EXPECT_EQ(result.status, SensitivityStatus::no_choice);
        EXPECT_TRUE(result.families.empty());
        EXPECT_EQ(result.forward_passes, 0U);
    }
}

TEST_P(SensitivityOfDecisions, AsksAsOftenWhateverTheNumberOfFamilies) {
    std::size_t const families = info().families.size();
    EXPECT_EQ(usual_shots(families), 18 / families);
    auto const decision = std::ranges::find_if(decisions_, [](Decision const& each) { return each.runner_up().has_value(); });
    ASSERT_NE(decision, decisions_.end());
    Sensitivity const usual = measured(*decision), said = measured(*decision, {.shots = 18 / families});
    EXPECT_EQ(usual.shots, 18 / families);
    EXPECT_LE(usual.forward_passes, 1 + 2 * 18U);
    EXPECT_EQ(usual.shares(), said.shares());
}

TEST_P(SensitivityOfDecisions, RefusesSettingsThatMakeNoSense) {
    EXPECT_FALSE(sensitivity(*policy_, decisions_.front(), {.sizes = {}}));
    EXPECT_FALSE(sensitivity(*policy_, decisions_.front(), {.sizes = {-0.1}}));
    EXPECT_FALSE(sensitivity(*policy_, decisions_.front(), {.shots = 2'000'000}));
    EXPECT_FALSE(sensitivity(*policy_, decisions_.front(), {.pool = 0}));
}

TEST_P(SensitivityOfDecisions, ReferenceTableIsAValueOfItsIdentity) {
    ReferenceOptions options{.policy_sha256 = "abc",
                             .instance_size = size(),
                             .decisions = 7,
                             .per_instance = 2,
                             .sensitivity = {.shots = 2, .seed = 3},
                             .threads = 1};
    auto const table = sensitivity_reference(*GetParam(), *policy_, options);
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_EQ(table->shares.size(), 7U);
    EXPECT_EQ(table->identity, identity_of(*GetParam(), *policy_, options));
    options.threads = 2;
    EXPECT_EQ(sensitivity_reference(*GetParam(), *policy_, options)->shares, table->shares);
    options.sensitivity.seed = 4;
    EXPECT_NE(identity_of(*GetParam(), *policy_, options), table->identity);
    EXPECT_NE(identity_of(*GetParam(), *policy_, options).text(), table->identity.text());
}

TEST(ReferenceTableOfShares, PercentilesCountWhatIsBelowAndHalfOfWhatIsEqual) {
    ReferenceTable const table{{}, {{0.1, 0.9}, {0.2, 0.8}, {0.2, 0.8}, {0.6, 0.4}}};
    EXPECT_DOUBLE_EQ(table.percentile(0, 0.05), 0);
    EXPECT_DOUBLE_EQ(table.percentile(0, 0.2), 0.5);
    EXPECT_DOUBLE_EQ(table.percentile(0, 0.7), 1);
    EXPECT_EQ(table.percentiles({0.15, 0.85}), (std::vector<double>{0.25, 0.75}));
    EXPECT_EQ(unusual_family({0.25, 0.75}), 1U);
    EXPECT_EQ(unusual_family({0.5, 0.5}), 0U);
    EXPECT_FALSE(unusual_family({}));
}

INSTANTIATE_TEST_SUITE_P(Problems, SensitivityOfDecisions,
                         testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
