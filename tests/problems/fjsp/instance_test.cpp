#include "shops.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace cax::test {
namespace {

std::string refusal(fjsp::Data data) {
    auto const made = fjsp::Instance::make(std::move(data));
    return made ? "accepted" : made.error().message;
}

fjsp::Data with_time(float time) {
    fjsp::Data data = two_machines_three_jobs();
    data.jobs[2][1][1].time = time;
    return data;
}

TEST(FjspInstance, NumbersOperationsThroughAllJobs) {
    auto const instance = make_shop(two_machines_three_jobs());
    EXPECT_EQ(instance->operation_count(), 5U);
    EXPECT_EQ(instance->padded_operation_count(), 7U);
    EXPECT_EQ(instance->first_operation(2), 3U);
    EXPECT_EQ(instance->last_operation(2), 4U);
    EXPECT_EQ(instance->job_of(2), 1U);
    EXPECT_EQ(instance->job_of(6), 2U) << "padding counts to the last job";
    EXPECT_EQ(instance->position_in_job(4), 1U);
    EXPECT_EQ(instance->position_in_job(5), 0U);
    EXPECT_FALSE(instance->has_predecessor(5)) << "padding stands alone";
    EXPECT_TRUE(instance->is_padding(5));
    EXPECT_EQ(instance->time(1, 4), 2);
    EXPECT_EQ(instance->time(1, 3), 0);
    EXPECT_EQ(instance->time(0, 6), 0);
    EXPECT_TRUE(instance->alternatives(6).empty());
    EXPECT_EQ(instance->operation_label(4), "operation 2 of job 3");
}

TEST(FjspInstance, DescribesItself) {
    auto const instance = make_shop(two_machines_three_jobs());
    EXPECT_EQ(instance->name(), "three jobs");
    EXPECT_EQ(instance->size(), "3x2");
    EXPECT_EQ(instance->description(),
              "3 jobs, 2 machines, 5 operations, each with 1.4 machines to choose from on average");
    EXPECT_EQ(&instance->problem(), &fjsp_problem());
    EXPECT_TRUE(instance->start_actions().empty());
}

TEST(FjspInstance, SortsAlternativesAndGivesItsDataBack) {
    fjsp::Data data = two_machines_three_jobs();
    std::swap(data.jobs[0][0][0], data.jobs[0][0][1]);
    EXPECT_EQ(make_shop(data)->data(), two_machines_three_jobs());
    data.padded_operations = 0;
    EXPECT_EQ(make_shop(data)->padded_operation_count(), 5U);
}

TEST(FjspInstance, RefusesTimesThatAreNotPositiveNumbers) {
    EXPECT_EQ(refusal(with_time(-1)), "job 3, operation 2: time -1 on machine index 1 is not a positive number");
    EXPECT_EQ(refusal(with_time(0)), "job 3, operation 2: time 0 on machine index 1 is not a positive number");
    EXPECT_EQ(refusal(with_time(std::numeric_limits<float>::quiet_NaN())),
              "job 3, operation 2: time nan on machine index 1 is not a positive number");
    EXPECT_EQ(refusal(with_time(std::numeric_limits<float>::infinity())),
              "job 3, operation 2: time inf on machine index 1 is not a positive number");
    EXPECT_EQ(refusal(with_time(std::numeric_limits<float>::max())),
              "the longest times add up to 3.40282e+38, more than 1e+38");
}

TEST(FjspInstance, RefusesGapsInItsStructure) {
    fjsp::Data data = two_machines_three_jobs();
    data.jobs[1].clear();
    EXPECT_EQ(refusal(data), "job 2 has no operation");
    data = two_machines_three_jobs();
    data.jobs[0][1].clear();
    EXPECT_EQ(refusal(data), "job 1, operation 2: no eligible machine");
    data = two_machines_three_jobs();
    data.jobs[0][0][1].machine = 0;
    EXPECT_EQ(refusal(data), "job 1, operation 1: machine index 0 is listed twice");
    data.jobs[0][0][1].machine = 2;
    EXPECT_EQ(refusal(data), "job 1, operation 1: machine index 2 is not below machines (2)");
    EXPECT_EQ(refusal({.machines = 1}), "jobs is empty");
    EXPECT_EQ(refusal({.jobs = {{{{0, 1}}}}}), "machines is 0");
}

TEST(FjspInstance, RefusesSizesThatAreAbsurd) {
    fjsp::Data data = two_machines_three_jobs();
    data.padded_operations = 4;
    EXPECT_EQ(refusal(data), "padded_operations (4) is less than the number of operations (5)");
    data.padded_operations = 10'001;
    EXPECT_EQ(refusal(data), "padded_operations (10001) exceeds 10000");
    data.padded_operations = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(refusal(data), "padded_operations (18446744073709551615) exceeds 10000");
    data.padded_operations = 10'000;
    data.machines = 101;
    EXPECT_EQ(refusal(data), "machines (101) times operations (10000) exceeds 1000000");
    data.machines = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(refusal(data), "machines (18446744073709551615) exceeds 10000");
    EXPECT_EQ(refusal({.machines = 1, .jobs = {fjsp::Job(10'001, {{0, 1}})}}),
              "10001 operations exceed the limit of 10000");
}

} // namespace
} // namespace cax::test
