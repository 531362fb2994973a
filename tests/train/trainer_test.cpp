#include "cax/train/trainer.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::train {
namespace {

TrainSettings short_settings(std::string size, std::uint64_t instances) {
    TrainSettings settings;
    settings.size = std::move(size);
    settings.instances = instances;
    settings.batch = 16;
    settings.forced = 6;
    settings.free = 4;
    settings.validation = 4;
    settings.validate_every = instances / 2;
    settings.threads = 1;
    return settings;
}
constexpr NetworkDesign small{.embed_dim = 16, .layers = 1, .heads = 4};

TrainState run(Problem const& problem, TrainSettings const& settings, TrainState start, TrainListener const& listener) {
    auto end = train(problem, settings, std::move(start), listener);
    EXPECT_TRUE(end) << end.error().message;
    return *std::move(end);
}

TrainState fresh(Problem const& problem, TrainSettings const& settings, NetworkDesign const& design = small) {
    auto state = initial_state(problem, settings, design);
    EXPECT_TRUE(state) << state.error().message;
    return *std::move(state);
}

void expect_same(TrainState const& a, TrainState const& b) {
    ASSERT_EQ(a.policy.tensors.size(), b.policy.tensors.size());
    for (auto const& [name, tensor] : a.policy.tensors)
        EXPECT_TRUE(std::ranges::equal(tensor.bytes(), b.policy.tensors.at(name).bytes())) << name;
    EXPECT_EQ(a.first_moment, b.first_moment);
    EXPECT_EQ(a.second_moment, b.second_moment);
    EXPECT_EQ(a.instances, b.instances);
    EXPECT_EQ(a.best, b.best);
}

TEST(Trainer, ResumedFromACheckpointEndsWithTheSameBytes) {
    for (Problem const* const problem : all_problems()) {
        auto const settings = short_settings(problem->info().size_hint == "N" ? "6" : "3x2", 96);
        TrainState const whole = run(*problem, settings, fresh(*problem, settings), {});
        std::size_t steps = 0;
        TrainListener const killed{.stop = [&] { return ++steps == 3; }};
        TrainState const half = run(*problem, settings, fresh(*problem, settings), killed);
        EXPECT_EQ(half.instances, 48U);
        auto resumed = from_checkpoint(to_checkpoint(half, "settings"), "settings");
        ASSERT_TRUE(resumed) << resumed.error().message;
        expect_same(run(*problem, settings, *std::move(resumed), {}), whole);
    }
}

TEST(Trainer, DoesNotDependOnTheNumberOfThreads) {
    Problem const& problem = *find_problem("op");
    auto settings = short_settings("7", 64);
    TrainState const one = run(problem, settings, fresh(problem, settings), {});
    settings.threads = 3;
    expect_same(run(problem, settings, fresh(problem, settings), {}), one);
}

TEST(Trainer, RefusesACheckpointOfOtherSettings) {
    Problem const& problem = *find_problem("op");
    auto const settings = short_settings("6", 32);
    auto const file = to_checkpoint(fresh(problem, settings), "seed=1");
    auto const state = from_checkpoint(file, "seed=2");
    ASSERT_FALSE(state);
    EXPECT_NE(state.error().message.find("seed=1"), std::string::npos);
}

TEST(Trainer, StopsWithAMessageWhenThePolicyIsNoLongerANumber) {
    Problem const& problem = *find_problem("op");
    auto settings = short_settings("6", 6400);
    settings.learning_rate = 1e30;
    settings.clip = 1e30;
    auto const end = train(problem, settings, fresh(problem, settings), {});
    ASSERT_FALSE(end);
    EXPECT_NE(end.error().message.find("not"), std::string::npos) << end.error().message;
}

/// The rule that collects the best prize per distance from the current node among the allowed customers.
double greedy_rule(Instance const& instance) {
    StatePtr const state = instance.reset();
    Features const features = state->features();
    auto const& locs = features[0].values;
    auto const& prize = features[1].values;
    std::size_t current = 0;
    while (!state->done()) {
        std::size_t best = 0;
        double best_ratio = -1;
        for (std::size_t i = 1; i < prize.size(); ++i) {
            if (!state->action_mask()[i]) continue;
            double const distance =
                std::hypot(locs[2 * i] - locs[2 * current], locs[2 * i + 1] - locs[2 * current + 1]);
            double const ratio = prize[i] / std::max(distance, 1e-9);
            if (ratio > best_ratio) best_ratio = ratio, best = i;
        }
        state->step(best);
        current = best;
    }
    return state->cost();
}

TEST(Trainer, LearnsToBeatTheGreedyRuleOnSmallOrienteering) {
    Problem const& problem = *find_problem("op");
    auto settings = short_settings("10", 8000);
    settings.batch = 32;
    settings.learning_rate = 2e-3;
    settings.threads = 2;
    settings.validate_every = 100000;
    NetworkDesign const design{.embed_dim = 32, .layers = 2, .heads = 4};
    TensorFile best;
    TrainListener const listener{.save_best = [&](TensorFile const& policy) -> Result<void> {
        best = policy;
        return {};
    }};
    (void)run(problem, settings, fresh(problem, settings, design), listener);
    auto const policy = make_policy(best);
    ASSERT_TRUE(policy) << policy.error().message;
    std::vector<InstancePtr> instances;
    double rule = 0;
    for (std::uint32_t i = 0; i < 200; ++i) {
        Rng rng(99, i);
        instances.push_back(*problem.generate("10", {}, rng));
        rule += greedy_rule(*instances.back()) / 200;
    }
    auto const episodes = decode(**policy, instances, {});
    ASSERT_TRUE(episodes);
    double learned = 0;
    for (Episode const& episode : *episodes) learned += episode.cost / 200;
    EXPECT_GT(learned, rule);
}

} // namespace
} // namespace cax::train
