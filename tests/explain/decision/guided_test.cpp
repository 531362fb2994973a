#include "cax/explain/guided.hpp"

#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class GuidedFlips : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        auto made = make_policy(test::random_policy(info().name, 16, 1, 7), {.threads = 1});
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        std::vector<InstancePtr> instances;
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            Rng rng(seed);
            instances.push_back(*GetParam()->generate(info().size_hint == "N" ? "8" : "3x2", {}, rng));
        }
        auto walks = walk(*policy_, instances);
        ASSERT_TRUE(walks) << walks.error().message;
        walks_ = *std::move(walks);
    }
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] GuidedFlip found(Walk const& walk, std::size_t step, GuidedOptions const& options) const {
        auto result = find_guided(*policy_, walk, step, options);
        EXPECT_TRUE(result) << result.error().message;
        return *result;
    }
    std::unique_ptr<Policy> policy_;
    std::vector<Walk> walks_;
};

TEST_P(GuidedFlips, FlipWhenTheyAreTriedAgain) {
    std::size_t flips = 0;
    for (Walk const& walk : walks_) {
        for (std::size_t step = 0; step < walk.cells.size(); ++step) {
            GuidedFlip const result = found(walk, step, {});
            EXPECT_LE(result.forward_passes, 28U + 6U);
            if (!result.flip) continue;
            ++flips;
            ASSERT_TRUE(result.flip->state);
            std::vector<Observation> const seen{result.flip->state->observe()};
            std::size_t const action = most_probable(policy_->log_probs(seen).front());
            EXPECT_EQ(action, result.flip->new_action);
            EXPECT_NE(action, walk.cells[step].action);
        }
    }
    EXPECT_GT(flips, 2U);
}

TEST_P(GuidedFlips, OfOneNumberAreAsSmallAsAnyOnAGrid) {
    std::size_t compared = 0;
    std::size_t const stride = walks_[0].cells.size() > 6 ? 3 : 2;
    for (std::size_t step = 0; step < walks_[0].cells.size(); step += stride) {
        Walk const& walk = walks_[0];
        if (!walk.cells[step].runner_up()) continue;
        GuidedOptions options{.passes = 100'000, .single = true, .everything = true, .accuracy = 0.02};
        GuidedFlip const result = found(walk, step, options);
        EXPECT_FALSE(result.exhausted);
        EXPECT_LE(result.tried, 2 * result.entries);
        if (result.flip) {
            EXPECT_EQ(result.flip->entries, 1U);
        }
        // Every number, both ways, at ten sizes up to its budget, one after the other.
        Features const from = walk.instance->reset()->features();
        Adjustable const movable = adjustable(*walk.instance);
        auto const prefix = walk.actions();
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t t = 0; t < from.size(); ++t) {
            for (std::size_t i = 0; i < from[t].values.size(); ++i) {
                for (int grid = -10; grid <= 10; ++grid) {
                    double const by = info().tensors[t].budget * grid / 10;
                    if (by == 0 || movable[t][i] == 0 || std::fabs(by) >= best) continue;
                    Features change = zero_change(from);
                    change[t].values[i] = by;
                    auto const instance = changed(*walk.instance, change);
                    if (!instance) continue;
                    auto const state = replay(**instance, std::span(prefix).first(step));
                    if (!state || (*state)->done() || nothing_allowed(**state)) continue;
                    if (envelope_violation(**state, (*state)->features())) continue;
                    std::vector<Observation> const seen{(*state)->observe()};
                    if (most_probable(policy_->log_probs(seen).front()) != walk.cells[step].action)
                        best = std::fabs(by);
                }
            }
        }
        ++compared;
        if (std::isinf(best)) continue;
        // Flips need not stay flips further on, so the bisection may miss an island; it never misses by much here.
        ASSERT_TRUE(result.flip) << "a grid finds one of size " << best;
        EXPECT_LE(result.flip->l1, 1.15 * best);
    }
    EXPECT_GT(compared, 1U);
}

TEST_P(GuidedFlips, StayInsideTheBoxesOfTheGenerator) {
    auto const boxes = generator_boxes(*walks_[0].instance);
    ASSERT_TRUE(boxes) << boxes.error().message;
    GuidedOptions options;
    options.search.perturbation.boxes = *boxes;
    for (std::size_t step = 0; step < walks_[0].cells.size(); ++step) {
        GuidedFlip const result = found(walks_[0], step, options);
        if (!result.flip) continue;
        for (EntryChange const& change : result.flip->changes) {
            if (!(*boxes)[change.tensor]) continue;
            Box const& box = *(*boxes)[change.tensor];
            double const slip = 1e-4 * (1 + std::fabs(change.to));
            EXPECT_GE(change.to, std::min(box.low, change.from) - slip);
            EXPECT_LE(change.to, std::max(box.high, change.from) + slip);
        }
    }
}

TEST_P(GuidedFlips, RefuseWhatMakesNoSense) {
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 1000));
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 0, {.passes = 0}));
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 0, {.accuracy = 2}));
    GuidedOptions options;
    options.search.towards = walks_[0].cells[0].action;
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 0, options));
}

INSTANTIATE_TEST_SUITE_P(Problems, GuidedFlips, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
