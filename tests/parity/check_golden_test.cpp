#include "cax/parity/check_golden.hpp"

#include "cax/io/files.hpp"
#include "cax/problems/registry.hpp"
#include "golden_builder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace cax::parity {
namespace {

using test::fresh_folder;
using test::GoldenBuilder;

std::string failures_of(GoldenReport const& report) {
    std::string text;
    for (GoldenFolder const& folder : report.folders) {
        for (std::string const& failure : folder.failures) text += failure + "\n";
    }
    return text;
}

class OwnGolden : public testing::TestWithParam<std::string> {};

std::vector<std::string> every_problem() {
    std::vector<std::string> names;
    for (Problem const* problem : all_problems()) names.emplace_back(problem->info().name);
    return names;
}

TEST_P(OwnGolden, AgreesWithItself) {
    auto const folder = fresh_folder(fmt::format("own-{}", GetParam()));
    GoldenBuilder(GetParam(), 3).write(folder / "below" / "here");
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->passed()) << failures_of(*report);
    ASSERT_EQ(report->folders.size(), 1U);
    GoldenFolder const& found = report->folders.front();
    EXPECT_EQ(found.path, folder / "below" / "here");
    EXPECT_EQ(found.problem, GetParam());
    EXPECT_GE(found.decisions, 3U);
    for (Count const* count : {&found.states, &found.masks, &found.actions, &found.rewards}) {
        EXPECT_GT(count->compared, 0U);
        EXPECT_EQ(count->unequal, 0U);
    }
    for (Difference const* difference :
         {&found.log_probs64, &found.gradients64, &found.log_probs32, &found.gradients32}) {
        EXPECT_GT(difference->compared, 0U);
        EXPECT_EQ(difference->exceeded, 0U);
    }
    EXPECT_TRUE(found.not_compared.empty()) << fmt::format("{}", fmt::join(found.not_compared, ", "));
}

TEST_P(OwnGolden, ComparesOnlyThePrecisionAskedFor) {
    auto const folder = fresh_folder(fmt::format("precision-{}", GetParam()));
    GoldenBuilder golden(GetParam(), 2);
    golden.corrupt("step00/logprobs64", 0.5);
    golden.write(folder);
    auto const in_float = check_golden(folder, {.float64 = false, .threads = 1});
    auto const in_double = check_golden(folder, {.float32 = false, .threads = 1});
    ASSERT_TRUE(in_float && in_double);
    EXPECT_TRUE(in_float->passed()) << failures_of(*in_float);
    EXPECT_EQ(in_float->folders[0].log_probs64.compared, 0U);
    EXPECT_FALSE(in_double->passed());
    EXPECT_EQ(in_double->folders[0].gradients32.compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, OwnGolden, testing::ValuesIn(every_problem()),
                         [](auto const& problem) { return problem.param; });

struct Corruption {
    char const* problem;
    char const* tensor;
    double by;
};

class CorruptGolden : public testing::TestWithParam<Corruption> {};

TEST_P(CorruptGolden, FailsAndNamesTheTensor) {
    Corruption const& corruption = GetParam();
    auto const folder = fresh_folder("corrupt");
    GoldenBuilder golden(corruption.problem, 2);
    golden.corrupt(corruption.tensor, corruption.by);
    golden.write(folder);
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_FALSE(report->passed());
    EXPECT_NE(failures_of(*report).find(corruption.tensor), std::string::npos) << failures_of(*report);
}

INSTANTIATE_TEST_SUITE_P(
    OneTensorAtATime, CorruptGolden,
    testing::Values(Corruption{"cvrptw", "reset/distances", 1e-5}, Corruption{"cvrptw", "step01/action_mask", 1},
                    Corruption{"cvrptw", "step00/next/current_time", 1e-4},
                    Corruption{"cvrptw", "step01/logprobs64", 1e-8}, Corruption{"cvrptw", "greedy/actions", 1},
                    Corruption{"cvrptw", "greedy/reward", 0.1}, Corruption{"op", "step00/logprobs", 2e-3},
                    Corruption{"op", "step00/grad64/prize", 1e-2}, Corruption{"op", "step01/grad/locs", 0.5},
                    Corruption{"op", "step01/next/visited", 1}, Corruption{"op", "greedy/logp_per_step", 0.01},
                    Corruption{"fjsp", "reset/lbs", 1e-3}, Corruption{"fjsp", "step01/next/busy_until", 1},
                    Corruption{"fjsp", "step01/grad64/proc_times", 1e9}));

TEST(CheckGolden, NoticesAStateTensorThatWeDoNotHave) {
    auto const folder = fresh_folder("unknown-key");
    GoldenBuilder golden("op", 1);
    golden.trace.tensors["step00/next/mood"] = golden.trace.tensors.at("step00/next/i");
    golden.write(folder);
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->passed());
    EXPECT_NE(failures_of(*report).find("mood: our state has no such tensor"), std::string::npos)
        << failures_of(*report);
}

