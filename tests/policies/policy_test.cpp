// From a file's tensors to a policy that solves instances, for every problem that cax knows.
#include "cax/policies/policy.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cax {
namespace {

std::string error_of(TensorFile const& file) {
    auto const policy = make_policy(file);
    return policy ? "no error" : policy.error().message;
}

TEST(MakePolicy, RefusesAProblemThatTheTensorsContradict) {
    TensorFile file = test::random_policy("cvrptw", 16, 1, 1);
    file.metadata["env_name"] = "op";
    EXPECT_EQ(error_of(file), "metadata env_name: op: policy for op reads 6 features per node, the observation has 3");
    file.metadata["env_name"] = "fjsp";
    EXPECT_EQ(error_of(file), "metadata env_name: fjsp: policy for fjsp (attention network) reads another kind of "
                              "observation");
}

TEST(MakePolicy, RefusesAProblemThatItDoesNotKnow) {
    TensorFile file = test::random_policy("op", 16, 1, 1);
    file.metadata["env_name"] = "mtsp\n";
    EXPECT_EQ(error_of(file), "metadata env_name: \"mtsp?\" is not a problem of cax (" + problem_names() + ")");
}

TEST(MakePolicy, RefusesTensorsOfNoNetwork) {
    EXPECT_EQ(error_of({}), "the tensors are those of no network of cax (attention, matnet)");
}

TEST(MakePolicy, RefusesFeaturesOfNoProblem) {
    TensorFile file = test::random_policy("op", 16, 1, 1);
    file.metadata.erase("env_name");
    std::vector<float> const values(16 * 5, 0.1F);
    file.tensors["encoder.init_embedding.init_embed.weight"] = Tensor::from_floats({16, 5}, values);
    file.metadata["num_heads"] = "4";
    EXPECT_EQ(error_of(file), "the tensors fit none of the problems of cax (" + problem_names() + ")");
}

class EveryProblem : public testing::TestWithParam<Problem const*> {
protected:
    std::string const name_{GetParam()->info().name};
    TensorFile const file_ = test::random_policy(name_, 16, 2, 3);

    std::unique_ptr<Policy> policy(PolicyOptions const& options = {}) const {
        auto made = make_policy(file_, options);
        EXPECT_TRUE(made) << made.error().message;
        return made ? std::move(*made) : nullptr;
    }
    std::vector<InstancePtr> instances(std::size_t count) const {
        std::vector<InstancePtr> result;
        for (std::uint32_t i = 0; i < count; ++i) {
            Rng rng(4, i);
            result.push_back(*GetParam()->generate(GetParam()->info().size_hint == "JxM" ? "4x3" : "12", {}, rng));
        }
        return result;
    }
};

TEST_P(EveryProblem, HasAPolicyThatSaysWhatItIs) {
    PolicyInfo const info = policy()->info();
    EXPECT_EQ(info.problem, name_);
    EXPECT_EQ(info.embed_dim, 16);
    EXPECT_EQ(info.layers, 2);
    EXPECT_EQ(info.heads, 4);
    EXPECT_GT(info.parameters, 5000);
}

TEST_P(EveryProblem, IsRecognisedByTheTensorsAlone) {
    TensorFile file = file_;
    file.metadata.erase("env_name");
    auto const found = make_policy(file);
    std::vector<std::string> fits; // some problems are alike in every shape: only the metadata tells which
    for (Problem const* each : all_problems()) {
        TensorFile named = file;
        named.metadata["env_name"] = each->info().name;
        if (make_policy(named)) fits.emplace_back(each->info().name);
    }
    ASSERT_TRUE(std::ranges::find(fits, name_) != fits.end());
    if (fits.size() > 1) {
        EXPECT_EQ(error_of(file), "metadata env_name: missing, and the tensors fit " + fits[0] + " and " + fits[1]);
        return;
    }
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ((*found)->info().problem, name_);
}

TEST_P(EveryProblem, LooksTheSameInBothPrecisions) {
    auto const single = policy(), twice = policy({.precision = Precision::float64});
    std::vector<Observation> observations;
    for (InstancePtr const& instance : instances(5)) observations.push_back(instance->reset()->observe());
    auto const a = single->log_probs(observations), b = twice->log_probs(observations);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t action = 0; action < a[i].size(); ++action)
            if (a[i][action] != b[i][action]) {
                EXPECT_NEAR(a[i][action], b[i][action], 1e-4);
            }
}

TEST_P(EveryProblem, IsSolvedValidlyByEveryDecoder) {
    auto const own = policy();
    auto const all = instances(12);
    for (DecodeMode const mode : {DecodeMode::greedy, DecodeMode::multistart, DecodeMode::sample})
        for (EncodeMode const encode : {EncodeMode::once, EncodeMode::each_step}) {
            auto const episodes = decode(*own, all, {.mode = mode, .samples = 6, .seed = 1, .state = {.encode = encode}});
            ASSERT_TRUE(episodes) << episodes.error().message;
            for (std::size_t i = 0; i < all.size(); ++i) {
                Trajectory const& episode = (*episodes)[i];
                EXPECT_EQ(episode.actions.size(), episode.log_probs.size());
                auto const solution = all[i]->solution_of(episode.actions);
                ASSERT_TRUE(solution) << solution.error().message;
                if (mode == DecodeMode::multistart) continue; // a forced first move may be against the rules
                CheckReport const report = all[i]->check(*solution);
                EXPECT_TRUE(report.valid() || GetParam()->info().may_be_unsolvable) << report.violations.front();
                EXPECT_NEAR(report.cost, episode.cost, 1e-6 * report.cost);
            }
        }
}

TEST_P(EveryProblem, IsDecodedTheSameOnAnyNumberOfThreads) {
    auto const one = policy({.threads = 1}), two = policy({.threads = 2});
    auto const all = instances(11);
    for (DecodeMode const mode : {DecodeMode::greedy, DecodeMode::multistart, DecodeMode::sample}) {
        auto const a = decode(*one, all, {.mode = mode, .samples = 6, .threads = 1});
        auto const b = decode(*two, all, {.mode = mode, .samples = 6, .threads = 2});
        auto const some = decode(*two, std::span(all).first(3), {.mode = mode, .samples = 6});
        ASSERT_TRUE(a && b && some);
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ((*a)[i].actions, (*b)[i].actions);
            EXPECT_EQ((*a)[i].log_probs, (*b)[i].log_probs);
            if (i < some->size()) {
                EXPECT_EQ((*a)[i].log_probs, (*some)[i].log_probs);
            }
        }
    }
}

TEST_P(EveryProblem, GainsFromMoreThanOneTry) {
    auto const own = policy();
    auto const all = instances(8);
    bool const minimise = GetParam()->info().objective == Objective::minimise;
    auto const mean = [&](DecodeOptions const& options) {
        double sum = 0;
        auto const episodes = decode(*own, all, options);
        for (Trajectory const& episode : *episodes) sum += episode.cost;
        return minimise ? sum : -sum;
    };
    EXPECT_LT(mean({.mode = DecodeMode::sample, .samples = 50}), mean({.mode = DecodeMode::sample, .samples = 1}));
}

TEST_P(EveryProblem, DecodesTheResetStateAsItScoresIt) {
    auto const own = policy();
    auto const all = instances(3);
    auto const greedy = decode(*own, all, {});
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<Observation> const observation{all[i]->reset()->observe()};
        EXPECT_EQ((*greedy)[i].log_probs.front(), own->log_probs(observation)[0][(*greedy)[i].actions.front()]);
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryProblem, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& test) { return std::string(test.param->info().name); });

} // namespace
} // namespace cax
