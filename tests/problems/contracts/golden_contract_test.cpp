// What others recorded of a problem: every state of rl4co's own environment, bit for bit, and the best known solutions.
#include "contract.hpp"
#include "data.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"

#include <algorithm>

namespace cax::test {
namespace {

/// The first of these folders that has the file: the shared ones, then what this repository keeps.
std::filesystem::path recorded(std::string_view folder, std::string const& file) {
    for (std::filesystem::path const& home :
         {shared_path(folder), shared_path("more-problems") / folder, data_path(folder)}) {
        if (std::filesystem::exists(home / file)) return home / file;
    }
    return {};
}

/// The tensors whose names begin so, without that beginning.
NamedTensors named(TensorFile const& file, std::string_view beginning) {
    NamedTensors tensors;
    for (auto const& [name, tensor] : file.tensors) {
        if (name.starts_with(beginning)) tensors[name.substr(beginning.size())] = tensor;
    }
    return tensors;
}

void expect_same_bits(Tensor const& ours, Tensor const& theirs, std::string const& what) {
    ASSERT_EQ(ours.dtype(), theirs.dtype()) << what;
    ASSERT_EQ(ours.size(), theirs.size()) << what; // shapes may differ in dimensions of 1
    ASSERT_TRUE(std::ranges::equal(ours.bytes(), theirs.bytes())) << what;
}

TEST_P(ProblemContract, ReplaysEpisodesOfTheEnvironmentBitForBit) {
    auto const path = recorded("rl4co-golden", std::string(info().name) + "/env_random.safetensors");
    if (path.empty()) GTEST_SKIP() << "no recorded episodes of " << info().name;
    auto const file = io::read_safetensors(path);
    ASSERT_TRUE(file) << file.error().message;
    NamedTensors const states = named(*file, "states/");
    ASSERT_FALSE(states.empty());
    auto const instances = problem().exchange().from_tensors(named(*file, "instance/"));
    ASSERT_TRUE(instances) << instances.error().message;
    for (std::size_t b = 0; b < instances->size(); ++b) {
        auto const state = (*instances)[b]->reset();
        auto const row = file->tensors.at("actions").slice(b);
        for (std::size_t t = 0; t <= row.size(); ++t) {
            auto const tensors = tensors_of(*state);
            for (auto const& [name, values] : states) {
                expect_same_bits(tensors.at(name), values.slice(t).slice(b),
                                 name + " of instance " + std::to_string(b) + " after " + std::to_string(t) + " steps");
            }
            if (t < row.size()) state->step(static_cast<std::size_t>(row.as_int(t)));
        }
        ASSERT_TRUE(state->done());
        double const sign = info().objective == Objective::maximise ? 1 : -1;
        EXPECT_NEAR(sign * state->cost(), file->tensors.at("reward").as_double(b), 1e-5 * state->cost());
    }
}

TEST_P(ProblemContract, HasEveryTensorOfTheEnvironmentAfterResetAndNoOther) {
    auto const path = recorded("rl4co-golden", std::string(info().name) + "/trace.safetensors");
    if (path.empty()) GTEST_SKIP() << "no recorded trace of " << info().name;
    auto const file = io::read_safetensors(path);
    ASSERT_TRUE(file) << file.error().message;
    NamedTensors const after_reset = named(*file, "reset/");
    auto const instances = problem().exchange().from_tensors(named(*file, "instance/"));
    ASSERT_TRUE(instances) << instances.error().message;
    for (std::size_t b = 0; b < instances->size(); ++b) {
        auto const ours = tensors_of(*(*instances)[b]->reset());
        EXPECT_EQ(ours.size(), after_reset.size());
        for (auto const& [name, values] : after_reset) {
            ASSERT_TRUE(ours.contains(name)) << name;
            EXPECT_EQ(ours.at(name).shape(), values.slice(b).shape()) << name;
            expect_same_bits(ours.at(name), values.slice(b), name);
        }
    }
}

TEST_P(ProblemContract, AcceptsTheBestKnownSolutionsAtTheirCost) {
    auto const path = recorded("validation", std::string(info().name) + std::string(info().default_size) + ".npz");
    if (path.empty()) GTEST_SKIP() << "no validation set of " << info().name;
    auto const arrays = io::read_npz(path);
    ASSERT_TRUE(arrays) << arrays.error().message;
    ASSERT_TRUE(problem().exchange().recognises(*arrays));
    auto const instances = problem().exchange().from_tensors(*arrays);
    ASSERT_TRUE(instances) << instances.error().message;
    auto const answers = io::read_text(path.parent_path() / "best_known.json");
    ASSERT_TRUE(answers) << answers.error().message;
    auto const best = io::parse_best_known(*answers, path.stem().string(), *instances);
    ASSERT_TRUE(best) << best.error().message;
    ASSERT_EQ(best->size(), instances->size());
    for (std::size_t i = 0; i < best->size(); ++i) {
        ASSERT_TRUE((*best)[i].solution);
        auto const report = (*instances)[i]->check(*(*best)[i].solution);
        ASSERT_TRUE(report.valid()) << "instance " << i << ": " << report.violations.front();
        EXPECT_NEAR(report.cost, (*best)[i].cost, 1e-6) << "instance " << i; // a sum of float32 numbers
        auto const* routes = std::get_if<Routes>(&*(*best)[i].solution);
        if (routes == nullptr) continue;
        // The same routes, driven action by action under the mask.
        auto const state = (*instances)[i]->reset();
        for (auto const& route : routes->routes) {
            for (std::size_t const customer : route) {
                ASSERT_EQ(state->action_mask()[customer], 1);
                state->step(customer);
            }
            if (state->done()) continue;
            ASSERT_EQ(state->action_mask()[0], 1);
            state->step(0);
        }
        ASSERT_TRUE(state->done());
        EXPECT_NEAR(state->cost(), report.cost, 1e-9 * report.cost);
    }
}

} // namespace
} // namespace cax::test