TEST(CheckGolden, CarriesOverWhatAStepDidNotStore) {
    // A state tensor that changed but is not stored: the reference says that it did not change.
    auto const folder = fresh_folder("carried-over");
    GoldenBuilder golden("op", 1);
    golden.trace.tensors.erase("step00/next/i");
    golden.write(folder);
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report);
    EXPECT_NE(failures_of(*report).find("step00/next/i"), std::string::npos) << failures_of(*report);
}

TEST(CheckGolden, NoticesAWrongStateOfARandomEpisode) {
    auto const folder = fresh_folder("wrong-environment");
    GoldenBuilder golden("fjsp", 1);
    std::swap(golden.trace, golden.env_random);
    golden.corrupt("states/time", 1);
    std::swap(golden.trace, golden.env_random);
    golden.write(folder);
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report);
    EXPECT_NE(failures_of(*report).find("env_random.safetensors, instance 0, moment 0, states/time"), std::string::npos)
        << failures_of(*report);
}

TEST(CheckGolden, SurvivesAnActionThatNoStateHas) {
    auto const folder = fresh_folder("wild-action");
    GoldenBuilder golden("op", 2);
    golden.corrupt("step00/action", 1e6);
    golden.write(folder);
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->passed());
    EXPECT_NE(failures_of(*report).find("step00/action"), std::string::npos);
}

TEST(CheckGolden, SurvivesTensorsOfAnotherShape) {
    auto const folder = fresh_folder("wrong-shapes");
    GoldenBuilder golden("op", 2);
    std::vector<double> const few{1, 2, 3};
    for (auto& [name, tensor] : golden.trace.tensors) {
        if (!name.starts_with("instance/") && name != "step00/action" && name != "step01/action") {
            tensor = Tensor::from_doubles(tensor.dtype(), {3}, few);
        }
    }
    golden.write(folder);
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->passed());
}

TEST(CheckGolden, DoesNotPassATraceWithoutSteps) {
    auto const folder = fresh_folder("no-steps");
    GoldenBuilder("op", 0).write(folder);
    auto const report = check_golden(folder, {.threads = 1});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->folders.at(0).failure_count, 0U);
    EXPECT_FALSE(report->passed());
}

TEST(CheckGolden, RefusesAFolderWithoutAnythingGolden) {
    auto const report = check_golden(fresh_folder("empty"));
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("no golden folder"), std::string::npos);
    EXPECT_FALSE(check_golden(fresh_folder("empty") / "missing"));
}

TEST(CheckGolden, NamesTheFileThatIsMissingOrBroken) {
    for (char const* name : {"weights.safetensors", "trace.json", "trace.safetensors", "env_random.safetensors"}) {
        auto const folder = fresh_folder("broken-file");
        GoldenBuilder("op", 1).write(folder);
        ASSERT_TRUE(io::write_text(folder / name, "no"));
        auto const report = check_golden(folder, {.threads = 1});
        ASSERT_FALSE(report) << name;
        EXPECT_NE(report.error().message.find((folder / name).string()), std::string::npos) << report.error().message;
    }
    auto const folder = fresh_folder("missing-file");
    GoldenBuilder("op", 1).write(folder);
    std::filesystem::remove(folder / "weights.safetensors");
    EXPECT_FALSE(check_golden(folder, {.threads = 1}));
}

} // namespace
} // namespace cax::parity
