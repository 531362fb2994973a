#include "fjsp/state.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include "shops.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cax::test {
namespace {

using Allowed = std::vector<std::uint8_t>;

/// The definition, without counters: what happened is a list of runs, everything else is looked up in it.
class NaiveShop {
public:
    NaiveShop(fjsp::Instance const& instance, bool waiting) : instance_(instance), waiting_(waiting) {}

    [[nodiscard]] bool done() const { return finished_count() == instance_.operation_count(); }

    [[nodiscard]] Allowed allowed() const {
        Allowed allowed(1 + instance_.job_count() * instance_.machine_count());
        bool const something_runs = std::ranges::any_of(runs_, [this](Run const& run) { return run.finish > time_; });
        allowed[0] = done() || (waiting_ && something_runs);
        for (std::size_t job = 0; job < instance_.job_count(); ++job) {
            for (std::size_t machine = 0; machine < instance_.machine_count(); ++machine) {
                allowed[put(instance_, job, machine)] = may_start(job, machine);
            }
        }
        return allowed;
    }

    void step(std::size_t action) {
        if (action == 0) {
            time_ = next_finish();
        } else {
            std::size_t const job = (action - 1) / instance_.machine_count();
            std::size_t const machine = (action - 1) % instance_.machine_count();
            std::size_t const operation = *next_unscheduled(job);
            runs_.push_back({job, operation, machine, time_ + instance_.time(machine, operation)});
        }
        while (!done() && std::ranges::count(allowed(), 1) == 0) time_ = next_finish();
    }

    [[nodiscard]] float makespan() const { return std::ranges::max_element(runs_, {}, &Run::finish)->finish; }

private:
    struct Run {
        std::size_t job, operation, machine;
        float finish;
    };

    [[nodiscard]] std::size_t finished_count() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(runs_, [this](Run const& run) { return run.finish <= time_; }));
    }
    [[nodiscard]] std::optional<std::size_t> next_unscheduled(std::size_t job) const {
        for (std::size_t o = instance_.first_operation(job); o <= instance_.last_operation(job); ++o) {
            if (std::ranges::find(runs_, o, &Run::operation) == runs_.end()) return o;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool may_start(std::size_t job, std::size_t machine) const {
        auto const operation = next_unscheduled(job);
        if (!operation || instance_.time(machine, *operation) == 0) return false;
        return std::ranges::none_of(
            runs_, [&](Run const& run) { return run.finish > time_ && (run.job == job || run.machine == machine); });
    }
    [[nodiscard]] float next_finish() const {
        float next = std::numeric_limits<float>::infinity();
        for (Run const& run : runs_) {
            if (run.finish > time_) next = std::min(next, run.finish);
        }
        return next;
    }

    fjsp::Instance const& instance_;
    bool waiting_;
    float time_ = 0;
    std::vector<Run> runs_;
};

Allowed mask_of(State const& state) { return {state.action_mask().begin(), state.action_mask().end()}; }

TEST(FjspState, AllowsExactlyWhatTheDefinitionAllowsInTenThousandEpisodes) {
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
        bool const decimal = seed % 3 == 2;
        bool const waiting = seed / 16 % 2 == 1;
        auto const instance = random_shop(seed, decimal);
        auto const state = instance->reset({.allow_waiting = waiting});
        NaiveShop naive(*instance, waiting);
        Rng rng(seed, 1);
        std::vector<std::size_t> actions;
        while (!naive.done()) {
            ASSERT_EQ(mask_of(*state), naive.allowed()) << "seed " << seed << ", step " << actions.size();
            actions.push_back(random_allowed(*state, rng));
            naive.step(actions.back());
            state->step(actions.back());
        }
        ASSERT_TRUE(state->done());
        ASSERT_EQ(mask_of(*state), naive.allowed());
        ASSERT_EQ(state->cost(), naive.makespan());

        auto const solution = instance->solution_of(actions);
        ASSERT_TRUE(solution) << solution.error().message;
        auto const report = instance->check(*solution);
        ASSERT_TRUE(report.valid()) << "seed " << seed << ": " << report.violations.front();
        // Whole times are exact in float32; with decimal ones the float32 clock and the exact one part a little.
        ASSERT_NEAR(report.cost, state->cost(), (decimal ? 1e-6 : 1e-9) * state->cost());
        auto const again = solution_from_json(*instance, solution_to_json(*instance, *solution));
        ASSERT_TRUE(again);
        ASSERT_EQ(*again, *solution);
    }
}

