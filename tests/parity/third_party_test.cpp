// A policy that somebody else trained, and what it did in rl4co: the independent test of loading and decoding.
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/decode.hpp"
#include "data.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

TEST(ThirdPartyPolicy, TakesTheSameToursAsInRl4co) {
    CAX_REQUIRE_SHARED("third-party/op_dist_20.safetensors");
    CAX_REQUIRE_SHARED("validation/op20.npz");
    auto const weights = io::read_safetensors(test::shared_path("third-party/op_dist_20.safetensors"));
    ASSERT_TRUE(weights) << weights.error().message;
    auto const policy = make_policy(*weights);
    ASSERT_TRUE(policy) << policy.error().message;
    auto const file = io::read_instances(test::shared_path("validation/op20.npz"));
    ASSERT_TRUE(file) << file.error().message;
    auto const text = io::read_text(test::shared_path("third-party/op_dist_20.expected.json"));
    ASSERT_TRUE(text) << text.error().message;
    auto const expected = io::parse_json(*text);
    ASSERT_TRUE(expected) << expected.error().message;

    auto const episodes = decode(**policy, file->instances, {.mode = DecodeMode::greedy});
    ASSERT_TRUE(episodes) << episodes.error().message;
    ASSERT_EQ((*expected)["instances"].size(), episodes->size());
    for (std::size_t i = 0; i < episodes->size(); ++i) {
        Json const& entry = (*expected)["instances"][i];

        EXPECT_EQ((*episodes)[i].actions, entry["actions"].get<std::vector<std::size_t>>()) << "instance " << i;
        EXPECT_NEAR((*episodes)[i].cost, entry["prize"].get<double>(), 1e-5) << "instance " << i;
    }
}

} // namespace
} // namespace cax
