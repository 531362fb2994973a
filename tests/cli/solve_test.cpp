#include "workbench.hpp"

#include "cax/core/sha256.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>

namespace cax::test {
namespace {

class Solve : public Workbench, public testing::WithParamInterface<std::string> {
protected:
    std::string problem_ = GetParam();
    std::string policy_ = policy(problem_, small_size(problem_));
    std::string instances_ = instances(problem_, small_size(problem_), 4);

    [[nodiscard]] bool may_be_unsolvable() const { return find_problem(problem_)->info().may_be_unsolvable; }
    /// Solves with more arguments and returns the result file.
    Json solve(std::vector<std::string> const& more) {
        std::vector<std::string> arguments{"solve", policy_, instances_, "--json", "result.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        Ran const ran = cax_solved(problem_, arguments);
        EXPECT_TRUE(may_be_unsolvable() || ran.out.find("4 of 4 valid") != std::string::npos) << ran.out;
        return json_of("result.json");
    }
};

TEST_P(Solve, WritesWhatWasDoneAndHowItCameAbout) {
    Json const json = solve({"--seed", "11"});
    EXPECT_EQ(json["schema"], "cax/solve/1");
    EXPECT_EQ(json["command"], "solve");
    EXPECT_EQ(json["seed"], 11);
    EXPECT_TRUE(json["version"].is_string());
    EXPECT_EQ(json["settings"]["decode"], "greedy");
    EXPECT_EQ(json["settings"]["encode"], "once");
    EXPECT_EQ(json["policy"]["path"], policy_);
    EXPECT_EQ(json["policy"]["problem"], problem_);
    EXPECT_EQ(json["policy"]["size"], small_size(problem_));
    EXPECT_EQ(json["policy"]["sha256"], sha256_hex(text_of(policy_)));
    EXPECT_EQ(json["instances_sha256"], sha256_hex(text_of(instances_)));
    EXPECT_GE(json["wall_seconds"], 0);
    ASSERT_EQ(json["instances"].size(), 4U);
    double sum = 0;
    for (Json const& entry : json["instances"]) {
        EXPECT_TRUE(entry["valid"] == true || may_be_unsolvable());
        EXPECT_GT(entry["actions"].size(), 0U);
        EXPECT_LE(entry["log_likelihood"], 0);
        EXPECT_TRUE(entry.contains("routes") || entry.contains("tour") || entry.contains("schedule") ||
                    entry.contains("packing"));
        sum += entry["cost"].get<double>();
    }
    EXPECT_NEAR(json["mean_cost"].get<double>(), sum / 4, 1e-9);
}

TEST_P(Solve, GivesTheSameResultForAnyNumberOfThreads) {
    for (std::string const mode : {"greedy", "multistart", "sample"}) {
        std::vector<std::string> const same{"--decode", mode, "--samples", "5", "--seed", "2"};
        auto with_threads = [&](std::string const& threads) {
            auto arguments = same;
            arguments.insert(arguments.end(), {"--threads", threads});
            return without_wall_time(solve(arguments)).dump();
        };
        std::string const one = with_threads("1");
        EXPECT_EQ(one, with_threads("2")) << mode;
        EXPECT_EQ(one, with_threads("1")) << mode;
    }
}

TEST_P(Solve, IsNoWorseWithMoreAttempts) {
    double const sign = find_problem(problem_)->info().objective == Objective::maximise ? -1 : 1;
    Json const greedy = solve({"--decode", "greedy"});
    Json const few = solve({"--decode", "sample", "--samples", "2"});
    Json const many = solve({"--decode", "sample", "--samples", "30"});
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LE(sign * many["instances"][i]["cost"].get<double>(), sign * few["instances"][i]["cost"].get<double>());
    }
    EXPECT_EQ(greedy["instances"].size(), 4U);
}

TEST_P(Solve, DrawsOtherSamplesForAnotherSeed) {
    Json const one = solve({"--decode", "sample", "--samples", "1", "--seed", "1"});
    Json const two = solve({"--decode", "sample", "--samples", "1", "--seed", "2"});
    EXPECT_NE(one["instances"], two["instances"]);
}

TEST_P(Solve, TakesTheFirstInstancesUnderALimit) {
    Json const all = solve({});
    cax_solved(problem_, {"solve", policy_, instances_, "--limit", "2", "--json", "two.json"});
    Json const two = json_of("two.json");
    ASSERT_EQ(two["instances"].size(), 2U);
    EXPECT_EQ(two["instances"][0], all["instances"][0]);
    EXPECT_EQ(two["instances"][1], all["instances"][1]);
}

TEST_P(Solve, NarratesAnEpisodeWithProbabilitiesAndRules) {
    Ran const ran =
        cax_solved(problem_, {"solve", policy_, instances_, "--limit", "1", "--narrate", "--json", "told.json"});
    EXPECT_NE(ran.out.find("   1. "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(" %"), std::string::npos) << ran.out;
    bool const scarce = find_problem(problem_)->info().families.size() > 1; // of distances alone nothing runs short
    EXPECT_EQ(ran.out.find("to spare") != std::string::npos, scarce) << ran.out;
    Json const entry = json_of("told.json")["instances"][0];
    ASSERT_EQ(entry["steps"].size(), entry["actions"].size());
    double log_likelihood = 0;
    for (std::size_t t = 0; t < entry["steps"].size(); ++t) {
        Json const& step = entry["steps"][t];
        EXPECT_EQ(step["action"], entry["actions"][t]);
        double const probability = step["probability"];
        log_likelihood += std::log(probability);
        if (!step["runner_up"].is_null()) {
            EXPECT_LE(step["runner_up"]["probability"], probability);
        }
    }
    EXPECT_NEAR(log_likelihood, entry["log_likelihood"].get<double>(), 1e-4);
}

TEST_P(Solve, TellsChosenDecisionsOfAChosenInstance) {
    for (std::string const mode : {"greedy", "sample"}) {
        std::vector<std::string> const same{"--decode", mode, "--samples", "3"};
        Json const all = solve(same);
        std::vector<std::string> arguments{"solve",     policy_,  instances_, "--instance", "2",
                                           "--narrate", "--step", "2,4",      "--json",     "told.json"};
        arguments.insert(arguments.end(), same.begin(), same.end());
        Ran const ran = cax_solved(problem_, arguments);
        Json entry = json_of("told.json")["instances"][0];
        ASSERT_EQ(entry["steps"].size(), 2U);
        EXPECT_EQ(entry["steps"][1]["step"], 3);
        EXPECT_NE(ran.out.find("   2. "), std::string::npos) << ran.out;
        EXPECT_EQ(ran.out.find("   3. "), std::string::npos) << ran.out;
        entry.erase("steps");
        EXPECT_EQ(entry, all["instances"][2]) << "the same as among all";
        EXPECT_EQ(entry["instance"], 2);
    }
    Ran const ran = cax({"solve", policy_, instances_, "--limit", "1", "--steps", "2"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_NE(ran.err.find("--narrate"), std::string::npos) << ran.err;
}

TEST_P(Solve, SaysWhenTheSizeIsNotTheTrainedOne) {
    std::string const other = small_size(problem_) == "8" ? "5" : "3x3";
    Ran const ran = cax_solved(problem_, {"solve", policy_, instances(problem_, other, 2)});
    EXPECT_NE(ran.out.find("note: the policy was trained on size " + small_size(problem_)), std::string::npos)
        << ran.out;
}

TEST_P(Solve, WritesSolutionsByThemselves) {
    Json const result = solve({"--solutions", "solutions.json"});
    Json const solutions = json_of("solutions.json");
    EXPECT_EQ(solutions["schema"], "cax/solutions/1");
    ASSERT_EQ(solutions["instances"].size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(solutions["instances"][i]["cost"], result["instances"][i]["cost"]);
        EXPECT_FALSE(solutions["instances"][i].contains("actions"));
    }
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, Solve, testing::ValuesIn(every_problem()),
                         [](auto const& each) { return each.param; });

class SolveOneProblem : public Workbench {};

TEST_F(SolveOneProblem, ReadsTheSameInstancesFromEitherFormat) {
    std::string const op = policy("op");
    cax_ok({"solve", op, instances("op", "8", 3, ".json"), "--json", "a.json"});
    cax_ok({"solve", op, instances("op", "8", 3, ".npz"), "--json", "b.json"});
    EXPECT_EQ(json_of("a.json")["instances"], json_of("b.json")["instances"]);
}

TEST_F(SolveOneProblem, WritesRoutesAsVrplibDoes) {
    cax_ok({"solve", policy("cvrptw"), instances("cvrptw", "8", 2), "--limit", "1", "--solutions", "one.sol"});
    std::string const text = text_of("one.sol");
    EXPECT_TRUE(text.starts_with("Route #1:")) << text;
    EXPECT_NE(text.find("Cost "), std::string::npos) << text;
}

TEST_F(SolveOneProblem, ShowsTheCurrentStateToTheEncoderIfAsked) {
    std::string const fjsp = policy("fjsp");
    std::string const shop = instances("fjsp", "4x3", 3);
    cax_ok({"solve", fjsp, shop, "--json", "once.json"});
    cax_ok({"solve", fjsp, shop, "--encode", "each-step", "--json", "each.json"});
    EXPECT_NE(json_of("once.json")["instances"], json_of("each.json")["instances"]);
    EXPECT_EQ(json_of("each.json")["settings"]["encode"], "each-step");
}

TEST_F(SolveOneProblem, AgreesInDoublePrecisionUpToRounding) {
    std::string const op = policy("op");
    std::string const file = instances("op", "8", 3);
    cax_ok({"solve", op, file, "--json", "single.json"});
    cax_ok({"solve", op, file, "--precision", "double", "--json", "double.json"});
    Json const single = json_of("single.json");
    Json const exact = json_of("double.json");
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(single["instances"][i]["actions"], exact["instances"][i]["actions"]);
        EXPECT_NEAR(single["instances"][i]["log_likelihood"].get<double>(),
                    exact["instances"][i]["log_likelihood"].get<double>(), 1e-3);
    }
}

} // namespace
} // namespace cax::test
