#include "shops.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cax::test {
namespace {

using testing::Contains;
using testing::ElementsAre;

/// A valid schedule of two_machines_three_jobs() with makespan 6.
Schedule good_schedule() { return {{{0, 0, 0}, {1, 0, 4}, {2, 1, 0}, {3, 0, 3}, {4, 1, 4}}}; }

std::vector<std::string> violations(Schedule const& schedule) {
    return make_shop(two_machines_three_jobs())->check(schedule).violations;
}

TEST(FjspCheck, AcceptsAValidScheduleAndGivesItsMakespan) {
    auto const report = make_shop(two_machines_three_jobs())->check(good_schedule());
    EXPECT_TRUE(report.valid());
    EXPECT_EQ(report.cost, 6);
}

TEST(FjspCheck, DoesNotMindTheOrderOfTheEntries) {
    Schedule schedule = good_schedule();
    std::swap(schedule.entries[0], schedule.entries[3]);
    EXPECT_THAT(violations(schedule), ElementsAre());
}

TEST(FjspCheck, MissesAnOperationThatWasDropped) {
    Schedule schedule = good_schedule();
    schedule.entries.erase(schedule.entries.begin() + 1);
    EXPECT_THAT(violations(schedule), ElementsAre("operation 2 of job 1 is not scheduled"));
}

TEST(FjspCheck, NoticesAnOperationThatRunsTwice) {
    Schedule schedule = good_schedule();
    schedule.entries.push_back({2, 1, 20});
    EXPECT_THAT(violations(schedule), ElementsAre("operation 1 of job 2 is scheduled 2 times"));
}

TEST(FjspCheck, NamesOperationsAndMachinesThatDoNotExist) {
    Schedule schedule = good_schedule();
    schedule.entries.push_back({5, 1, 20}); // padding is not an operation
    EXPECT_THAT(violations(schedule), ElementsAre("entry 6: operation index 5 does not exist (there are 5)"));
    schedule = good_schedule();
    schedule.entries[2].machine = 2;
    EXPECT_THAT(violations(schedule),
                ElementsAre("entry 3: operation 1 of job 2: machine index 2 does not exist (there are 2)"));
}

TEST(FjspCheck, RefusesAMachineThatIsNotEligible) {
    Schedule schedule = good_schedule();
    schedule.entries[2] = {2, 0, 20};
    EXPECT_THAT(violations(schedule), ElementsAre("entry 3: operation 1 of job 2: machine 1 cannot do it"));
}

TEST(FjspCheck, LetsAnOperationThatVanishesInDoublePrecisionStandAtEitherEndOfAnother) {
    auto const shop = make_shop({.machines = 1, .jobs = {{{{0, 1e5F}}}, {{{0, 1e-12F}}}, {{{0, 10}}}}});
    for (std::vector<std::size_t> const& listed : {std::vector<std::size_t>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
        Schedule schedule;
        for (std::size_t const operation : listed) {
            schedule.entries.push_back({operation, 0, operation == 0 ? 0.0 : 1e5});
        }
        EXPECT_THAT(shop->check(schedule).violations, ElementsAre());
    }
    Schedule const inside{{{0, 0, 0}, {1, 0, 5e4}, {2, 0, 1e5}}};
    EXPECT_FALSE(shop->check(inside).valid());
}

TEST(FjspCheck, RefusesStartsThatAreNoTimesOrBeforeZero) {
    Schedule schedule = good_schedule();
    schedule.entries[2].start = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(violations(schedule), ElementsAre("entry 3: operation 1 of job 2: start nan is not a time"));
    schedule.entries[2].start = std::numeric_limits<double>::infinity();
    EXPECT_THAT(violations(schedule), ElementsAre("entry 3: operation 1 of job 2: start inf is not a time"));
    schedule.entries[2].start = -1;
    EXPECT_THAT(violations(schedule), ElementsAre("operation 1 of job 2 starts at -1, before 0"));
}

TEST(FjspCheck, KeepsTheOrderWithinAJob) {
    Schedule schedule = good_schedule();
    schedule.entries[0].start = 4; // runs until 7
    schedule.entries[1].start = 5;
    EXPECT_THAT(violations(schedule),
                Contains("operation 2 of job 1 starts at 5, before operation 1 of job 1 ends at 7"));
}

TEST(FjspCheck, AllowsOneOperationAtATimeOnAMachine) {
    Schedule schedule = good_schedule();
    schedule.entries[4].start = 3.5; // its machine and its job are both free only at 4
    EXPECT_THAT(violations(schedule),
                ElementsAre("operation 2 of job 3 starts at 3.5, before operation 1 of job 3 ends at 4",
                            "machine 2: operation 2 of job 3 starts at 3.5, while operation 1 of job 2 runs until 4"));
}

TEST(FjspCheck, SeesAnOverlapAlsoBehindAShortOperation) {
    // Machine 0 is busy from 0 to 10; the two short ones in between do not touch each other.
    auto const instance = make_shop({.machines = 1, .jobs = {{{{0, 10}}}, {{{0, 1}}}, {{{0, 1}}}}});
    auto const report = instance->check(Schedule{{{0, 0, 0}, {1, 0, 2}, {2, 0, 5}}});
    EXPECT_THAT(report.violations,
                ElementsAre("machine 1: operation 1 of job 2 starts at 2, while operation 1 of job 1 runs until 10",
                            "machine 1: operation 1 of job 3 starts at 5, while operation 1 of job 1 runs until 10"));
}

TEST(FjspCheck, ForgivesRoundingButNothingMore) {
    Schedule schedule = good_schedule();
    schedule.entries[4].start = 4 - 5e-9; // the makespan is 6
    EXPECT_THAT(violations(schedule), ElementsAre());
    schedule.entries[4].start = 4 - 7e-9;
    EXPECT_EQ(violations(schedule).size(), 2U);
}

TEST(FjspCheck, ListsEverythingThatIsWrong) {
    EXPECT_EQ(violations(Schedule{}).size(), 5U);
    EXPECT_THAT(make_shop(two_machines_three_jobs())->check(Routes{}).violations,
                ElementsAre("the solution is a set of routes, not a schedule"));
}

TEST(FjspCheck, RejectsEveryRandomScheduleAfterAnyOfFourMutations) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        auto const instance = random_shop(seed, false);
        auto const state = instance->reset();
        Rng rng(seed, 2);
        auto const solution = instance->solution_of(random_episode(*state, rng));
        ASSERT_TRUE(solution);
        auto const good = std::get<Schedule>(*solution);
        std::size_t const victim = rng.below(good.entries.size());
        for (int mutation = 0; mutation < 4; ++mutation) {
            Schedule bad = good;
            auto& entry = bad.entries[victim];
            if (mutation == 0) bad.entries.erase(bad.entries.begin() + static_cast<std::ptrdiff_t>(victim));
            if (mutation == 1) bad.entries.push_back(entry);
            if (mutation == 2) entry.operation = instance->operation_count();
            if (mutation == 3) entry.start = -entry.start - 1;
            EXPECT_FALSE(instance->check(bad).valid()) << "seed " << seed << ", mutation " << mutation;
        }
    }
}

} // namespace
} // namespace cax::test
