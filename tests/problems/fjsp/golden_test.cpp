// Whole episodes of rl4co's environment, bit for bit, and the validation set's proven optima through our checker.
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"

#include "data.hpp"
#include "shops.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cax::test {
namespace {

bool same_bits(Tensor const& a, Tensor const& b) {
    return a.dtype() == b.dtype() && a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes());
}

NamedTensors instance_arrays(TensorFile const& file) {
    NamedTensors arrays;
    for (auto const& [name, tensor] : file.tensors) {
        if (name.starts_with("instance/")) arrays[name.substr(9)] = tensor;
    }
    return arrays;
}

void replay_episodes(std::string const& name, bool waiting) {
    CAX_REQUIRE_SHARED("rl4co-golden/fjsp/" + name);
    auto const file = io::read_safetensors(shared_path("rl4co-golden/fjsp/" + name));
    ASSERT_TRUE(file) << file.error().message;
    auto const instances = fjsp_problem().exchange().from_tensors(instance_arrays(*file));
    ASSERT_TRUE(instances) << instances.error().message;
    Tensor const& actions = file->tensors.at("actions");
    std::size_t const steps = actions.shape()[1];
    std::size_t compared = 0;
    for (std::size_t b = 0; b < instances->size(); ++b) {
        auto const state = (*instances)[b]->reset({.allow_waiting = waiting});
        for (std::size_t t = 0; t <= steps; ++t) {
            auto const ours = tensors_of(*state);
            for (auto const& [key, tensor] : file->tensors) {
                if (!key.starts_with("states/")) continue;
                ASSERT_TRUE(same_bits(ours.at(key.substr(7)), tensor.slice(t).slice(b))) << key << " at step " << t;
                ++compared;
            }
            if (t < steps) state->step(static_cast<std::size_t>(actions.as_int(b * steps + t)));
        }
        ASSERT_TRUE(state->done());
        EXPECT_EQ(-state->cost(), file->tensors.at("reward").as_double(b));
    }
    EXPECT_GE(compared, 3000U);
}

TEST(FjspGolden, ReplaysRandomEpisodesBitForBit) { replay_episodes("env_random.safetensors", false); }

TEST(FjspGolden, ReplaysRandomEpisodesWithWaitingBitForBit) { replay_episodes("env_random_wait.safetensors", true); }

TEST(FjspGolden, HasEveryTensorOfTheTraceAndNoOther) {
    CAX_REQUIRE_SHARED("rl4co-golden/fjsp/trace.safetensors");
    auto const file = io::read_safetensors(shared_path("rl4co-golden/fjsp/trace.safetensors"));
    ASSERT_TRUE(file) << file.error().message;
    auto const instances = fjsp_problem().exchange().from_tensors(instance_arrays(*file));
    ASSERT_TRUE(instances) << instances.error().message;
    for (std::size_t b = 0; b < instances->size(); ++b) {
        NamedTensors expected;
        for (auto const& [key, tensor] : file->tensors) {
            if (key.starts_with("reset/")) expected[key.substr(6)] = tensor.slice(b);
        }
        auto const state = (*instances)[b]->reset();
        for (int t = 0; t <= 12; ++t) {
            auto const ours = tensors_of(*state);
            ASSERT_EQ(ours.size(), expected.size());
            for (auto const& [key, tensor] : expected) ASSERT_TRUE(same_bits(ours.at(key), tensor)) << key << ' ' << t;
            if (t == 12) break;
            std::string const step = (t < 10 ? "step0" : "step") + std::to_string(t) + "/";
            state->step(static_cast<std::size_t>(file->tensors.at(step + "action").as_int(b)));
            for (auto const& [key, tensor] : file->tensors) {
                if (key.starts_with(step + "next/")) expected[key.substr(step.size() + 5)] = tensor.slice(b);
            }
        }
    }
}

TEST(FjspGolden, AcceptsTheOptimaOfTheValidationSet) {
    CAX_REQUIRE_SHARED("validation/fjsp10x5.npz");
    auto const arrays = io::read_npz(shared_path("validation/fjsp10x5.npz"));
    ASSERT_TRUE(arrays) << arrays.error().message;
    ASSERT_TRUE(fjsp_problem().exchange().recognises(*arrays));
    auto const instances = fjsp_problem().exchange().from_tensors(*arrays);
    ASSERT_TRUE(instances) << instances.error().message;
    auto const text = io::read_text(shared_path("validation/best_known.json"));
    ASSERT_TRUE(text);
    auto const best = io::parse_best_known(*text, "fjsp10x5", *instances);
    ASSERT_TRUE(best) << best.error().message;
    ASSERT_EQ(best->size(), 64U);
    for (std::size_t i = 0; i < best->size(); ++i) {
        ASSERT_TRUE((*best)[i].solution);
        auto const report = (*instances)[i]->check(*(*best)[i].solution);
        EXPECT_TRUE(report.valid()) << i << ": " << report.violations.front();
        EXPECT_EQ(report.cost, (*best)[i].cost);
    }
    auto const again = fjsp_problem().exchange().to_tensors(*instances);
    ASSERT_TRUE(again);
    for (auto const& [name, tensor] : *arrays) EXPECT_TRUE(same_bits(again->at(name), tensor)) << name;
}

} // namespace
} // namespace cax::test
