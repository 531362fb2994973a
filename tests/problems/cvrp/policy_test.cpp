// A policy that others trained drives the routes that rl4co recorded of it.
#include "data.hpp"
#include "support.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/decode.hpp"

namespace cax::cvrp::test {
namespace {

TEST(CvrpPolicy, OfOthersDrivesItsRecordedTours) {
    CAX_REQUIRE_SHARED("more-problems/third-party/cvrp_20.safetensors");
    auto const folder = cax::test::shared_path("more-problems/third-party");
    auto const weights = io::read_safetensors(folder / "cvrp_20.safetensors");
    ASSERT_TRUE(weights) << weights.error().message;
    auto const policy = make_policy(*weights);
    ASSERT_TRUE(policy) << policy.error().message;
    EXPECT_EQ((*policy)->info().problem, "cvrp");
    auto const instances = io::read_instances(folder / "cvrp_20.npz");
    ASSERT_TRUE(instances) << instances.error().message;
    auto const text = io::read_text(folder / "cvrp_20.expected.json");
    ASSERT_TRUE(text);
    Json const expected = Json::parse(*text)["instances"];
    auto const episodes = decode(**policy, instances->instances, {});
    ASSERT_TRUE(episodes) << episodes.error().message;
    ASSERT_EQ(episodes->size(), expected.size());
    for (std::size_t i = 0; i < episodes->size(); ++i) {
        EXPECT_EQ((*episodes)[i].actions, expected[i]["actions"].get<std::vector<std::size_t>>()) << "instance " << i;
        EXPECT_NEAR((*episodes)[i].cost, expected[i]["cost"].get<double>(), 1e-5) << "instance " << i;
    }
}

} // namespace
} // namespace cax::cvrp::test
