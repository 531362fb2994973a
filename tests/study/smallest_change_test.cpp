// The smallest change of one number, against trying a fine grid of sizes; and what the sampler names if every shot
// flips, against the shots themselves.
#include "run/one_number.hpp"
#include "run/sampler_prediction.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cax::study {
namespace {

struct Walked {
    std::unique_ptr<Policy> policy;
    Episode episode;
};

Walked episode(char const* problem, char const* size, std::uint64_t seed) {
    auto policy = make_policy(test::random_policy(problem, test::RandomPolicy{}, seed), {.threads = 1});
    EXPECT_TRUE(policy) << policy.error().message;
    Rng rng(seed);
    auto const instance = find_problem(problem)->generate(size, {}, rng);
    EXPECT_TRUE(instance) << instance.error().message;
    auto episodes = rollout(**policy, std::span(&*instance, 1), {.steps = 3});
    EXPECT_TRUE(episodes) << episodes.error().message;
    return {*std::move(policy), std::move(episodes->front())};
}

/// From the definition: the instance changes, the actions so far are repeated, the policy is asked.
bool flips(Walked const& on, std::size_t step, Features const& change) {
    auto const instance = changed(*on.episode.instance, change);
    if (!instance) return false;
    auto const prefix = on.episode.actions();
    auto const state = replay_actions(**instance, std::span(prefix).first(step));
    if (!state || (*state)->done() || nothing_allowed(**state)) return false;
    if (envelope_violation(**state, (*state)->features())) return false;
    Observation const seen = on.policy->observe(**state);
    return most_probable(on.policy->log_probs(std::span(&seen, 1)).front()) != on.episode.decisions[step].action;
}

/// Calls `use` with every change of one number to this part of its budget, and its size.
template <class Use> void for_every_number(Instance const& instance, double part, Use const& use) {
    Features const from = instance.reset()->features();
    auto const may_move = adjustable(instance);
    Perturbation const limits(instance, from, may_move, {});
    for (std::size_t t = 0; t < from.size(); ++t) {
        for (std::size_t i = 0; i < from[t].values.size(); ++i) {
            if (may_move[t][i] == 0 || limits.budget(t) == 0) continue;
            for (double const sign : {-1.0, 1.0}) {
                Features change = zero_change(from);
                change[t].values[i] = sign * part * limits.budget(t);
                use(change, part * limits.budget(t));
            }
        }
    }
}

double smallest_on_a_grid(Walked const& on, std::size_t step) {
    constexpr int points = 100;
    double smallest = std::numeric_limits<double>::infinity();
    for (int k = 1; k <= points; ++k) {
        for_every_number(*on.episode.instance, static_cast<double>(k) / points, [&](Features const& change, double size) {
            if (size < smallest && flips(on, step, change)) smallest = size;
        });
    }
    return smallest;
}

TEST(OneNumber, FindsNoLargerChangeThanAFineGrid) {
    std::size_t found_flips = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        for (auto const& [problem, size] : {std::pair("op", "6"), std::pair("knapsack", "6")}) {
            Walked const on = episode(problem, size, seed);
            for (std::size_t step = 0; step < on.episode.decisions.size(); ++step) {
                auto const found = find_one_number(*on.policy, on.episode, step, {});
                ASSERT_TRUE(found) << found.error().message;
                double const grid = smallest_on_a_grid(on, step);
                ASSERT_EQ(found->flip.has_value(), std::isfinite(grid)) << problem << seed << ' ' << step;
                if (!found->flip) continue;
                ++found_flips;
                EXPECT_EQ(found->flip->entries, 1U);
                EXPECT_LE(found->flip->l1, 1.05 * grid) << problem << seed << ' ' << step;
                EXPECT_TRUE(flips(on, step, found->flip->change));
                EXPECT_LT(found->none_at, found->flip->l1);
            }
        }
    }
    EXPECT_GE(found_flips, 8U);
}

TEST(OneNumber, NothingFlipsWhereItSaysThatEveryNumberWasTried) {
    Walked const on = episode("op", "6", 2);
    auto const found = find_one_number(*on.policy, on.episode, 0, {.search = {}, .levels = 8, .rounds = 4});
    ASSERT_TRUE(found);
    ASSERT_GT(found->none_at, 0);
    Features const from = on.episode.instance->reset()->features();
    Perturbation const limits(*on.episode.instance, from, adjustable(*on.episode.instance), {});
    std::size_t numbers = 0;
    for_every_number(*on.episode.instance, 1, [&](Features change, double) {
        ++numbers;
        for (Feature& tensor : change) {
            for (double& value : tensor.values)
                value = std::copysign(std::min(std::fabs(value), found->none_at), value);
        }
        EXPECT_FALSE(flips(on, 0, change));
    });
    EXPECT_EQ(numbers, 2 * found->movable);
}

TEST(SamplerPrediction, NamesTheFamilyOfTheSmallestPossibleShotWhateverThePolicyDoes) {
    for (auto const& [problem, size] :
         {std::pair("op", "8"), std::pair("cvrptw", "8"), std::pair("fjsp", "3x2"), std::pair("pctsp", "8")}) {
        Walked const on = episode(problem, size, 3);
        CounterfactualOptions options;
        options.shots = 24;
        for (bool const joint : {false, true}) {
            options.perturbation.joint = joint;
            auto const shots = evaluate_shots(*on.policy, on.episode, 0, options);
            ASSERT_TRUE(shots) << shots.error().message;
            ShotOutcome const* smallest = nullptr;
            std::size_t possible = 0;
            for (ShotOutcome const& shot : *shots) {
                if (!shot.feasible || shot.l1 == 0) continue;
                ++possible;
                if (smallest == nullptr || shot.l1 < smallest->l1) smallest = &shot;
            }
            CounterfactualOptions plain = options;
            plain.perturbation.joint = false;
            auto const predicted = predict_sampler(*on.episode.instance, on.episode.decisions[0], plain);
            auto const named = predicted.of(joint ? SamplerReading::joint : SamplerReading::one_tensor);
            EXPECT_EQ(named.has_value(), smallest != nullptr) << problem;
            if (smallest == nullptr || joint) continue;
            ProblemInfo const& info = on.episode.instance->problem().info();
            EXPECT_EQ(*named, info.tensors[smallest->shot % info.tensors.size()].family) << problem;
            EXPECT_EQ(predicted.possible, possible) << problem;
        }
    }
}

} // namespace
} // namespace cax::study
