#include "workbench.hpp"

namespace cax::test {
namespace {

class SubsetCommand : public Workbench, public testing::WithParamInterface<std::string> {
protected:
    std::string problem_ = GetParam();
    std::string policy_ = policy(problem_, small_size(problem_));
    std::string instances_ = instances(problem_, small_size(problem_), 2);

    Json subset(std::vector<std::string> const& more) {
        std::vector<std::string> arguments{"subset",  policy_, instances_,  "--json", "result.json",
                                           "--steps", "2",     "--samples", "20"};
        if (more.front() != "--published") arguments.push_back("--sigma-relative"); // which it does not know
        arguments.insert(arguments.end(), more.begin(), more.end());
        text_ = cax_ok(arguments).out;
        return json_of("result.json");
    }

    std::string text_;
};

TEST_P(SubsetCommand, WritesTheFieldsOfTheContract) {
    Json const json = subset({"--k-max", "5", "--exact", "--budget", "100"});
    EXPECT_EQ(json["schema"], "cax/subset/1");
    EXPECT_EQ(json["command"], "subset");
    EXPECT_EQ(json["settings"]["samples"], 20);
    EXPECT_EQ(json["settings"]["needed"], 16);
    ASSERT_EQ(json["cells"].size(), 4U);
    for (Json const& decision : json["cells"]) {
        for (char const* field : {"instance", "step", "action", "accepted", "size", "nodes", "rate", "lower_bound",
                                  "samples", "margin", "exact"}) {
            EXPECT_TRUE(decision.contains(field)) << field;
        }
        EXPECT_TRUE(decision["exact"].contains("size") && decision["exact"].contains("proven"));
        EXPECT_EQ(decision["size"].is_null(), !decision["accepted"].get<bool>());
        EXPECT_LE(decision["lower_bound"], decision["rate"]);
    }
    EXPECT_NE(text_.find("smallest subsets:"), std::string::npos);
}

TEST_P(SubsetCommand, IsTheSameForAnyNumberOfThreads) {
    std::vector<std::string> const options{"--k-max", "4", "--order", "lp,random", "--exact", "--budget", "80"};
    auto one = options;
    one.insert(one.end(), {"--threads", "1"});
    auto three = options;
    three.insert(three.end(), {"--threads", "3"});
    EXPECT_EQ(without_wall_time(subset(one)), without_wall_time(subset(three)));
}

TEST_P(SubsetCommand, ComparesOrdersSideBySide) {
    Json const json =
        subset({"--k-max", "3", "--order", "proxy,occlusion,integrated,random", "--curve", "--points", "4"});
    ASSERT_EQ(json["orderings"].size(), 4U);
    EXPECT_EQ(json["orderings"][3]["order"], "random");
    for (Json const& ordering : json["orderings"]) {
        EXPECT_EQ(ordering["cells"].size(), 4U);
        double const area = ordering["score"]["area_under_curve"];
        EXPECT_GE(area, 0);
        EXPECT_LE(area, 1);
    }
    EXPECT_EQ(json["cells"], json["orderings"][0]["cells"]);
}

TEST_P(SubsetCommand, AnswersAboutChosenStepsAndInstancesAsItDoesAmongAll) {
    auto const decisions = [&](std::vector<std::string> const& more) {
        std::vector<std::string> arguments{"subset",      policy_,     instances_, "--json",
                                           "result.json", "--samples", "20",       "--sigma-relative",
                                           "--k-max",     "3",         "--order",  "lp,random"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        text_ = cax_ok(arguments).out;
        return json_of("result.json")["orderings"][1]["cells"];
    };
    Json const all = decisions({"--steps", "3"});
    EXPECT_EQ(decisions({"--step", "1,3"}), Json::array({all[0], all[2], all[3], all[5]}));
    EXPECT_EQ(decisions({"--step", "2-3", "--instance", "1"}), Json::array({all[4], all[5]}));
    EXPECT_NE(text_.find("         1     2  "), std::string::npos) << text_; // instance 1, step 2: the second decision
}

TEST_P(SubsetCommand, PaperIsItsEquationWithTheObservedRate) {
    Json const paper = subset({"--paper", "--k-max", "3"});
    Json const spelled = subset({"--accept", "empirical", "--correction", "bonferroni", "--compare", "sample",
                                 "--baseline", "zero", "--encode", "each-step", "--k-max", "3"});
    EXPECT_EQ(paper["cells"], spelled["cells"]);
    EXPECT_EQ(paper["settings"], spelled["settings"]);
}

TEST_P(SubsetCommand, ReproducesThePublishedCode) {
    Json const json = subset({"--published", "--k-max", "3"});
    EXPECT_EQ(json["settings"]["compare"], "anchor");
    for (Json const& decision : json["cells"]) EXPECT_EQ(decision["accepted"].get<bool>(), decision["rate"].get<double>() >= 0.8);
    for (std::string const option : {"--accept=certified", "--compare=sample", "--baseline=mean", "--sigma-relative"}) {
        Ran const ran = cax({"subset", policy_, instances_, "--published", option});
        EXPECT_EQ(ran.exit_code, 2);
        EXPECT_NE(ran.err.find("excludes --published"), std::string::npos) << ran.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, SubsetCommand, testing::ValuesIn(every_problem()),
                         [](auto const& each) { return each.param; });

using SubsetErrors = Workbench;

TEST_F(SubsetErrors, AreOneLineThatNamesOptionAndValue) {
    std::string const file = policy("op");
    std::string const cities = instances("op", "5", 1);
    auto const refusal = [&](std::vector<std::string> const& more) {
        std::vector<std::string> arguments{"subset", file, cities};
        arguments.insert(arguments.end(), more.begin(), more.end());
        Ran const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2);
        return ran.err;
    };
    EXPECT_EQ(refusal({"--k-max", "0"}), "cax: k_max: 0: a subset has at least one node\n");
    EXPECT_EQ(refusal({"--epsilon", "0"}), "cax: epsilon: 0 is not between 0 and 1\n");
    EXPECT_EQ(refusal({"--sigma", "nan"}).find("cax: --sigma: 'nan' is not a number"), 0U);
    EXPECT_EQ(refusal({"--order", "best"}).find("cax: order: 'best' is not one of proxy, lp"), 0U);
    EXPECT_EQ(refusal({"--order", "family:capacity"}),
              "cax: order: 'family:capacity': the families are prize, budget, spatial\n");
    EXPECT_EQ(refusal({"--published", "--exact"}),
              "cax: exact: compares subsets on the same samples, which fresh noise for every size takes away\n");
    EXPECT_EQ(refusal({"--accept", "certified", "--samples", "3"}).find("cax: samples: 3 cannot certify"), 0U);
}

} // namespace
} // namespace cax::test
