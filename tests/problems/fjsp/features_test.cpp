#include "fjsp/state.hpp"

#include "shops.hpp"

#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cax::test {
namespace {

ScheduleObservation seen(State const& state, Features const& features) {
    return std::get<ScheduleObservation>(state.observe(features));
}

double dot(std::span<double const> a, std::span<double const> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

std::vector<double> noise(std::size_t count, Rng& rng) {
    std::vector<double> values(count);
    for (double& value : values) value = rng.normal();
    return values;
}

TEST(FjspFeatures, HaveTheOrderTheNamesAndTheAxesOfTheProblem) {
    auto const& info = fjsp_problem().info();
    auto const instance = make_shop(two_machines_three_jobs());
    auto const features = instance->reset()->features();
    ASSERT_EQ(info.tensors.size(), features.size());
    EXPECT_EQ(info.tensors[0].name, "proc_times");
    EXPECT_EQ(features[0].shape, (Shape{2, 7}));
    EXPECT_EQ(info.tensors[1].name, "num_eligible");
    EXPECT_EQ(features[1].shape, (Shape{7}));
    for (std::size_t i = 0; i < features.size(); ++i) {
        EXPECT_EQ(features[i].shape[info.tensors[i].node_axis], instance->padded_operation_count());
        EXPECT_EQ(info.tensors[i].node_offset, 0U);
        EXPECT_EQ(features[i].values.size(), checked_element_count(features[i].shape));
    }
    EXPECT_EQ(info.families[info.tensors[0].family], "precedence");
    EXPECT_EQ(info.families[info.tensors[1].family], "eligibility");
    EXPECT_EQ(info.tensors[0].budget, 20);
    EXPECT_EQ(info.tensors[1].budget, 1);
}

TEST(FjspFeatures, LoseTheColumnOfAnOperationOnceItIsScheduled) {
    auto const instance = make_shop(two_machines_three_jobs());
    auto const state = instance->reset();
    EXPECT_EQ(state->features()[0].values, (std::vector<double>{3, 2, 0, 1, 6, 0, 0, 5, 0, 4, 0, 2, 0, 0}));
    EXPECT_EQ(state->features()[1].values, (std::vector<double>{2, 1, 1, 1, 2, 0, 0}));
    state->step(put(*instance, 0, 0));
    EXPECT_EQ(state->features()[0].values, (std::vector<double>{0, 2, 0, 1, 6, 0, 0, 0, 0, 4, 0, 2, 0, 0}));
    EXPECT_EQ(state->features()[1].values, (std::vector<double>{0, 1, 1, 1, 2, 0, 0}));
}

TEST(FjspFeatures, AreTheTensorsOfTheSameNames) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        auto const state = random_shop(seed, true)->reset();
        Rng rng(seed, 4);
        while (!state->done()) {
            auto const features = state->features();
            auto const tensors = tensors_of(*state);
            ASSERT_EQ(features[0].values, tensors.at("proc_times").to_doubles());
            ASSERT_EQ(features[1].values, tensors.at("num_eligible").to_doubles());
            state->step(random_allowed(*state, rng));
        }
    }
}

TEST(FjspObservation, HoldsTheStateAsItsTensorsDo) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        auto const state = random_shop(seed, true)->reset();
        Rng rng(seed, 5);
        while (!state->done()) {
            auto const observed = seen(*state, state->features());
            auto const tensors = tensors_of(*state);
            auto const doubles = [&](char const* name) { return tensors.at(name).to_doubles(); };
            auto const widened = [](auto const& values) { return std::vector<double>(values.begin(), values.end()); };
            ASSERT_EQ(widened(observed.proc_times.values()), doubles("proc_times"));
            ASSERT_EQ(observed.num_eligible, doubles("num_eligible"));
            ASSERT_EQ(observed.lower_bounds, doubles("lbs"));
            ASSERT_EQ(observed.busy_until, doubles("busy_until"));
            ASSERT_EQ(observed.time, doubles("time")[0]);
            ASSERT_EQ(widened(observed.is_ready), doubles("is_ready"));
            ASSERT_EQ(widened(observed.scheduled), doubles("op_scheduled"));
            ASSERT_EQ(widened(observed.padding), doubles("pad_mask"));
            ASSERT_EQ(widened(observed.job_of), doubles("ops_job_map"));
            ASSERT_EQ(widened(observed.position), doubles("ops_sequence_order"));
            ASSERT_EQ(widened(observed.next_op), doubles("next_op"));
            ASSERT_EQ(widened(observed.mask), doubles("action_mask"));
            state->step(random_allowed(*state, rng));
        }
    }
}

TEST(FjspObservation, ChangesWithTheFeaturesAloneAndLeavesTheRestFrozen) {
    auto const instance = make_shop(two_machines_three_jobs());
    auto const state = instance->reset();
    Features features = state->features();
    features[0].values[8] = 11; // machine 1, operation 1, which it cannot do
    features[1].values[3] = 0.25;
    auto const plain = seen(*state, state->features());
    auto const changed = seen(*state, features);
    EXPECT_EQ(changed.proc_times(1, 1), 11);
    EXPECT_EQ(changed.num_eligible[3], 0.25);
    EXPECT_EQ(changed.mask, plain.mask);
    EXPECT_EQ(changed.lower_bounds, plain.lower_bounds);
}

TEST(FjspObservation, PullsGradientsBackAsTheTransposeOfObserving) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto const state = random_shop(seed, false)->reset();
        Rng rng(seed, 6);
        state->step(random_allowed(*state, rng));
        Features const base = state->features();
        Features moved = base;
        Features direction = base;
        for (std::size_t i = 0; i < base.size(); ++i) {
            direction[i].values = noise(base[i].values.size(), rng);
            for (std::size_t k = 0; k < direction[i].values.size(); ++k) moved[i].values[k] += direction[i].values[k];
        }
        auto const before = seen(*state, base);
        auto const after = seen(*state, moved);
        ScheduleObservation gradient;
        gradient.proc_times = before.proc_times;
        std::ranges::copy(noise(gradient.proc_times.size(), rng), gradient.proc_times.values().begin());
        gradient.num_eligible = noise(before.num_eligible.size(), rng);

        double const forward = dot(gradient.proc_times.values(), after.proc_times.values()) -
                               dot(gradient.proc_times.values(), before.proc_times.values()) +
                               dot(gradient.num_eligible, after.num_eligible) -
                               dot(gradient.num_eligible, before.num_eligible);
        Features const back = state->pull_back(gradient);
        ASSERT_EQ(back.size(), base.size());
        double backward = 0;
        for (std::size_t i = 0; i < back.size(); ++i) {
            ASSERT_EQ(back[i].shape, base[i].shape);
            backward += dot(back[i].values, direction[i].values);
        }
        EXPECT_NEAR(forward, backward, 1e-9 * (1 + std::abs(forward)));
    }
}

} // namespace
} // namespace cax::test
