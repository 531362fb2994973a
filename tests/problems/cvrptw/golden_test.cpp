// Random episodes recorded from rl4co's own environment: every state, bit for bit. And the best known solutions.
#include "data.hpp"
#include "support.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace cax::cvrptw::test {
namespace {

/// Do two tensors hold the same numbers of the same type? (Shapes may differ in dimensions of 1.)
void expect_same(Tensor const& ours, Tensor const& theirs, std::string const& what) {
    EXPECT_EQ(ours.dtype(), theirs.dtype()) << what;
    EXPECT_TRUE(std::ranges::equal(ours.bytes(), theirs.bytes())) << what;
}

TEST(CvrptwGolden, ReplaysRecordedEpisodesBitForBit) {
    CAX_REQUIRE_SHARED("rl4co-golden/cvrptw/env_random.safetensors");
    auto const file = io::read_safetensors(cax::test::shared_path("rl4co-golden/cvrptw/env_random.safetensors"));
    ASSERT_TRUE(file) << file.error().message;
    NamedTensors raw, recorded;
    for (auto const& [name, tensor] : file->tensors) {
        if (name.starts_with("instance/")) raw[name.substr(9)] = tensor;
        if (name.starts_with("states/")) recorded[name.substr(7)] = tensor;
    }
    ASSERT_EQ(recorded.size(), 7);
    auto const instances = cvrptw_problem().exchange().from_tensors(raw);
    ASSERT_TRUE(instances) << instances.error().message;
    Tensor const& actions = file->tensors.at("actions");
    for (std::size_t b = 0; b < instances->size(); ++b) {
        auto const state = (*instances)[b]->reset();
        auto const row = actions.slice(b);
        for (std::size_t t = 0; t <= row.size(); ++t) {
            auto const tensors = tensors_of(*state);
            for (auto const& [name, values] : recorded) {
                expect_same(tensors.at(name), values.slice(t).slice(b),
                            name + " of instance " + std::to_string(b) + " after " + std::to_string(t) + " steps");
            }
            if (t < row.size()) state->step(static_cast<std::size_t>(row.as_int(t)));
        }
        double const reward = file->tensors.at("reward").as_double(b);
        EXPECT_NEAR(state->cost(), -reward, 1e-5 * state->cost());
    }
}

TEST(CvrptwGolden, HasTheSameTensorsAfterReset) {
    CAX_REQUIRE_SHARED("rl4co-golden/cvrptw/trace.safetensors");
    auto const file = io::read_safetensors(cax::test::shared_path("rl4co-golden/cvrptw/trace.safetensors"));
    ASSERT_TRUE(file) << file.error().message;
    NamedTensors raw, recorded;
    for (auto const& [name, tensor] : file->tensors) {
        if (name.starts_with("instance/")) raw[name.substr(9)] = tensor;
        if (name.starts_with("reset/")) recorded[name.substr(6)] = tensor;
    }
    auto const instances = cvrptw_problem().exchange().from_tensors(raw);
    ASSERT_TRUE(instances) << instances.error().message;
    for (std::size_t b = 0; b < instances->size(); ++b) {
        auto const ours = tensors_of(*(*instances)[b]->reset());
        EXPECT_EQ(ours.size(), recorded.size());
        for (auto const& [name, values] : recorded) {
            ASSERT_TRUE(ours.contains(name)) << name;
            EXPECT_EQ(ours.at(name).shape(), values.slice(b).shape()) << name;
            expect_same(ours.at(name), values.slice(b), name);
        }
    }
}

TEST(CvrptwGolden, AcceptsTheBestKnownSolutionsAtTheirCost) {
    CAX_REQUIRE_SHARED("validation/cvrptw50.npz");
    auto const arrays = io::read_npz(cax::test::shared_path("validation/cvrptw50.npz"));
    ASSERT_TRUE(arrays) << arrays.error().message;
    auto const instances = cvrptw_problem().exchange().from_tensors(*arrays);
    ASSERT_TRUE(instances) << instances.error().message;
    auto const text = io::read_text(cax::test::shared_path("validation/best_known.json"));
    ASSERT_TRUE(text);
    auto const best = io::parse_best_known(*text, "cvrptw50", *instances);
    ASSERT_TRUE(best) << best.error().message;
    ASSERT_EQ(best->size(), 128);
    for (std::size_t i = 0; i < best->size(); ++i) {
        ASSERT_TRUE((*best)[i].solution);
        auto const report = (*instances)[i]->check(*(*best)[i].solution);
        EXPECT_THAT(report.violations, testing::IsEmpty()) << "instance " << i;
        EXPECT_NEAR(report.cost, (*best)[i].cost, 1e-9 * report.cost) << "instance " << i;
        // The same routes, driven action by action under the mask.
        auto const state = (*instances)[i]->reset();
        for (auto const& route : std::get<Routes>(*(*best)[i].solution).routes) {
            for (std::size_t const customer : route) {
                ASSERT_EQ(state->action_mask()[customer], 1);
                state->step(customer);
            }
            ASSERT_EQ(state->action_mask()[0], 1);
            state->step(0);
        }
        EXPECT_TRUE(state->done());
        EXPECT_NEAR(state->cost(), report.cost, 1e-9 * report.cost);
    }
}

} // namespace
} // namespace cax::cvrptw::test
