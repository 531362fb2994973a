#include "shops.hpp"

#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace cax::test {
namespace {

/// Arrays of two_machines_three_jobs() alone.
NamedTensors arrays() {
    InstancePtr const instance = make_shop(two_machines_three_jobs());
    return *fjsp_problem().exchange().to_tensors(std::span(&instance, 1));
}

std::string refusal(NamedTensors const& tensors) {
    auto const instances = fjsp_problem().exchange().from_tensors(tensors);
    return instances ? "accepted" : instances.error().message;
}

/// The arrays with one number replaced.
NamedTensors with(char const* name, std::size_t entry, double value) {
    NamedTensors tensors = arrays();
    Tensor& tensor = tensors.at(name);
    auto values = tensor.to_doubles();
    values[entry] = value;
    tensor = Tensor::from_doubles(tensor.dtype() == Dtype::i64 ? Dtype::f64 : tensor.dtype(), tensor.shape(), values);
    return tensors;
}

TEST(FjspArrays, HaveTheShapesAndTypesOfTheGenerator) {
    auto const tensors = arrays();
    EXPECT_EQ(tensors.at("start_op_per_job").to_ints(), (std::vector<std::int64_t>{0, 2, 3}));
    EXPECT_EQ(tensors.at("end_op_per_job").to_ints(), (std::vector<std::int64_t>{1, 2, 4}));
    EXPECT_EQ(tensors.at("start_op_per_job").dtype(), Dtype::i64);
    EXPECT_EQ(tensors.at("proc_times").shape(), (Shape{1, 2, 7}));
    EXPECT_EQ(tensors.at("proc_times").dtype(), Dtype::f32);
    EXPECT_EQ(tensors.at("pad_mask").dtype(), Dtype::boolean);
    EXPECT_EQ(tensors.at("pad_mask").to_ints(), (std::vector<std::int64_t>{0, 0, 0, 0, 0, 1, 1}));
    EXPECT_TRUE(fjsp_problem().exchange().recognises(tensors));
    EXPECT_FALSE(fjsp_problem().exchange().recognises({}));
}

TEST(FjspArrays, BringInstancesOfOneSizeThereAndBack) {
    std::vector<InstancePtr> instances;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        instances.push_back(*fjsp_problem().generate("6x4", {}, rng));
    }
    auto const tensors = fjsp_problem().exchange().to_tensors(instances);
    ASSERT_TRUE(tensors) << tensors.error().message;
    auto const again = fjsp_problem().exchange().from_tensors(*tensors);
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_EQ(again->size(), instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        EXPECT_EQ(dynamic_cast<fjsp::Instance const&>(*(*again)[i]).data(),
                  dynamic_cast<fjsp::Instance const&>(*instances[i]).data());
    }
}

TEST(FjspArrays, MayHoldTheBoundsOfJobsAsFloats) {
    NamedTensors tensors = arrays();
    for (char const* name : {"start_op_per_job", "end_op_per_job"}) {
        Tensor& tensor = tensors.at(name);
        tensor = Tensor::from_doubles(Dtype::f32, tensor.shape(), tensor.to_doubles());
    }
    EXPECT_EQ(refusal(tensors), "accepted");
}

TEST(FjspArrays, RefuseInstancesOfDifferentSizes) {
    fjsp::Data data = two_machines_three_jobs();
    std::vector<InstancePtr> instances{make_shop(data)};
    data.padded_operations = 8;
    instances.push_back(make_shop(data));
    auto const tensors = fjsp_problem().exchange().to_tensors(instances);
    ASSERT_FALSE(tensors);
    EXPECT_EQ(tensors.error().message,
              "instances of [3, 2, 7] and of [3, 2, 8] jobs, machines and operations cannot share arrays");
    EXPECT_FALSE(fjsp_problem().exchange().to_tensors({}));
}

TEST(FjspArrays, NameTheArrayThatIsMissingOrMisshapen) {
    for (char const* name : {"start_op_per_job", "end_op_per_job", "proc_times", "pad_mask"}) {
        NamedTensors tensors = arrays();
        tensors.erase(name);
        EXPECT_EQ(refusal(tensors), std::string(name) + " is missing");
    }
    NamedTensors tensors = arrays();
    tensors["pad_mask"] = Tensor::from_floats({1, 6}, std::vector<float>(6));
    EXPECT_EQ(refusal(tensors), "pad_mask has shape [1, 6], expected [1, 7]");
    tensors = arrays();
    tensors["proc_times"] = Tensor::from_floats({14}, std::vector<float>(14));
    EXPECT_EQ(refusal(tensors), "proc_times has shape [14], expected 3 dimensions");
    tensors = arrays();
    tensors["proc_times"] = Tensor::from_floats({1'000'000'000, 0, 7}, {});
    EXPECT_EQ(refusal(tensors), "proc_times has shape [1000000000, 0, 7] and start_op_per_job [1, 3]: nothing in it");
}

TEST(FjspArrays, NameTheEntryThatIsWrong) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refusal(with("start_op_per_job", 0, 1)), "instance 0: start_op_per_job of job 1 is 1, expected 0");
    EXPECT_EQ(refusal(with("start_op_per_job", 1, 3)), "instance 0: start_op_per_job of job 2 is 3, expected 2");
    EXPECT_EQ(refusal(with("start_op_per_job", 1, nan)), "instance 0: start_op_per_job of job 2 is nan, expected 2");
    EXPECT_EQ(refusal(with("end_op_per_job", 1, 1)),
              "instance 0: end_op_per_job of job 2 is 1, expected a whole number from 2 to 6");
    EXPECT_EQ(refusal(with("end_op_per_job", 2, 3.5)),
              "instance 0: end_op_per_job of job 3 is 3.5, expected a whole number from 3 to 6");
    EXPECT_EQ(refusal(with("end_op_per_job", 2, 1e18)),
              "instance 0: end_op_per_job of job 3 is 1e+18, expected a whole number from 3 to 6");
    EXPECT_EQ(refusal(with("pad_mask", 5, 0)),
              "instance 0: pad_mask of operation 5 is false, but the jobs have 5 operations");
    EXPECT_EQ(refusal(with("pad_mask", 1, 1)),
              "instance 0: pad_mask of operation 1 is true, but the jobs have 5 operations");
    EXPECT_EQ(refusal(with("proc_times", 13, 4)),
              "instance 0: proc_times of padding operation 6 on machine index 1 is 4, expected 0");
    EXPECT_EQ(refusal(with("proc_times", 3, 0)), "instance 0: job 3, operation 1: no eligible machine");
    EXPECT_EQ(refusal(with("proc_times", 3, -2)),
              "instance 0: job 3, operation 1: time -2 on machine index 0 is not a positive number");
    EXPECT_EQ(refusal(with("proc_times", 3, nan)),
              "instance 0: job 3, operation 1: time nan on machine index 0 is not a positive number");
}

} // namespace
} // namespace cax::test
