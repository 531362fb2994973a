#include "cax/explain/guided.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
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
        auto episodes = rollout(*policy_, instances);
        ASSERT_TRUE(episodes) << episodes.error().message;
        walks_ = *std::move(episodes);
    }
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] GuidedFlip found(Episode const& episode, std::size_t step, GuidedOptions const& options) const {
        auto result = find_guided(*policy_, episode, step, options);
        EXPECT_TRUE(result) << result.error().message;
        return *result;
    }
    std::unique_ptr<Policy> policy_;
    std::vector<Episode> walks_;
};

TEST_P(GuidedFlips, FlipWhenTheyAreTriedAgain) {
    std::size_t flips = 0;
    for (Episode const& episode : walks_) {
        for (std::size_t step = 0; step < episode.decisions.size(); ++step) {
            GuidedFlip const result = found(episode, step, {});
            EXPECT_LE(result.forward_passes, 28U);
            if (!result.flip) continue;
            ++flips;
            ASSERT_TRUE(result.flip->state);
            std::vector<Observation> const seen{result.flip->state->observe()};
            std::size_t const action = most_probable(policy_->log_probs(seen).front());
            EXPECT_EQ(action, result.flip->new_action);
            EXPECT_NE(action, episode.decisions[step].action);
        }
    }
    EXPECT_GT(flips, 2U);
}