TEST(FjspState, FollowsAScheduleThatWasWorkedOutByHand) {
    auto const instance = make_shop(two_machines_three_jobs());
    fjsp::State state(instance, {});
    EXPECT_EQ(mask_of(state), (Allowed{0, 1, 1, 0, 1, 1, 0}));
    state.step(put(*instance, 0, 0)); // operation 0 runs 0..3 on machine 0
    EXPECT_EQ(state.time(), 0);
    EXPECT_EQ(mask_of(state), (Allowed{0, 0, 0, 0, 1, 0, 0}));
    state.step(put(*instance, 1, 1)); // operation 2 runs 0..4 on machine 1; then nothing can start before 3
    EXPECT_EQ(state.time(), 3);
    EXPECT_EQ(mask_of(state), (Allowed{0, 1, 0, 0, 0, 1, 0}));
    EXPECT_EQ(state.next_operation(0), 1U);
    state.step(put(*instance, 2, 0)); // operation 3 runs 3..4 on machine 0
    EXPECT_EQ(state.time(), 4);
    EXPECT_TRUE(state.job_done(1));
    EXPECT_EQ(mask_of(state), (Allowed{0, 1, 0, 0, 0, 1, 1}));
    state.step(put(*instance, 2, 1)); // operation 4 runs 4..6 on machine 1
    state.step(put(*instance, 0, 0)); // operation 1 runs 4..6 on machine 0; the clock runs out to the end
    EXPECT_TRUE(state.done());
    EXPECT_EQ(state.time(), 6);
    EXPECT_EQ(state.cost(), 6);
    EXPECT_EQ(mask_of(state), (Allowed{1, 0, 0, 0, 0, 0, 0}));
}

TEST(FjspState, KeepsTheOrderLeftAndTheLowerBoundsOfTheDefinition) {
    auto const instance = make_shop(two_machines_three_jobs());
    fjsp::State state(instance, {});
    // Means of the times, added up along each job; padding stays 0.
    EXPECT_EQ(state.lower_bounds(), (std::vector<float>{4, 6, 4, 1, 5, 0, 0}));
    EXPECT_EQ(state.position(1), 1U);
    state.step(put(*instance, 0, 0));
    // Operation 3 waits for machine 0 until 3; operation 4's predecessor is not scheduled, so it counts from 9999.
    EXPECT_EQ(state.lower_bounds(), (std::vector<float>{3, 5, 4, 4, 8, 0, 0}));
    EXPECT_EQ(state.position(1), 0U);
    EXPECT_TRUE(state.is_ready(5)) << "padding is ready from the start";
    EXPECT_FALSE(state.is_ready(1)) << "operation 0 still runs";
    EXPECT_FALSE(state.is_ready(0)) << "scheduled";
    EXPECT_EQ(state.eligible_count(0), 0U);
    EXPECT_EQ(state.eligible_count(4), 2U);
}

TEST(FjspState, WaitsOnlyIfAskedAndOnlyWhileAJobRuns) {
    auto const instance = make_shop(two_machines_three_jobs());
    auto const state = instance->reset({.allow_waiting = true});
    EXPECT_EQ(state->action_mask()[0], 0) << "nothing to wait for";
    state->step(put(*instance, 0, 0));
    EXPECT_EQ(state->action_mask()[0], 1);
    state->step(0);
    EXPECT_EQ(dynamic_cast<fjsp::State&>(*state).time(), 3);
    EXPECT_EQ(tensors_of(*state).at("action").as_int(0), -1);
    auto const strict = instance->reset();
    strict->step(put(*instance, 0, 0));
    EXPECT_EQ(strict->action_mask()[0], 0);
}

