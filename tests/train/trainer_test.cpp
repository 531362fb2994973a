#include "cax/train/trainer.hpp"

#include "cax/core/json.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace cax::train {
namespace {

using testing::HasSubstr;

Json const identity = {{"settings", "the same"}};

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
constexpr NetworkDesign small{.embed_dim = 32, .layers = 1, .heads = 4}; // wide enough for matrices

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
    EXPECT_EQ(a.average, b.average);
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
        auto resumed = from_checkpoint(to_checkpoint(half, identity), identity);
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

TEST(Trainer, ImitatesFirstAndGoesOnWithItsOwnRoutesImproved) {
    Problem const& problem = *find_problem("cvrptw");
    auto settings = short_settings("8", 96);
    settings.imitate = 0.5;
    settings.imitate_iterations = 50;
    settings.polish = 20;
    std::vector<double> costs;
    std::size_t steps = 0;
    TrainListener const listener{.report = [&](Progress const& now) { costs.push_back(now.mean_cost); }};
    TrainState const whole = run(problem, settings, fresh(problem, settings), listener);
    ASSERT_EQ(costs.size(), 6U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(costs[i], 0.8 * costs[3 + i]) << "a beginner's routes are longer";
    // Stopped in the middle of it, resumed, on two threads: the same.
    settings.threads = 2;
    TrainState half = run(problem, settings, fresh(problem, settings), {.stop = [&] { return ++steps == 2; }});
    auto resumed = from_checkpoint(to_checkpoint(half, identity), identity);
    ASSERT_TRUE(resumed) << resumed.error().message;
    expect_same(run(problem, settings, *std::move(resumed), {}), whole);
}

TEST(Trainer, TaughtByPricesLearnsToPack) {
    Problem const& problem = *find_problem("knapsack");
    auto settings = short_settings("10", 4000);
    settings.price = 10'000;
    settings.forced = 0;
    settings.free = 2;
    settings.validation = 64;
    std::vector<double> greedy;
    TrainListener const listener{.report = [&](Progress const& now) {
        if (now.validation) greedy.push_back(now.validation->greedy);
    }};
    TrainState const end = run(problem, settings, fresh(problem, settings), listener);
    ASSERT_EQ(greedy.size(), 2U);
    auto const untaught = initial_state(problem, settings, small);
    auto const beginner = make_policy(untaught->policy), pupil = make_policy(end.policy);
    ASSERT_TRUE(beginner && pupil);
    double before = 0, after = 0, best = 0;
    std::vector<InstancePtr> instances;
    for (std::uint32_t i = 0; i < 100; ++i) {
        Rng rng(77, i);
        instances.push_back(*problem.generate("10", {}, rng));
        best += search(*instances.back(), {.seconds = 60, .stop = {}})->cost;
    }
    auto const beginners = decode(**beginner, instances, {}), pupils = decode(**pupil, instances, {});
    for (Trajectory const& episode : *beginners) before += episode.cost;
    for (Trajectory const& episode : *pupils) after += episode.cost;
    EXPECT_LT(best - after, 0.3 * (best - before)) << "of " << best << ", " << before << " before, " << after;

    settings.instances = 1600; // then it may settle
    double entropy = 0;
    TrainListener const last{.report = [&](Progress const& now) { entropy = now.entropy; }};
    auto const again = state_from_policy(problem, settings, end.policy);
    ASSERT_TRUE(again);
    run(problem, settings, *again, last);
    double const undecided = entropy;
    settings.settle = 1;
    run(problem, settings, *again, last);
    EXPECT_LT(entropy, 0.8 * undecided);

    settings.threads = 2; // and it does not matter how many do it
    settings.instances = 64;
    TrainState const two = run(problem, settings, fresh(problem, settings), {});
    settings.threads = 1;
    expect_same(run(problem, settings, fresh(problem, settings), {}), two);
}

TEST(Trainer, RefusesACheckpointOfOtherSettings) {
    Problem const& problem = *find_problem("op");
    auto const settings = short_settings("6", 32);
    auto const refusal = [&](Json const& written, Json const& asked) {
        auto const state = from_checkpoint(to_checkpoint(fresh(problem, settings), written), asked);
        return state ? std::string("accepted") : state.error().message;
    };
    Json const one = {{"size", "6"}, {"seed", 1}};
    EXPECT_EQ(refusal(one, one), "accepted");
    EXPECT_THAT(refusal(one, {{"size", "6"}, {"seed", 2}}), HasSubstr("seed was 1 and is 2"));
    EXPECT_THAT(refusal(one, {{"size", "6"}}), HasSubstr("seed was 1 and is nothing"));
    EXPECT_THAT(refusal("seed=1", one), HasSubstr("a version that noted other settings"));
    EXPECT_EQ(refusal({{"from", "caf\xe9"}}, {{"from", "caf\xe9"}}), "accepted") << "a file name that is no UTF-8";
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

TEST(StepPlan, HasSmallStepsWhereInputsAreLargeAndNoneForBuffers) {
    for (Problem const* const problem : all_problems()) {
        auto const settings = short_settings(problem->info().size_hint == "N" ? "8" : "3x2", 32);
        TrainState const start = fresh(*problem, settings);
        auto const plan = step_plan(*problem, settings.size, start.policy, 1);
        ASSERT_TRUE(plan) << plan.error().message;
        std::vector<float> const& scales = plan->scales;
        auto const network = make_trainable(start.policy);
        std::vector<std::uint8_t> const movable = (*network)->movable();
        ASSERT_EQ(scales.size(), movable.size());
        for (std::size_t i = 0; i < movable.size(); ++i) EXPECT_EQ(scales[i] != 0, movable[i] != 0) << i;
        double const smallest = *std::ranges::min_element(
            scales, {}, [](float scale) { return scale > 0 ? scale : std::numeric_limits<float>::infinity(); });
        // Times up to 480 in one problem, unit squares and job numbers in the others.
        if (problem->info().name == "cvrptw")
            EXPECT_LT(smallest, 0.02);
        else
            EXPECT_GT(smallest, 0.1);
    }
}

TEST(StepPlan, NamesMatricesThatDoNotOverlapAndReadNoInputs) {
    for (Problem const* const problem : all_problems()) {
        auto const settings = short_settings(problem->info().size_hint == "N" ? "8" : "3x2", 32);
        TrainState const start = fresh(*problem, settings);
        auto const plan = step_plan(*problem, settings.size, start.policy, 1);
        ASSERT_TRUE(plan) << plan.error().message;
        ASSERT_FALSE(plan->matrices.empty());
        std::size_t end = 0;
        for (MatrixSlice const& matrix : plan->matrices) {
            EXPECT_GE(matrix.offset, end);
            end = matrix.offset + matrix.rows * matrix.cols;
            ASSERT_LE(end, plan->scales.size());
            EXPECT_LE(matrix.rows, matrix.cols) << "tall ones come in pieces";
            for (std::size_t i = matrix.offset; i < end; ++i) ASSERT_EQ(plan->scales[i], 1);
        }
    }
}

TEST(Trainer, SpendsATimeBudgetAndDecaysTheLearningRateOverIt) {
    Problem const& problem = *find_problem("op");
    auto settings = short_settings("6", 16); // far fewer instances than fit into the time
    settings.minutes = 0.005;
    settings.validate_every = 1'000'000'000;
    Progress last;
    double highest = 0;
    TrainListener const listener{.report = [&](Progress const& now) {
        last = now;
        highest = std::max(highest, now.learning_rate);
    }};
    TrainState const end = run(problem, settings, fresh(problem, settings), listener);
    EXPECT_GE(last.fraction, 1);
    EXPECT_GE(end.seconds, 60 * settings.minutes);
    EXPECT_GT(end.instances, 16U);
    EXPECT_LT(last.learning_rate, highest);
    EXPECT_TRUE(last.validation) << "the end of a run is validated";
}

TEST(Trainer, KeepsARunningAverageOfTheWeights) {
    Problem const& problem = *find_problem("op");
    auto settings = short_settings("6", 16 * 30);
    settings.average = 0.6;
    std::vector<float> expected;
    std::size_t steps = 0;
    auto const weights_of = [](TensorFile const& file) {
        auto const network = make_trainable(file);
        return std::vector<float>((*network)->parameters().begin(), (*network)->parameters().end());
    };
    TrainState const start = fresh(problem, settings);
    expected = weights_of(start.policy);
    TensorFile saved;
    TrainListener const listener{
        .save_best = [&](TensorFile const& policy) -> Result<void> { return saved = policy, Result<void>{}; },
        .checkpoint = [&](auto const& snapshot) -> Result<void> {
            TrainState const now = snapshot();
            double const keep = std::min(0.6, static_cast<double>(steps + 1) / static_cast<double>(steps + 11));
            ++steps;
            std::vector<float> const moved = weights_of(now.policy);
            for (std::size_t i = 0; i < moved.size(); ++i) {
                expected[i] = static_cast<float>(keep * double{expected[i]} + (1 - keep) * double{moved[i]});
                EXPECT_NEAR(now.average[i], expected[i], 1e-5);
            }
            return {};
        }};
    settings.validate_every = 16; // the best of them is saved
    TrainState const end = run(problem, settings, start, listener);
    EXPECT_EQ(steps, 30U);
    EXPECT_NE(weights_of(end.policy), end.average);
    EXPECT_FALSE(saved.tensors.empty());
}

TEST(Trainer, SavesTheAverageAndNotTheLastWeights) {
    Problem const& problem = *find_problem("op");
    auto settings = short_settings("6", 64);
    settings.validate_every = 1'000'000; // only the end
    TensorFile saved;
    TrainListener const listener{
        .save_best = [&](TensorFile const& policy) -> Result<void> { return saved = policy, Result<void>{}; }};
    TrainState const end = run(problem, settings, fresh(problem, settings), listener);
    auto const network = make_trainable(saved);
    ASSERT_TRUE(network);
    EXPECT_TRUE(std::ranges::equal((*network)->parameters(), end.average));
}

TEST(Trainer, StartsFromAPolicyOfTheSameProblem) {
    Problem const& problem = *find_problem("op");
    auto const settings = short_settings("6", 32);
    TrainState const trained = run(problem, settings, fresh(problem, settings), {});
    auto const state = state_from_policy(problem, settings, trained.policy);
    ASSERT_TRUE(state) << state.error().message;
    EXPECT_EQ(state->instances, 0U);
    for (auto const& [name, tensor] : trained.policy.tensors)
        EXPECT_TRUE(std::ranges::equal(tensor.bytes(), state->policy.tensors.at(name).bytes())) << name;
    TrainState const end = run(problem, settings, *state, {});
    EXPECT_EQ(end.instances, 32U);

    auto const other = state_from_policy(*find_problem("cvrptw"), settings, trained.policy);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("op"), std::string::npos) << other.error().message;
}

TEST(Trainer, ASecondSizeIsTheSizeOfWhatItSaves) {
    Problem const& problem = *find_problem("op");
    auto const settings = short_settings("6", 32);
    TrainState const first = run(problem, settings, fresh(problem, settings), {});
    auto larger = settings;
    larger.size = "9";
    TensorFile unnamed = to_checkpoint(first, ""); // a checkpoint is a start, too
    unnamed.metadata.erase("env_name");
    unnamed.metadata.erase("size");
    auto const state = state_from_policy(problem, larger, unnamed);
    ASSERT_TRUE(state) << state.error().message;
    TrainState const end = run(problem, larger, *state, {});
    EXPECT_EQ(end.policy.metadata.at("size"), "9");
    EXPECT_EQ(end.policy.metadata.at("env_name"), "op");
}

TEST(Trainer, RefusesWeightsThatCannotReadTheProblem) {
    auto const settings = short_settings("6", 32);
    TensorFile weights = fresh(*find_problem("op"), settings).policy;
    weights.metadata.erase("env_name");
    for (auto const& [other, size] : {std::pair("cvrptw", "6"), std::pair("fjsp", "3x2")}) {
        EXPECT_FALSE(state_from_policy(*find_problem(other), short_settings(size, 32), weights)) << other;
        TrainState state;
        state.policy = weights;
        EXPECT_FALSE(train(*find_problem(other), short_settings(size, 32), state, {})) << other;
    }
}

TEST(Trainer, RefusesWhatWouldTeachNothing) {
    auto const refusal = [](char const* problem, char const* size, auto const& change) {
        auto settings = short_settings(size, 32);
        change(settings);
        auto const end = train(*find_problem(problem), settings, fresh(*find_problem(problem), settings), {});
        return end ? std::string("accepted") : end.error().message;
    };
    using Settings = TrainSettings&;
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refusal("op", "6", [](Settings s) { s.forced = s.free = 1; }), HasSubstr("forced: 1, free: 1"));
    EXPECT_THAT(refusal("fjsp", "3x2", [](Settings s) { s.forced = 9, s.free = 1; }), HasSubstr("forced: 9, free: 1"));
    EXPECT_THAT(refusal("op", "6", [](Settings s) { s.clip = 0; }), HasSubstr("clip: 0"));
    EXPECT_THAT(refusal("op", "6", [](Settings s) { s.learning_rate = 0; }), HasSubstr("learning_rate: 0"));
    EXPECT_THAT(refusal("op", "6", [&](Settings s) { s.warm_up = nan; }), HasSubstr("warm_up: nan"));
    EXPECT_THAT(refusal("op", "6", [&](Settings s) { s.minutes = nan; }), HasSubstr("minutes: nan"));
    EXPECT_THAT(refusal("op", "6", [](Settings s) { s.curriculum = {{"5", 0.2}, {"2O", 0.5}}; }), HasSubstr("2O"));
    EXPECT_THAT(refusal("op", "6",
                        [](Settings s) {
                            s.curriculum = {{"5", 0.5}, {"4", 0.2}};
                        }),
                HasSubstr("4 until 0.2 comes after 0.5"));
}

TEST(Trainer, GoesThroughItsCurriculum) {
    Problem const& problem = *find_problem("op");
    auto settings = short_settings("6", 64);
    settings.curriculum = {{"4", 0.5}};
    TrainState const start = fresh(problem, settings);
    TrainState const staged = run(problem, settings, start, {});
    settings.curriculum.clear();
    TrainState const plain = run(problem, settings, start, {});
    EXPECT_EQ(staged.instances, plain.instances);
    EXPECT_NE(staged.average, plain.average);
}

TEST(Trainer, ReportsAMeasureThatChangesNothing) {
    Problem const& problem = *find_problem("op");
    auto const settings = short_settings("6", 64);
    TrainState const plain = run(problem, settings, fresh(problem, settings), {});
    std::vector<double> seen;
    std::size_t asked = 0;
    TrainListener const listener{
        .report =
            [&](Progress const& now) {
                if (now.validation) seen.push_back(now.validation->gap.value_or(-1));
            },
        .measure = [&](Policy const&) -> Result<double> { return 0.25 * static_cast<double>(++asked); }};
    expect_same(run(problem, settings, fresh(problem, settings), listener), plain);
    EXPECT_EQ(seen, (std::vector<double>{0.25, 0.5}));
}

TEST(Trainer, RefusesSettingsThatTeachNothing) {
    Problem const& problem = *find_problem("op");
    auto const refusal = [&](auto const& change) {
        auto settings = short_settings("6", 32);
        TrainState const start = fresh(problem, settings);
        change(settings);
        auto const end = train(problem, settings, start, {});
        return end ? std::string() : end.error().message;
    };
    EXPECT_NE(refusal([](TrainSettings& s) { s.batch = 0; }).find("batch"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.instances = 0; }).find("instances"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.forced = s.free = 0; }).find("trajectories"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.validation = 0; }).find("validation"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.imitate = 1.5; }).find("imitate"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.imitate = 1, s.free = 0; }).find("imitate"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.polish_weight = -1; }).find("polish_weight"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.average = 1; }).find("average"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.price = 9, s.price_scale = 0; }).find("price_scale"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.price = 1ULL << 63; }).find("price: 9"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.settle = 0.5; }).find("no decision is priced"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.price = s.polish = 9; }).find("taught by prices"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.settle = 2; }).find("settle"), std::string::npos);
    EXPECT_NE(refusal([](TrainSettings& s) { s.price = 9, s.free = 0; }).find("price: needs"), std::string::npos);
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
    for (Trajectory const& episode : *episodes) learned += episode.cost / 200;
    EXPECT_GT(learned, rule);
}

} // namespace
} // namespace cax::train
