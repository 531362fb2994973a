#include "data.hpp"
#include "workbench.hpp"

#include <algorithm>
#include <fstream>

namespace cax::test {
namespace {

std::string const best_known = data_path("validation/best_known.json").string();

class Gap : public Workbench, public testing::WithParamInterface<char const*> {
protected:
    std::string set_ = GetParam();
    std::string problem_ = set_.substr(0, set_.find_first_of("0123456789"));
    std::string policy_ = policy(problem_);
    std::string instances_ = data_path("validation/" + set_ + ".npz").string();

    Json gap(std::vector<std::string> const& more) {
        std::vector<std::string> arguments{"gap",      policy_,  instances_,   "--best-known",
                                           best_known, "--json", "result.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        cax_ok(arguments);
        return json_of("result.json");
    }
};

TEST_P(Gap, ComparesWhatSolveReachesWithTheBestKnown) {
    Json const json = gap({"--seed", "4"});
    cax_ok({"solve", policy_, instances_, "--json", "solve.json"});
    Json const solved = json_of("solve.json")["instances"];
    Json const best = Json::parse(std::ifstream(best_known))["problems"][set_]["instances"];
    EXPECT_EQ(json["schema"], "cax/gap/1");
    EXPECT_EQ(json["command"], "gap");
    EXPECT_EQ(json["policy"]["path"], policy_);
    EXPECT_EQ(json["decode"], "greedy");
    EXPECT_EQ(json["set"], set_);
    ASSERT_EQ(json["instances"].size(), solved.size());
    ASSERT_EQ(solved.size(), best.size());
    double sum = 0;
    for (std::size_t i = 0; i < solved.size(); ++i) {
        double const cost = solved[i]["cost"].get<double>();
        double const least = best[i]["cost"].get<double>();
        double const expected = problem_ == "op" ? (least - cost) / least : (cost - least) / least;
        EXPECT_EQ(json["instances"][i]["cost"], cost);
        EXPECT_EQ(json["instances"][i]["best_known"], least);
        EXPECT_NEAR(json["instances"][i]["gap"].get<double>(), expected, 1e-12);
        EXPECT_GT(expected, 0) << "random weights do not find an optimum";
        sum += expected;
    }
    EXPECT_NEAR(json["mean_gap"].get<double>(), sum / static_cast<double>(solved.size()), 1e-12);
    EXPECT_GT(json["std_gap"].get<double>(), 0);
}

TEST_P(Gap, ListsOneResultPerPolicyAndMode) {
    Json const alone = gap({"--decode", "multistart", "--limit", "2"});
    std::filesystem::copy_file(path(policy_), path("twin.safetensors"));
    Ran const ran = cax_ok({"gap", policy_, "twin.safetensors", instances_, "--best-known", best_known, "--limit", "2",
                            "--decode", "greedy", "--decode", "multistart", "--json", "result.json"});
    EXPECT_NE(ran.out.find("mean over 2 policies, multistart"), std::string::npos) << ran.out;
    Json const json = json_of("result.json");
    ASSERT_EQ(json["results"].size(), 4U);
    EXPECT_EQ(json["results"][1]["policy"]["path"], policy_);
    EXPECT_EQ(json["results"][3]["policy"]["path"], "twin.safetensors");
    for (std::size_t i : {1, 3}) {
        EXPECT_EQ(json["results"][i]["decode"], "multistart");
        EXPECT_EQ(json["results"][i]["mean_gap"], alone["mean_gap"]);
        EXPECT_EQ(json["results"][i]["instances"], alone["instances"]);
    }
    EXPECT_EQ(json["results"][0]["decode"], "greedy");
    EXPECT_EQ(json["results"][2]["mean_gap"], json["results"][0]["mean_gap"]);
}

TEST_P(Gap, GivesTheSameResultForAnyNumberOfThreads) {
    std::vector<std::string> const sampled{"--decode", "sample", "--samples", "3", "--limit", "3"};
    auto with_threads = [&](std::string const& threads) {
        auto more = sampled;
        more.insert(more.end(), {"--threads", threads});
        return without_wall_time(gap(more));
    };
    EXPECT_EQ(with_threads("1"), with_threads("2"));
}

INSTANTIATE_TEST_SUITE_P(OfEverySet, Gap, testing::Values("cvrptw50", "op20", "fjsp10x5"));

class GapErrors : public Workbench {
protected:
    std::string policy_ = policy("op");
    std::string instances_ = data_path("validation/op20.npz").string();

    void expect_error(std::vector<std::string> const& arguments, std::vector<std::string> const& words) {
        Ran const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.out;
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        for (std::string const& word : words)
            EXPECT_NE(ran.err.find(word), std::string::npos) << word << ": " << ran.err;
    }
};

TEST_F(GapErrors, NameWhatIsMissingOrDoesNotBelongTogether) {
    expect_error({"gap", policy_, "--best-known", best_known}, {"FILES", "cax gap --help"});
    expect_error({"gap", policy_, instances_}, {"--best-known"});
    expect_error({"gap", policy_, instances_, "--best-known", "none.json"}, {"none.json"});
    expect_error({"gap", policy_, instances_, "--best-known", best_known, "--set", "moon"},
                 {"'moon'", "cvrptw50, op20, fjsp10x5"});
    expect_error({"gap", policy_, instances_, "--best-known", best_known, "--samples", "0"}, {"--samples"});
    expect_error({"gap", policy_, instances_, "--best-known", best_known, "--decode", "psychic"}, {"psychic"});
    expect_error({"gap", policy("fjsp"), instances_, "--best-known", best_known}, {"op instances", "for fjsp"});
    expect_error({"gap", policy_, policy("fjsp"), instances_, "--best-known", best_known}, {"for fjsp"});
}

TEST_F(GapErrors, NoticeCostsThatBelongToOtherInstances) {
    std::string const ten = instances("op", "20", 10);
    expect_error({"gap", policy_, ten, "--best-known", best_known, "--set", "op20"}, {"8 entries", "10 instances"});
    std::string const eight = instances("op", "20", 8);
    expect_error({"gap", policy_, eight, "--best-known", best_known, "--set", "op20"}, {"entry 0", "does not belong"});
    std::string const three = instances("op", "20", 3);
    expect_error({"gap", policy_, three, "--best-known", best_known, "--set", "op20"}, {"8 entries", "3 instances"});

    Json twice = Json::parse(std::ifstream(best_known));
    twice["problems"]["op20"]["instances"].push_back(twice["problems"]["op20"]["instances"][0]);
    twice["problems"]["op20"]["instances"][8].erase("index");
    write("more.json", twice.dump());
    expect_error({"gap", policy_, instances_, "--best-known", "more.json"}, {"9 entries", "8 instances"});

    Json better = Json::parse(std::ifstream(best_known));
    better["problems"]["op20"]["instances"][5]["cost"] = 99.0;
    write("better.json", better.dump());
    expect_error({"gap", policy_, instances_, "--best-known", "better.json"}, {"entry 5", "99"});
}

} // namespace
} // namespace cax::test
