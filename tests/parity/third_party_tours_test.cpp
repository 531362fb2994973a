// Policies that others trained drive the tours that were recorded of them, whatever the problem: every policy beside
// its instances and its record. A recorded gap below what float32 can tell apart frees a tour to differ.
#include "data.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/decode.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

constexpr double telling_gap = 1e-4;

void expect_recorded_tours(std::filesystem::path const& weights_path) {
    auto const weights = io::read_safetensors(weights_path);
    ASSERT_TRUE(weights) << weights.error().message;
    auto const policy = make_policy(*weights);
    ASSERT_TRUE(policy) << policy.error().message;
    auto const folder = weights_path.parent_path();
    auto const text = io::read_text(folder / (weights_path.stem().string() + ".expected.json"));
    ASSERT_TRUE(text) << text.error().message;
    Json const expected = Json::parse(*text);
    auto const file = io::read_instances(folder / expected["instances_file"].get<std::string>());
    ASSERT_TRUE(file) << file.error().message;
    auto const episodes = decode(**policy, file->instances, {.mode = DecodeMode::greedy});
    ASSERT_TRUE(episodes) << episodes.error().message;
    ASSERT_EQ(episodes->size(), expected["instances"].size());
    double sum = 0;
    std::size_t valid = 0;
    for (std::size_t i = 0; i < episodes->size(); ++i) {
        Json const& entry = expected["instances"][i];
        auto const solution = file->instances[i]->solution_of((*episodes)[i].actions);
        ASSERT_TRUE(solution) << solution.error().message;
        sum += (*episodes)[i].cost;
        valid += file->instances[i]->check(*solution).valid() ? 1 : 0;
        if (entry["smallest_gap"].get<double>() < telling_gap) continue;
        EXPECT_EQ((*episodes)[i].actions, entry["actions"].get<std::vector<std::size_t>>()) << "instance " << i;
        EXPECT_NEAR((*episodes)[i].cost, entry["cost"].get<double>(), 2e-5) << "instance " << i;
    }
    EXPECT_NEAR(sum / static_cast<double>(episodes->size()), expected["mean_cost"].get<double>(), 1e-5);
    EXPECT_EQ(valid, expected.value("feasible", episodes->size()));
}

TEST(ThirdPartyPolicies, DriveTheirRecordedTours) {
    CAX_REQUIRE_SHARED("more-problems/third-party");
    std::size_t found = 0;
    for (auto const& entry : std::filesystem::directory_iterator(test::shared_path("more-problems/third-party"))) {
        if (entry.path().extension() != ".safetensors") continue;
        SCOPED_TRACE(entry.path().stem().string());
        expect_recorded_tours(entry.path());
        ++found;
    }
    EXPECT_GE(found, 4U);
}

} // namespace
} // namespace cax
