#include "cax/explain/words.hpp"

#include "cax/core/json.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

Json const problem = {{"node_word", "customer"}, {"families", {{{"name", "time_window"}, {"label", "time windows"}}}}};

Json bare_step() {
    return {
        {"words", "visit customer 4"}, {"probability", 0.75},     {"allowed", 3},           {"actions", 9},
        {"runner_up", nullptr},        {"slacks", Json::array()}, {"attribution", nullptr}, {"counterfactual", nullptr},
        {"subset", nullptr},           {"why_not", nullptr}};
}

std::string evidence_of(Json const& sentences, std::string const& about) {
    for (Json const& each : sentences) {
        if (each["about"] == about) return each["evidence"];
    }
    return "nothing said";
}

Json flip(std::string const& status) {
    return {{"status", status},
            {"new", {{"words", "return to the depot"}, {"probability", 0.5}}},
            {"shots", 128},
            {"l1", 2.0},
            {"sampled_l1", 40.0},
            {"refined", true},
            {"entries", 1},
            {"changes", {{{"words", "customer 4's window closed at 20 instead of 30"}}}},
            {"certificate", {{"words", "it can be completed"}, {"cost_word", "length"}, {"cost", 7.5}}}};
}

TEST(Words, PercentagesNeverClaimCertaintyThatIsNotThere) {
    EXPECT_EQ(percent_words(0), "0.0 %");
    EXPECT_EQ(percent_words(1), "100.0 %");
    EXPECT_EQ(percent_words(1e-9), "under 0.1 %");
    EXPECT_EQ(percent_words(1 - 1e-9), "over 99.9 %");
    EXPECT_EQ(percent_words(0.8342), "83.4 %");
    EXPECT_EQ(number_words(-0.0), "0");
}

TEST(Words, AnOnlyActionIsSaidToBeTheOnlyOne) {
    Json const sentences = step_sentences(problem, bare_step());
    ASSERT_EQ(sentences.size(), 1u);
    EXPECT_EQ(sentences[0]["text"], "The policy has to visit customer 4: no other action is allowed.");
}

TEST(Words, ACertificateIsAsSureAsItsVerdict) {
    Json step = bare_step();
    for (auto const& [status, evidence] :
         {std::pair{"certified", "proved"}, {"refuted", "refuted"}, {"undecided", "undecided"}}) {
        step["counterfactual"] = flip(status);
        EXPECT_EQ(evidence_of(step_sentences(problem, step), "certificate"), evidence) << status;
    }
    step["counterfactual"]["certificate"] = nullptr;
    EXPECT_EQ(evidence_of(step_sentences(problem, step), "certificate"), "nothing said");
}

TEST(Words, ManyChangesAreCountedNotListed) {
    Json step = bare_step();
    step["counterfactual"] = flip("certified");
    Json& found = step["counterfactual"];
    for (int i = 0; i < 99; ++i) found["changes"].push_back(found["changes"][0]);
    found["entries"] = 100;
    std::string const text = step_sentences(problem, step)[1]["text"];
    EXPECT_NE(text.find("and more, 100 changes in all"), std::string::npos) << text;
    EXPECT_LT(text.size(), 300u);
}

TEST(Words, ASetOfNodesIsBoundedOnlyIfItsLowerBoundIsGoodEnough) {
    Json step = bare_step();
    step["subset"] = {{"accepted", true},   {"forced", false},     {"size", 1},     {"nodes_in_all", 9},
                      {"labels", {"4"}},    {"rate", 0.9},         {"samples", 70}, {"confidence", 0.8},
                      {"lower_bound", 0.7}, {"guaranteed", false}, {"k_max", 9}};
    EXPECT_EQ(evidence_of(step_sentences(problem, step), "subset"), "sampled");
    step["subset"]["guaranteed"] = true;
    EXPECT_EQ(evidence_of(step_sentences(problem, step), "subset"), "bounded");
    step["subset"]["size"] = 9;
    EXPECT_EQ(evidence_of(step_sentences(problem, step), "subset"), "not found") << "all nodes are no explanation";
    step["subset"]["size"] = 1;
    step["subset"]["accepted"] = false;
    EXPECT_EQ(evidence_of(step_sentences(problem, step), "subset"), "not found");
}

TEST(Words, AnActionThatIsNotAllowedSaysWhichRuleForbidsIt) {
    Json step = bare_step();
    step["why_not"] = {{"label", "customer 7"},       {"allowed", false}, {"chosen", false},
                       {"reason", "load on arrival"}, {"used", 43},       {"limit", 40}};
    EXPECT_EQ(step_sentences(problem, step)[1]["text"],
              "Why not customer 7? It is not allowed now: load on arrival, 43 where 40 is the limit.");
}

} // namespace
} // namespace cax