TEST_P(GuidedFlips, OfOneNumberAreAsSmallAsAnyOnAGrid) {
    std::size_t compared = 0;
    std::size_t const stride = walks_[0].decisions.size() > 6 ? 3 : 2;
    for (std::size_t step = 0; step < walks_[0].decisions.size(); step += stride) {
        Episode const& episode = walks_[0];
        if (!episode.decisions[step].runner_up()) continue;
        GuidedOptions options{.passes = 100'000, .single = true, .everything = true, .accuracy = 0.02};
        GuidedFlip const result = found(episode, step, options);
        EXPECT_FALSE(result.exhausted);
        EXPECT_LE(result.tried, 2 * result.entries);
        if (result.flip) {
            EXPECT_EQ(result.flip->entries, 1U);
        }
        // Every number, both ways, at ten sizes up to its budget, one after the other.
        Features const from = episode.instance->reset()->features();
        Adjustable const movable = adjustable(*episode.instance);
        auto const prefix = episode.actions();
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t t = 0; t < from.size(); ++t) {
            for (std::size_t i = 0; i < from[t].values.size(); ++i) {
                for (int grid = -10; grid <= 10; ++grid) {
                    double const by = info().tensors[t].budget * grid / 10;
                    if (by == 0 || movable[t][i] == 0 || std::fabs(by) >= best) continue;
                    Features change = zero_change(from);
                    change[t].values[i] = by;
                    auto const instance = changed(*episode.instance, change);
                    if (!instance) continue;
                    auto const state = replay_actions(**instance, std::span(prefix).first(step));
                    if (!state || (*state)->done() || nothing_allowed(**state)) continue;
                    if (envelope_violation(**state, (*state)->features())) continue;
                    std::vector<Observation> const seen{(*state)->observe()};
                    if (most_probable(policy_->log_probs(seen).front()) != episode.decisions[step].action)
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
    for (std::size_t step = 0; step < walks_[0].decisions.size(); ++step) {
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

/// Can a rule be made to forbid the choice by moving one number of its node as far as it goes? By replay alone.
bool rule_can_forbid(Episode const& episode, std::size_t step) {
    Decision const& decision = episode.decisions[step];
    ProblemInfo const& info = episode.instance->problem().info();
    auto const node = episode.instance->problem().presentation().node_of(*decision.state, decision.action);
    Features const from = episode.instance->reset()->features();
    Adjustable const movable = adjustable(*episode.instance);
    auto const prefix = episode.actions();
    for (std::size_t t = 0; t < from.size() && node; ++t) {
        for (std::size_t i = 0; i < from[t].values.size(); ++i) {
            if (movable[t][i] == 0 || node_of(info.tensors[t], from[t].shape, i) != *node) continue;
            for (double const by : {-info.tensors[t].budget, info.tensors[t].budget}) {
                Features change = zero_change(from);
                change[t].values[i] = by;
                auto const instance = changed(*episode.instance, change);
                if (!instance) continue;
                auto const state = replay_actions(**instance, std::span(prefix).first(step));
                if (!state || (*state)->done() || nothing_allowed(**state)) continue;
                if (envelope_violation(**state, (*state)->features())) continue;
                if ((*state)->action_mask()[decision.action] == 0) return true;
            }
        }
    }
    return false;
}

TEST_P(GuidedFlips, AreFoundWhereverARuleCanForbidTheChoice) {
    for (Episode const& episode : walks_) {
        for (std::size_t step = 0; step < episode.decisions.size(); ++step) {
            if (!rule_can_forbid(episode, step)) continue;
            EXPECT_TRUE(found(episode, step, {.passes = 100'000}).flip) << "step " << step;
        }
    }
}

/// Raising the demands of all that is on board and of the choice by one unit: does the rule then forbid the choice?
std::optional<double> size_that_overloads(Episode const& episode, std::size_t step) {
    Features const from = episode.instance->reset()->features();
    auto const& tensors = episode.instance->problem().info().tensors;
    auto const demand =
        static_cast<std::size_t>(std::ranges::find(tensors, "demand", &TensorInfo::name) - tensors.begin());
    auto const prefix = episode.actions();
    double const unit = units_of(*episode.instance, demand).grain;
    Features change = zero_change(from);
    double size = 0;
    for (std::size_t t = step + 1; t-- > 0 && prefix[t] != 0;) { // back to the last visit to the depot
        change[demand].values[prefix[t] - 1] = unit;
        size += unit;
    }
    auto const instance = changed(*episode.instance, change);
    if (size == 0 || !instance) return std::nullopt;
    auto const state = replay_actions(**instance, std::span(prefix).first(step));
    if (!state || nothing_allowed(**state) || envelope_violation(**state, (*state)->features())) return std::nullopt;
    return (*state)->action_mask()[prefix[step]] == 0 ? std::optional(size) : std::nullopt;
}

/// The third customer of a route fits with two units to spare, whatever one of the three demands is raised by.
TEST(GuidedFlipsOfSeveralNumbers, FillTheVehicleWhereOneDemandAloneDoesNot) {
    std::string const anywhen = R"("window": [0, 1000], "service": 1})";
    std::string customers;
    for (int i = 0; i < 6; ++i) {
        customers += fmt::format(R"({}{{"x": {}, "y": {}, "demand": 6, {})", i == 0 ? "" : ",", 10 + 15 * i,
                                 90 - 31 * i % 80, anywhen);
    }
    std::string const text = R"({"capacity": 20, "depot": {"x": 50, "y": 50, "window": [0, 1000]}, "customers": [)";
    auto const instance = find_problem("cvrptw")->exchange().from_json(Json::parse(text + customers + "]}"));
    ASSERT_TRUE(instance) << instance.error().message;
    std::size_t overloaded = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        auto const policy = make_policy(test::random_policy("cvrptw", 16, 1, seed), {.threads = 1});
        ASSERT_TRUE(policy);
        auto const episodes = rollout(**policy, std::vector{*instance});
        ASSERT_TRUE(episodes) << episodes.error().message;
        for (std::size_t step = 0; step < episodes->front().decisions.size(); ++step) {
            auto const size = size_that_overloads(episodes->front(), step);
            if (!size) continue;
            ++overloaded;
            auto const result = find_guided(**policy, episodes->front(), step);
            ASSERT_TRUE(result && result->flip) << "step " << step;
            EXPECT_LE(result->flip->l1, *size * 1.0001) << "step " << step;
        }
    }
    EXPECT_GT(overloaded, 0U);
}

TEST_P(GuidedFlips, EndAtWholeValuesWhereAnInstanceHasThem) {
    std::size_t whole = 0;
    std::size_t others = 0; // as far as a budget or a box goes
    for (Episode const& episode : walks_) {
        for (std::size_t step = 0; step < episode.decisions.size(); ++step) {
            GuidedFlip const result = found(episode, step, {});
            if (!result.flip) continue;
            for (EntryChange const& entry : result.flip->changes) {
                double const grain = units_of(*episode.instance, entry.tensor).grain;
                if (!(grain > 0)) continue;
                double const steps = entry.to / grain;
                ++(std::fabs(steps - std::round(steps)) < 1e-3 ? whole : others);
            }
        }
    }
    EXPECT_LE(others, whole / 10) << "beside " << whole;
}

TEST_P(GuidedFlips, AreAlmostNeverLargerThanTheSamplers) {
    std::size_t both = 0;
    std::size_t larger = 0;
    for (Episode const& episode : walks_) {
        for (std::size_t step = 0; step < episode.decisions.size(); ++step) {
            auto const sampled = find_counterfactual(*policy_, episode, step, {});
            ASSERT_TRUE(sampled) << sampled.error().message;
            GuidedFlip const guided = found(episode, step, {});
            if (sampled->flips.empty() || !guided.flip) continue;
            ++both;
            larger += guided.flip->l1 > sampled->flips.front().l1 ? 1 : 0;
        }
    }
    EXPECT_LE(larger, 1 + both / 10) << larger << " of " << both;
}

TEST_P(GuidedFlips, ComeOutTheSameHoweverOftenTheyAreLookedFor) {
    for (std::size_t step = 0; step < walks_[0].decisions.size(); ++step) {
        GuidedFlip const once = found(walks_[0], step, {});
        GuidedFlip const twice = found(walks_[0], step, {});
        ASSERT_EQ(once.flip.has_value(), twice.flip.has_value());
        EXPECT_EQ(once.forward_passes, twice.forward_passes);
        for (std::size_t t = 0; once.flip && t < once.flip->change.size(); ++t) {
            EXPECT_EQ(once.flip->change[t].values, twice.flip->change[t].values);
        }
    }
}

/// What does not exist may come into being: an action that this allows and the policy takes is one unit away.
TEST(GuidedFlipsOfWhatIsMissing, MostlyNeedNoMoreThanTheSmallestStep) {
    Problem const& fjsp = *find_problem("fjsp");
    auto const policy = make_policy(test::random_policy("fjsp", 16, 1, 7), {.threads = 1});
    ASSERT_TRUE(policy);
    Rng rng(3);
    auto const episodes = rollout(**policy, std::vector{*fjsp.generate("4x3", {}, rng)});
    ASSERT_TRUE(episodes);
    GuidedOptions options{.passes = 100'000};
    options.search.kind = ChangeKind::primitive;
    Episode const& episode = episodes->front();
    Features const from = episode.instance->reset()->features();
    Adjustable const movable = adjustable(*episode.instance, ChangeKind::primitive);
    auto const prefix = episode.actions();
    std::size_t opened = 0;
    std::size_t reached = 0;
    for (std::size_t step = 0; step < episode.decisions.size(); ++step) {
        bool flips = false;
        for (std::size_t i = 0; i < from[0].values.size(); ++i) {
            if (from[0].values[i] != 0 || movable[0][i] == 0) continue;
            Features change = zero_change(from);
            change[0].values[i] = units_of(*episode.instance, 0).grain;
            auto const instance = changed(*episode.instance, change, ChangeKind::primitive);
            if (!instance) continue;
            auto const state = replay_actions(**instance, std::span(prefix).first(step));
            if (!state || (*state)->done() || nothing_allowed(**state)) continue;
            std::vector<Observation> const seen{(*state)->observe()};
            std::size_t const action = most_probable((*policy)->log_probs(seen).front());
            flips = flips || episode.decisions[step].state->action_mask()[action] == 0;
        }
        if (!flips) continue;
        ++opened;
        auto const result = find_guided(**policy, episode, step, options);
        ASSERT_TRUE(result && result->flip) << "step " << step;
        reached += result->flip->l1 <= units_of(*episode.instance, 0).grain * 1.0001 ? 1 : 0;
    }
    // With all of them there at once the policy may prefer one that it would not take alone.
    EXPECT_GT(2 * reached, opened);
}

TEST_P(GuidedFlips, RefuseWhatMakesNoSense) {
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 1000));
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 0, {.passes = 0}));
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 0, {.accuracy = 2}));
    GuidedOptions options;
    options.search.towards = walks_[0].decisions[0].action;
    EXPECT_FALSE(find_guided(*policy_, walks_[0], 0, options));
}

INSTANTIATE_TEST_SUITE_P(Problems, GuidedFlips, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
