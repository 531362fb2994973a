#include "workbench.hpp"

#include "cax/problems/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cax::test {
namespace {

class CounterfactualCommand : public Workbench, public testing::WithParamInterface<std::string> {
protected:
    std::string problem_ = GetParam();
    std::string policy_ = policy(problem_, small_size(problem_));
    std::string instances_ = instances(problem_, small_size(problem_), 2);

    [[nodiscard]] std::vector<std::string> line(std::vector<std::string> const& more) const {
        std::vector<std::string> arguments{"counterfactual", policy_, instances_};
        if (std::ranges::count(more, "--step") == 0) arguments.insert(arguments.end(), {"--steps", "3"});
        if (std::ranges::count(more, "--shots") == 0) arguments.insert(arguments.end(), {"--shots", "32"});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    Json result(std::vector<std::string> more) {
        more.insert(more.end(), {"--json", "result.json"});
        cax_ok(line(more));
        return json_of("result.json");
    }
    [[nodiscard]] std::string refusal(std::vector<std::string> const& more) const {
        Ran const ran = cax(line(more));
        EXPECT_EQ(ran.exit_code, 2) << ran.out;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
        return ran.err;
    }
};
INSTANTIATE_TEST_SUITE_P(AllProblems, CounterfactualCommand, testing::ValuesIn(every_problem()),
                         [](auto const& each) { return each.param; });

TEST_P(CounterfactualCommand, WritesTheFieldsThatOthersRead) {
    Json const json = result({"--seed", "3", "--refine", "--wachter"});
    EXPECT_EQ(json["schema"], "cax/counterfactual/1");
    EXPECT_EQ(json["command"], "counterfactual");
    EXPECT_EQ(json["seed"], 3);
    EXPECT_EQ(json["policy"]["problem"], problem_);
    for (char const* status : {"certified", "no_flip", "refuted", "undecided"}) {
        EXPECT_TRUE(json["counts"][status].is_number()) << status;
    }
    ASSERT_EQ(json["cells"].size(), 6U);
    std::size_t flips = 0;
    for (Json const& decision : json["cells"]) {
        for (char const* field :
             {"instance", "step", "action", "status", "new_action", "l1", "tensor", "family", "family_mass", "changes",
              "forward_passes", "plain_loop_passes", "shots", "certificate", "best_margin"}) {
            EXPECT_TRUE(decision.contains(field)) << field;
        }
        EXPECT_EQ(decision["shots"], 32);
        if (decision["status"] == "no_flip") continue;
        ++flips;
        EXPECT_NE(decision["new_action"], decision["action"]);
        EXPECT_EQ(decision["entries"], decision["changes"].size());
        EXPECT_LE(decision["entries"], decision["sampled"]["entries"]);
        for (char const* field : {"mode", "source", "verdict", "witness", "checked"}) {
            EXPECT_TRUE(decision["certificate"].contains(field)) << field;
        }
        EXPECT_EQ(decision["certificate"]["mode"], "instance");
        for (Json const& change : decision["changes"]) {
            EXPECT_TRUE(change["tensor"].is_string() && change["index"].is_number());
            EXPECT_NE(change["from"], change["to"]);
        }
    }
    EXPECT_GT(flips, 0);
    EXPECT_EQ(json["wachter"]["cells"], 6);
}

TEST_P(CounterfactualCommand, GivesTheSameBytesForAnyNumberOfThreads) {
    std::vector<std::string> const same{"--refine", "--per-family", "--certify", "prefix", "--count", "2"};
    auto with_threads = [&](std::string const& threads) {
        auto more = same;
        more.insert(more.end(), {"--threads", threads});
        return without_wall_time(result(more)).dump();
    };
    EXPECT_EQ(with_threads("1"), with_threads("3"));
}

TEST_P(CounterfactualCommand, AnswersAboutChosenStepsAndInstancesAsItDoesAmongAll) {
    auto const without_settings = [](Json const& json) { return json["cells"]; };
    Json const all = without_settings(result({"--refine"}));
    Json const some = without_settings(result({"--refine", "--step", "1,3"}));
    Json const second = without_settings(result({"--refine", "--step", "2-3", "--instance", "1"}));
    EXPECT_EQ(some, Json::array({all[0], all[2], all[3], all[5]}));
    EXPECT_EQ(second, Json::array({all[4], all[5]}));
    Json const settings = json_of("result.json")["settings"];
    EXPECT_EQ(settings["step"], Json::array({1, 2})); // in files steps count from 0
    EXPECT_EQ(settings["instance"], 1);
    EXPECT_NE(refusal({"--instance", "2"}).find("--instance: 2 is beyond the end"), std::string::npos);
    EXPECT_NE(refusal({"--instance", "0", "--limit", "1"}).find("excludes"), std::string::npos);
}

TEST_P(CounterfactualCommand, ShowsTheEncoderTheFirstStateUnlessAskedOtherwise) {
    Json const each = result({"--encode", "each-step"});
    Json const once = result({});
    EXPECT_EQ(each["settings"]["encode"], "each-step");
    EXPECT_EQ(once["settings"]["encode"], "once");
    EXPECT_EQ(once["cells"] == each["cells"], find_problem(problem_)->info().size_hint != "JxM");
    cax_solved(problem_, {"solve", policy_, instances_, "--encode", "once", "--json", "solved.json"});
    Json const solved = json_of("solved.json");
    for (Json const& decision : once["cells"]) {
        Json const& actions = solved["instances"][decision["instance"].get<std::size_t>()]["actions"];
        EXPECT_EQ(decision["action"], actions[decision["step"].get<std::size_t>()]);
    }
}

TEST_P(CounterfactualCommand, SaysWhatWouldHaveChangedTheDecision) {
    Ran const ran = cax_ok(line({"--refine", "--shots", "128"}));
    EXPECT_NE(ran.out.find("instance 0, step 1: "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(" -> "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("forward passes per cell"), std::string::npos) << ran.out;
}

TEST_P(CounterfactualCommand, FindsNothingWhereNothingMayMove) {
    std::vector<std::string> more;
    Json const first = result({});
    for (auto const& [tensor, budget] : first["settings"]["budgets"].items()) {
        more.insert(more.end(), {"--budget", tensor + "=0"});
    }
    EXPECT_EQ(result(more)["counts"]["no_flip"], 6);
    for (std::string& word : more) {
        if (word == "--budget")
            word = "--fix";
        else
            word = word.substr(0, word.find('='));
    }
    EXPECT_EQ(result(more)["counts"]["no_flip"], 6);
}

TEST_P(CounterfactualCommand, RefusesWhatMakesNoSenseInOneLine) {
    EXPECT_NE(refusal({"--shots", "0"}).find("--shots: 0 is not"), std::string::npos);
    EXPECT_NE(refusal({"--step", "500"}).find("instance 0: --step 500: the policy takes "), std::string::npos);
    EXPECT_NE(refusal({"--step", "0"}).find("--step: 0: steps count from 1"), std::string::npos);
    EXPECT_NE(refusal({"--step", "1", "--steps", "2"}).find("excludes"), std::string::npos);
    EXPECT_NE(refusal({"--step", "1", "--wachter"}).find("excludes"), std::string::npos);
    EXPECT_NE(refusal({"--towards", "99999"}).find("towards action 99999"), std::string::npos);
    EXPECT_NE(refusal({"--fix", "nonsense"}).find("no tensor 'nonsense'"), std::string::npos);
    EXPECT_NE(refusal({"--budget", "nonsense"}).find("not key=value"), std::string::npos);
    EXPECT_NE(refusal({"--box", "locs"}).find("not key=value"), std::string::npos);
    EXPECT_NE(refusal({"--count", "0"}).find("0 answers"), std::string::npos);
    EXPECT_NE(refusal({"--published", "--state", "replay"}).find("choose one"), std::string::npos);
    EXPECT_NE(refusal({"--norm", "l7"}).find("--norm"), std::string::npos);
    EXPECT_NE(refusal({"--state", "thawed"}).find("--state"), std::string::npos);
}

TEST_P(CounterfactualCommand, BoundsTheResourceOfItsOwnProblem) {
    ProblemInfo const& own = find_problem(problem_)->info();
    bool const more_is_better = own.objective == Objective::maximise;
    std::set<std::string_view> seen; // problems may bound the same thing
    for (Problem const* each : all_problems()) {
        if (!seen.insert(each->info().bound_option).second) continue;
        std::string const option = fmt::format("--{}", each->info().bound_option);
        if (each->info().bound_option != own.bound_option) {
            if (each->info().bound_option == own.cost_option) continue; // bounds the cost here
            EXPECT_NE(refusal({option, "3"}).find("is bounded by"), std::string::npos);
            continue;
        }
        Json const none = result({option, more_is_better ? "1000000" : "0"});
        EXPECT_EQ(none["counts"]["certified"], 0);
        EXPECT_EQ(none["settings"]["certify"], "bound");
        EXPECT_NE(refusal({option, "-1"}).find("-1 is negative"), std::string::npos);
        EXPECT_NE(refusal({option, "nan"}).find("'nan' is not a number"), std::string::npos);
        EXPECT_NE(refusal({option, "3", "--certify", "instance"}).find("choose one"), std::string::npos);
        Json const both = result({option, more_is_better ? "0" : "100000", "--certify", "prefix"});
        EXPECT_EQ(both["settings"]["certify"], "prefix");
    }
}

TEST_P(CounterfactualCommand, ReproducesThePublishedCodeOnRequest) {
    Json const json = result({"--published", "--certify", "none"});
    EXPECT_EQ(json["settings"]["state"], "frozen");
    std::set<std::string> statuses;
    for (Json const& decision : json["cells"]) statuses.insert(decision["status"].get<std::string>());
    EXPECT_FALSE(statuses.contains("certified"));
}

TEST_P(CounterfactualCommand, ThePaperIsAlgorithmOneOnTheTensorsThatAPolicyReads) {
    Json const paper = result({"--paper", "--seed", "5"});
    Json const spelled = result({"--search", "sampler", "--no-primitive", "--no-refine", "--state", "replay", "--norm",
                                 "l1", "--encode", "each-step", "--seed", "5"});
    EXPECT_EQ(paper["cells"], spelled["cells"]);
    EXPECT_EQ(paper["settings"], spelled["settings"]);
    EXPECT_NE(refusal({"--paper", "--published"}).find("excludes"), std::string::npos);
    EXPECT_EQ(result({"--paper", "--state", "frozen"})["settings"]["state"], "frozen") << "options beside it win";
}

TEST_P(CounterfactualCommand, MovesWhatAnInstanceReallyContains) {
    Json const json = result({"--primitive"});
    for (Json const& decision : json["cells"]) EXPECT_LE(decision["changes"].size(), 3U);
}

} // namespace
} // namespace cax::test
