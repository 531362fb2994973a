#include "fjsp/constraints.hpp"
#include "fjsp/families.hpp"
#include "fjsp/features.hpp"

#include "shops.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cax::test {
namespace {

using fjsp::feature_num_eligible;
using fjsp::feature_proc_times;

class FjspEnvelope : public testing::Test {
protected:
    std::shared_ptr<fjsp::Instance const> instance = make_shop(two_machines_three_jobs());
    fjsp::State state{instance, {}};

    /// The envelope's verdict if one entry of a tensor is replaced.
    std::string with(std::size_t tensor, std::size_t entry, double value) {
        Features features = state.features();
        features[tensor].values[entry] = value;
        return envelope_violation(state, features).value_or("fine");
    }
    static std::size_t at(std::size_t machine, std::size_t operation) { return machine * 7 + operation; }
};

TEST_F(FjspEnvelope, HoldsForTheStateItselfAllTheWay) {
    while (!state.done()) {
        EXPECT_EQ(envelope_violation(state, state.features()), std::nullopt);
        Rng rng(3);
        state.step(random_allowed(state, rng));
    }
    EXPECT_EQ(envelope_violation(state, state.features()), std::nullopt);
}

TEST_F(FjspEnvelope, AsksEligibleTimesNotToBeNegative) {
    EXPECT_EQ(with(feature_proc_times, at(1, 0), -0.001), "fine");
    EXPECT_EQ(with(feature_proc_times, at(1, 0), -0.002),
              "operation 1 of job 1 on machine 2: time -0.002 is below -0.001");
    EXPECT_EQ(with(feature_proc_times, at(1, 0), std::numeric_limits<double>::quiet_NaN()),
              "operation 1 of job 1 on machine 2: time nan is below -0.001");
    EXPECT_NE(with(feature_proc_times, at(1, 0), std::numeric_limits<double>::infinity()), "fine");
}

TEST_F(FjspEnvelope, LeavesTimesOfOtherPairsAlone) {
    EXPECT_EQ(with(feature_proc_times, at(1, 1), -5), "fine") << "machine 2 cannot do operation 2 of job 1";
    EXPECT_EQ(with(feature_proc_times, at(0, 6), -5), "fine") << "padding";
}

TEST_F(FjspEnvelope, AsksForAnEligibleMachineOfWhatIsNotScheduled) {
    EXPECT_EQ(with(feature_num_eligible, 3, 0.5), "fine");
    EXPECT_EQ(with(feature_num_eligible, 3, 0.4), "operation 1 of job 3: num_eligible 0.4 is below 0.5");
    EXPECT_NE(with(feature_num_eligible, 3, std::numeric_limits<double>::quiet_NaN()), "fine");
    EXPECT_EQ(with(feature_num_eligible, 6, -3), "fine") << "padding";
}

TEST_F(FjspEnvelope, ForgetsScheduledOperationsUnlessTheyAreToBeIncluded) {
    state.step(put(*instance, 0, 0));
    EXPECT_EQ(with(feature_proc_times, at(0, 0), -5), "fine");
    EXPECT_EQ(with(feature_num_eligible, 0, -1), "fine");
    EXPECT_EQ(fjsp::envelope_violation(state, state.features(), {.include_scheduled = true}),
              "operation 1 of job 1: num_eligible 0 is below 0.5");
}

TEST(FjspSlacks, TellHowLongTheJobAndTheMachineHaveBeenFree) {
    auto const instance = make_shop(two_machines_three_jobs());
    fjsp::State state(instance, {});
    state.step(put(*instance, 0, 0));
    state.step(put(*instance, 1, 1));
    state.step(put(*instance, 2, 0));                           // now it is 4, and both machines have just become free
    auto const slacks = slacks_of(state, put(*instance, 0, 0)); // operation 1, ready since 3
    ASSERT_EQ(slacks.size(), 3U);
    EXPECT_EQ(slacks[0].family, fjsp::precedence);
    EXPECT_EQ(slacks[0].slack, 1);
    EXPECT_EQ(slacks[1].family, fjsp::eligibility);
    EXPECT_EQ(slacks[1].slack, 0);
    EXPECT_EQ(slacks[2].slack, 0) << "no other machine can do it";
    EXPECT_EQ(slacks_of(state, put(*instance, 2, 1))[2].slack, 1) << "one other machine could do it";
}

TEST(FjspSlacks, AreNegativeExactlyForActionsThatAreNotAllowed) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        auto const instance = random_shop(seed, seed % 2 == 1);
        fjsp::State state(instance, {});
        Rng rng(seed, 3);
        while (!state.done()) {
            for (std::size_t a = 1; a < state.action_mask().size(); ++a) {
                bool broken = false;
                for (Slack const& slack : slacks_of(state, a)) {
                    EXPECT_EQ(slack.slack, slack.limit - slack.used);
                    broken |= slack.slack < 0;
                }
                EXPECT_EQ(broken, state.action_mask()[a] == 0) << "seed " << seed << ", action " << a;
            }
            state.step(random_allowed(state, rng));
        }
    }
}

TEST(FjspSlacks, OfWaitingTellHowLongItTakes) {
    auto const instance = make_shop(two_machines_three_jobs());
    fjsp::State state(instance, {.allow_waiting = true});
    EXPECT_TRUE(slacks_of(state, 0).empty()) << "nothing to wait for";
    state.step(put(*instance, 0, 1));
    state.step(put(*instance, 2, 0));
    ASSERT_EQ(slacks_of(state, 0).size(), 1U);
    EXPECT_EQ(slacks_of(state, 0)[0].slack, 1);
}

TEST(FjspDescription, CountsFromOne) {
    auto const instance = make_shop({.machines = 2, .jobs = {{{{0, 3}, {1, 5}}, {{0, 2.5F}}}}});
    auto const state = instance->reset();
    EXPECT_EQ(describe_action(*state, 0), "wait");
    EXPECT_EQ(describe_action(*state, 2), "put operation 1 of job 1 on machine 2 (takes 5)");
    state->step(2);
    EXPECT_EQ(describe_action(*state, 1), "put operation 2 of job 1 on machine 1 (takes 2.5)");
    EXPECT_EQ(describe_action(*state, 2), "put operation 2 of job 1 on machine 2 (not eligible)");
}

} // namespace
} // namespace cax::test
