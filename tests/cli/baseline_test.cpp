#include "workbench.hpp"

#include "cax/problems/registry.hpp"

#include <algorithm>

namespace cax::test {
namespace {

class BaselineCommand : public Workbench, public testing::WithParamInterface<std::string> {
protected:
    std::string problem_ = GetParam();
    std::string instances_ = instances(problem_, small_size(problem_), 4);

    Json baseline(std::vector<std::string> const& more) {
        std::vector<std::string> arguments{"baseline", instances_, "--json", "best.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        Ran const ran = cax_ok(arguments);
        EXPECT_NE(ran.out.find("of 4 proven optimal"), std::string::npos) << ran.out;
        return json_of("best.json");
    }
};

TEST_P(BaselineCommand, WritesABestKnownFileThatGapReads) {
    Json const json = baseline({"--iterations", "2000", "--seconds", "60", "--seed", "5"});
    EXPECT_EQ(json["schema"], "cax/baseline/1");
    EXPECT_EQ(json["command"], "baseline");
    EXPECT_EQ(json["seed"], 5);
    EXPECT_EQ(json["settings"]["iterations"], 2000);
    EXPECT_EQ(json["policy"], nullptr);
    std::string const set = problem_ + "-instances";
    Json const entries = json["problems"][set]["instances"];
    ASSERT_EQ(entries.size(), 4U);
    std::size_t proven = 0;
    for (Json const& entry : entries) {
        proven += entry["optimal"] == true ? 1 : 0;
        EXPECT_TRUE(entry.contains("lower_bound"));
        EXPECT_TRUE(entry.contains("routes") || entry.contains("tour") || entry.contains("schedule") ||
                    entry.contains("packing"));
    }
    EXPECT_EQ(json["proven"], proven);
    std::vector<std::string> const compared{"gap",       policy(problem_), instances_, "--best-known",
                                            "best.json", "--json",         "gap.json"};
    if (find_problem(problem_)->info().may_be_unsolvable) {
        Ran const ran = cax(compared);
        if (ran.err.find("keeps all rules: there is no gap") != std::string::npos) return;
    }
    cax_ok(compared);
    Json const gap = json_of("gap.json");
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(gap["instances"][i]["best_known"], entries[i]["cost"]);
        EXPECT_GE(gap["instances"][i]["gap"].get<double>(), -1e-7) << "random weights beat a classical search";
    }
}

TEST_P(BaselineCommand, GivesTheSameResultForAnyNumberOfThreads) {
    std::vector<std::string> const same{"--iterations", "300", "--seconds", "60"};
    auto with_threads = [&](std::string const& threads) {
        auto more = same;
        more.insert(more.end(), {"--threads", threads});
        return without_wall_time(baseline(more)).dump();
    };
    EXPECT_EQ(with_threads("1"), with_threads("3"));
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, BaselineCommand, testing::ValuesIn(every_problem()),
                         [](auto const& each) { return each.param; });

class BaselineErrors : public Workbench {
protected:
    void expect_error(std::vector<std::string> const& arguments, std::vector<std::string> const& words) {
        Ran const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.out;
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        for (std::string const& word : words)
            EXPECT_NE(ran.err.find(word), std::string::npos) << word << ": " << ran.err;
    }
};

TEST_F(BaselineErrors, NameOptionAndValue) {
    std::string const file = instances("op", "5", 2);
    expect_error({"baseline"}, {"INSTANCES", "cax baseline --help"});
    expect_error({"baseline", "none.json"}, {"none.json"});
    expect_error({"baseline", file, "--seconds", "-1"}, {"--seconds", "-1"});
    expect_error({"baseline", file, "--seconds", "nan"}, {"--seconds"});
    expect_error({"baseline", file, "--iterations", "-5"}, {"--iterations"});
    expect_error({"baseline", file, "--json", "no/such/folder/best.json"}, {"no/such/folder/best.json"});
}

TEST_F(BaselineErrors, SayWhichInstanceCannotBeSolved) {
    std::string const file = instances("cvrptw", "5", 3);
    Json json = json_of(file);
    auto& customer = json["instances"][1]["customers"][2];
    customer["x"] = customer["x"].get<double>() + 10'000;
    write("far.json", json.dump());
    expect_error({"baseline", "far.json", "--iterations", "10"}, {"far.json", "instance 1", "customer 3"});
}

} // namespace
} // namespace cax::test
