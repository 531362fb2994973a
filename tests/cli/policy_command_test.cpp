// --policy-command in place of POLICY: the example of the documentation, and what a person is told when it goes wrong.
#include "workbench.hpp"

#include <fstream>
#include <iterator>

namespace cax::test {
namespace {

class PolicyCommand : public Workbench {
protected:
    std::string const good_ = "/usr/bin/python3 " CAX_EXAMPLES "/prize_per_distance.py";
    std::string const instances_ = instances("op", "8", 2);
};

TEST_F(PolicyCommand, SolvesAndSaysWhoDidIt) {
    Ran const ran = cax_ok({"solve", "--policy-command", good_, instances_, "--json", "result.json"});
    EXPECT_NE(ran.out.find("2 of 2 valid"), std::string::npos) << ran.out;
    Json const json = json_of("result.json");
    EXPECT_EQ(json["policy"]["command"], good_);
    EXPECT_EQ(json["policy"]["name"], "prize per distance");
    EXPECT_EQ(json["policy"]["encode"], "each-step");
    EXPECT_EQ(json["policy"]["batch_invariant"], true);
    EXPECT_EQ(json["policy"]["differentiable"], false);
    EXPECT_TRUE(json["policy"]["sha256"].is_null());
}

TEST_F(PolicyCommand, ExplainsAsFarAsItGoesWithoutGradients) {
    cax_ok(
        {"explain", "--policy-command", good_, instances_, "--step", "1", "--json", "why.json", "--html", "why.html"});
    Json const step = json_of("why.json")["steps"][0];
    EXPECT_EQ(step["attribution"]["status"], "no_gradients");
    EXPECT_EQ(step["counterfactual"]["status"], "certified");
    EXPECT_GT(step["subset"]["samples"], 0);
    cax_ok({"attribute", "--policy-command", good_, instances_, "--method", "occlusion", "--json", "a.json"});
    EXPECT_EQ(json_of("a.json")["instances"][0]["steps"][0]["status"], "computed");
    cax_ok({"counterfactual", "--policy-command", good_, instances_, "--limit", "1", "--steps", "1", "--refine"});
    cax_ok({"subset", "--policy-command", good_, instances_, "--limit", "1", "--steps", "1", "--order", "occlusion"});
    Ran const refused = cax({"subset", "--policy-command", good_, instances_, "--steps", "1"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("order proxy: the policy has no gradients; occlusion and random need none"),
              std::string::npos)
        << refused.err;
}

/// The example, with `scores` in place of its own.
std::string with_scores(std::string const& scores) {
    std::ifstream file(CAX_EXAMPLES "/prize_per_distance.py");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::size_t const begin = text.find("scores=");
    EXPECT_NE(begin, std::string::npos);
    return text.substr(0, begin) + "scores=" + scores + ")\n";
}

TEST_F(PolicyCommand, ThatGivesTwoAnswersToTheSameQuestionIsRefusedUnlessAllowed) {
    write("two_answers.py", with_scores("np.random.default_rng().normal(size=td['prize'].shape)"));
    std::string const command = "/usr/bin/python3 two_answers.py";
    for (std::string const word : {"solve", "explain"}) {
        Ran const refused = cax({word, "--policy-command", command, instances_});
        EXPECT_EQ(refused.exit_code, 2) << word;
        EXPECT_NE(refused.err.find("it gives two answers"), std::string::npos) << refused.err;
    }
    cax_ok({"solve", "--policy-command", command, instances_, "--allow-random"});
}

TEST_F(PolicyCommand, IsSaidToRuleOutWhatItGivesTheProbabilityZero) {
    write("strict.py", with_scores("np.where(np.arange(td['prize'].shape[1]) == 3, -np.inf, td['prize'])"));
    cax_ok({"explain", "--policy-command", "/usr/bin/python3 strict.py", instances_, "--parts", "none", "--json", "why.json"});
    Json const json = json_of("why.json");
    bool noted = false;
    for (std::string const note : json["notes"]) noted = noted || note.starts_with("The policy itself rules out ");
    EXPECT_TRUE(noted) << json["notes"];
}

TEST_F(PolicyCommand, SaysInOneLineWhatIsWrong) {
    auto const said = [&](std::vector<std::string> const& arguments) {
        Ran const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2);
        return ran.err;
    };
    EXPECT_EQ(said({"solve", "--policy-command", "exit 3", instances_}),
              "cax: policy 'exit 3': it has ended with exit code 3\n");
    EXPECT_EQ(said({"solve", "--policy-command", good_, policy("op", "8"), instances_}),
              "cax: POLICY and --policy-command: a policy is one or the other\n");
    EXPECT_EQ(said({"solve", instances_}), "cax: INSTANCES is required\n");
    EXPECT_NE(said({"solve", "--policy-command", good_, instances("cvrptw", "5", 1)}).find("is for op"),
              std::string::npos);
}

} // namespace
} // namespace cax::test