TEST(FjspState, StaysAsItIsOnceDone) {
    auto const instance = make_shop(two_machines_three_jobs());
    auto const state = instance->reset();
    Rng rng(4);
    random_episode(*state, rng);
    auto const before = tensors_of(*state);
    state->step(0);
    auto const after = tensors_of(*state);
    for (auto const& [name, tensor] : before) {
        if (name == "action") continue;
        EXPECT_TRUE(std::ranges::equal(tensor.bytes(), after.at(name).bytes())) << name;
    }
}

TEST(FjspState, CloneGoesItsOwnWay) {
    auto const instance = make_shop(two_machines_three_jobs());
    auto const state = instance->reset();
    auto const copy = state->clone();
    copy->step(put(*instance, 0, 1));
    EXPECT_EQ(mask_of(*state), mask_of(*instance->reset()));
    EXPECT_NE(mask_of(*copy), mask_of(*state));
    EXPECT_EQ(&copy->instance(), instance.get());
}

RC_GTEST_PROP(FjspStateProperty, NeverHangsOnActionsThatAreNotAllowed, ()) {
    auto const instance = random_shop(*rc::gen::inRange<std::uint64_t>(0, 1000), *rc::gen::arbitrary<bool>());
    auto const state = instance->reset({.allow_waiting = *rc::gen::arbitrary<bool>()});
    auto const steps = *rc::gen::inRange(0, 60);
    for (int t = 0; t < steps; ++t) {
        state->step(*rc::gen::inRange<std::size_t>(0, state->action_mask().size()));
        RC_ASSERT(std::ranges::count(state->action_mask(), 1) > 0);
    }
    Rng rng(1);
    random_episode(*state, rng);
    RC_ASSERT(std::isfinite(state->cost()));
}

TEST(FjspState, EndsAlsoWhereATimeIsTooSmallToMoveTheClock) {
    // 1e8 + 1 = 1e8 in float32: the last operation finishes the moment it starts.
    auto const instance = make_shop({.machines = 1, .jobs = {{{{0, 1e8F}}, {{0, 1}}}}});
    auto const state = instance->reset();
    state->step(1);
    state->step(1);
    ASSERT_TRUE(state->done());
    EXPECT_EQ(state->cost(), 1e8);
    auto const solution = instance->solution_of(std::vector<std::size_t>{1, 1});
    ASSERT_TRUE(solution);
    EXPECT_EQ(instance->check(*solution).cost, 1e8 + 1);
}

TEST(FjspSolution, ListsOperationsInOrderWithTheirExactStarts) {
    auto const instance = make_shop(two_machines_three_jobs());
    std::vector<std::size_t> const actions{put(*instance, 0, 0), put(*instance, 1, 1), put(*instance, 2, 0),
                                           put(*instance, 2, 1), put(*instance, 0, 0), 0};
    auto const solution = instance->solution_of(actions);
    ASSERT_TRUE(solution) << solution.error().message;
    EXPECT_EQ(std::get<Schedule>(*solution), (Schedule{{{0, 0, 0}, {1, 0, 4}, {2, 1, 0}, {3, 0, 3}, {4, 1, 4}}}));
}

TEST(FjspSolution, RefusesWhatIsNotAFinishedEpisode) {
    auto const instance = make_shop(two_machines_three_jobs());
    auto const message = [&](std::vector<std::size_t> const& actions) {
        auto const solution = instance->solution_of(actions);
        return solution ? std::string("accepted") : solution.error().message;
    };
    EXPECT_EQ(message({}), "the episode is not finished after 0 actions");
    EXPECT_EQ(message({put(*instance, 0, 0)}), "the episode is not finished after 1 actions");
    EXPECT_EQ(message({7}), "step 1: action 7 is out of range");
    EXPECT_EQ(message({put(*instance, 0, 0), put(*instance, 0, 1)}), "step 2: action 2 is not allowed");
    EXPECT_EQ(message({put(*instance, 1, 0)}), "step 1: action 3 is not allowed");
    EXPECT_EQ(message({0}), "step 1: action 0 is not allowed");
}

} // namespace
} // namespace cax::test
