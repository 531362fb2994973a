// cax explain, cax report and cax diff, run as a person would.
#include "workbench.hpp"

#include "cax/problems/registry.hpp"

#include <algorithm>

namespace cax::test {
namespace {

class Explain : public Workbench {
protected:
    std::string text_; ///< what the last run printed
};

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

Json without_times(Json json) {
    json = without_wall_time(std::move(json));
    json.erase("seconds");
    for (Json& step : json["steps"]) step.erase("seconds");
    return json;
}

TEST_F(Explain, TellsOneStepOfEveryProblemInWordsJsonAndHtml) {
    for (Problem const* problem : all_problems()) {
        std::string const name(problem->info().name);
        std::string const size = small_size(name);
        auto const ran = cax_ok({"explain", policy(name, size), instances(name, size, 1), "--step", "3", "--shots",
                                 "16", "--json", "why.json", "--html", "why.html"});
        EXPECT_TRUE(has(ran.out, "\nStep 3: ")) << ran.out;
        EXPECT_TRUE(has(ran.out, "How sure is that?")) << ran.out;
        Json const json = json_of("why.json");
        EXPECT_EQ(json["schema"], "cax/explanation/1");
        EXPECT_EQ(json["problem"]["name"], name);
        ASSERT_EQ(json["steps"].size(), 1u);
        Json const& step = json["steps"][0];
        EXPECT_EQ(step["step"], 2);
        for (char const* part : {"attribution", "counterfactual", "subset"}) {
            EXPECT_TRUE(step[part].is_object()) << part;
            EXPECT_TRUE(step["seconds"].contains(part)) << part;
        }
        for (char const* field :
             {"version", "command", "seed", "settings", "policy", "instances_sha256", "wall_seconds"}) {
            EXPECT_TRUE(json.contains(field)) << field;
        }
        EXPECT_TRUE(has(text_of("why.html"), "cax/explanation/1"));
    }
}

TEST_F(Explain, GivesTheSameResultForAnyNumberOfThreads) {
    std::string const weights = policy("op", "6");
    std::string const file = instances("op", "6", 1);
    cax_ok({"explain", weights, file, "--shots", "16", "--threads", "1", "--json", "a.json"});
    cax_ok({"explain", weights, file, "--shots", "16", "--threads", "2", "--json", "b.json"});
    EXPECT_EQ(without_times(json_of("a.json")), without_times(json_of("b.json")));
    EXPECT_EQ(cax_ok({"diff", "a.json", "b.json"}).out, "no difference\n");
}

TEST_F(Explain, GoesOnWithWhatARunThatDidNotEndHasLeft) {
    for (std::string const name : {"op", "fjsp", "cvrptw"}) {
        std::string const size = small_size(name);
        std::vector<std::string> const words{"explain",
                                             policy(name, size),
                                             instances(name, size, 1),
                                             "--steps",
                                             "3",
                                             "--shots",
                                             "8",
                                             "--accept",
                                             "certified",
                                             "--json",
                                             "why.json"};
        cax_ok(words);
        EXPECT_FALSE(std::filesystem::exists(path("why.json.partial")));
        Json const whole = without_times(json_of("why.json"));
        // A run that cannot write its result leaves its parts behind.
        std::filesystem::remove(path("why.json"));
        std::vector<std::string> torn = words;
        torn.back() = "left.json";
        torn.insert(torn.end(), {"--html", "no/such/folder/why.html"});
        EXPECT_EQ(cax(torn).exit_code, 2); // refused before any work
        EXPECT_FALSE(std::filesystem::exists(path("left.json.partial")));
        write("why.json.partial", R"({"schema":"cax/partial/1","key":"of something else"})"
                                  "\n");
        Ran const again = cax_ok(words);
        EXPECT_FALSE(has(again.err, "goes on with")) << again.err;
        EXPECT_EQ(without_times(json_of("why.json")), whole);
    }
}

TEST_F(Explain, ExplainsAPlanOfSomebodyElse) {
    for (std::string const name : {"cvrptw", "op", "fjsp"}) {
        std::string const weights = policy(name, small_size(name));
        std::string const file = instances(name, small_size(name), 3);
        cax_ok({"baseline", file, "--iterations", "200", "--seconds", "60", "--json", "best.json"});
        cax_ok({"solve", weights, file, "--decode", "sample", "--samples", "3", "--json", "sampled.json"});
        for (char const* const plan : {"best.json", "sampled.json"}) {
            auto const ran = cax_ok({"explain", weights, file, "--instance", "2", "--parts", "story,alternatives",
                                     "--solution", plan, "--json", "why.json", "--html", "why.html"});
            EXPECT_TRUE(has(ran.out, std::string("the plan of ") + plan)) << ran.out;
            Json const json = json_of("why.json");
            Json const given = json_of(plan);
            Json const& entry =
                given.contains("instances") ? given["instances"][2] : given["problems"].begin().value()["instances"][2];
            EXPECT_NEAR(json["solution"]["cost"].get<double>(), entry["cost"].get<double>(), 1e-6) << name << plan;
            EXPECT_TRUE(json["given"]["whose"].get<std::string>().starts_with(plan));
            for (Json const& step : json["steps"]) EXPECT_TRUE(step["policy"].is_object());
        }
        cax_ok({"solve", weights, file, "--instance", "2", "--solutions", "one.json"});
        auto const own =
            cax_ok({"explain", weights, file, "--instance", "2", "--parts", "story", "--solution", "one.json"});
        // A schedule does not say in which order its operations were dispatched.
        EXPECT_TRUE(name == "fjsp" || has(own.out, "decided alike at every step")) << own.out;
    }
}

TEST_F(Explain, RefusesPlansThatDoNotFitInOneLine) {
    std::string const weights = policy("cvrptw", "6");
    std::string const file = instances("cvrptw", "6", 2);
    auto const refused = [&](std::string const& text) {
        write("plan", text);
        auto const ran = cax({"explain", weights, file, "--parts", "none", "--solution", "plan"});
        EXPECT_EQ(ran.exit_code, 2) << ran.err;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
        EXPECT_TRUE(has(ran.err, "--solution: plan: ")) << ran.err;
        return ran.err;
    };
    EXPECT_TRUE(has(refused("Route #1: 1 2\n"), "not valid for this instance: "));
    EXPECT_TRUE(has(refused("Route #1: 1\nRoute #2: 99\n"), "not valid for this instance: "));
    EXPECT_TRUE(has(refused("{}"), "neither routes, tour, schedule nor packing"));
    EXPECT_TRUE(has(refused("schedule"), "line 1"));
    EXPECT_TRUE(has(refused("{\"schedule\": []}"), "routes"));
    EXPECT_EQ(cax({"explain", weights, file, "--solution", "nowhere.json"}).exit_code, 2);
}

TEST_F(Explain, WritesItsResultToStandardOutputWhenToldTo) {
    std::string const weights = policy("op", "6");
    std::string const file = instances("op", "6", 1);
    auto const ran = cax({"solve", weights, file, "--json", "-"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(Json::parse(ran.out)["schema"], "cax/solve/1");
    EXPECT_TRUE(has(ran.err, "mean prize")) << ran.err;
}

TEST_F(Explain, SaysThatItScaledAndThatTheSizeIsAnother) {
    write("large.txt",
          "square\n\nVEHICLE\nNUMBER CAPACITY\n 2 10\n\nCUSTOMER\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE "
          "SERVICE\n\n 0 0 0 0 0 2400 0\n 1 300 0 5 0 1000 10\n 2 0 300 5 0 2000 10\n 3 300 300 5 0 2000 10\n");
    auto const ran = cax_ok({"explain", policy("cvrptw", "8"), "large.txt", "--step", "1", "--json", "why.json"});
    EXPECT_TRUE(has(ran.out, "multiplied by 0.2")) << ran.out;
    EXPECT_TRUE(has(ran.out, "trained on size 8")) << ran.out;
    EXPECT_DOUBLE_EQ(json_of("why.json")["scale"].get<double>(), 0.2);
    EXPECT_EQ(json_of("why.json")["notes"].size(), 2u);
    auto const kept =
        cax_ok({"explain", policy("cvrptw", "8"), "large.txt", "--step", "1", "--keep-units", "--parts", "none"});
    EXPECT_FALSE(has(kept.out, "multiplied")) << kept.out;
}

TEST_F(Explain, NamesThatTryToBreakThePageStayText) {
    Json file = json_of(instances("op", "6", 1));
    std::string const hostile = "</script><script>alert(1)</script>\n\x1b[31m";
    file["instances"][0]["name"] = hostile;
    write("hostile.json", file.dump());
    auto const ran = cax_ok(
        {"explain", policy("op", "6"), "hostile.json", "--step", "1", "--html", "why.html", "--json", "why.json"});
    EXPECT_FALSE(has(ran.out, "\x1b")) << ran.out;
    EXPECT_EQ(json_of("why.json")["instance"]["name"], hostile);
    EXPECT_FALSE(has(text_of("why.html"), "<script>alert"));
}

TEST_F(Explain, NamesThatAreNotUtf8DoNotStopAnything) {
    write("latin.txt",
          "caf\xe9\xff\n\nVEHICLE\nNUMBER CAPACITY\n 2 10\n\nCUSTOMER\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE "
          "SERVICE\n\n 0 0 0 0 0 240 0\n 1 30 0 5 0 100 1\n 2 0 30 5 0 200 1\n");
    auto const ran = cax_ok(
        {"explain", policy("cvrptw", "8"), "latin.txt", "--step", "1", "--html", "why.html", "--json", "why.json"});
    EXPECT_TRUE(has(ran.out, "caf??: ")) << ran.out;
    EXPECT_EQ(json_of("why.json")["instance"]["name"], "caf\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_F(Explain, RefusesNonsenseInOneLineThatNamesIt) {
    std::string const weights = policy("op", "6");
    std::string const file = instances("op", "6", 2);
    struct Bad {
        std::vector<std::string> arguments;
        std::string names;
    };
    for (Bad const& bad : {Bad{{"--step", "-1"}, "-1"},
                           {{"--step", "5-2"}, "'5-2'"},
                           {{"--step", "x"}, "'x'"},
                           {{"--step", "99999"}, "99999"},
                           {{"--step", "0"}, "steps count from 1"},
                           {{"--instance", "0,1"}, "--instance"},
                           {{"--fleet", "3"}, "op is bounded by --min-prize"},
                           {{"--instance", "2"}, "2"},
                           {{"--why-not", "77"}, "77"},
                           {{"--shots", "0"}, "--shots"},
                           {{"--parts", "everything"}, "regret, alternatives, forbidden, swap, sensitivity"},
                           {{"--backend", "magic"}, "magic"},
                           {{"--fix", "wings"}, "wings"},
                           {{"--certify", "maybe"}, "maybe"},
                           {{"--html", "no/such/folder/x.html"}, "no/such/folder"}}) {
        std::vector<std::string> arguments{"explain", weights, file};
        arguments.insert(arguments.end(), bad.arguments.begin(), bad.arguments.end());
        auto const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2) << bad.arguments[0] << " " << bad.arguments[1];
        EXPECT_TRUE(has(ran.err, bad.names)) << ran.err;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    }
}

TEST_F(Explain, TellsTheStepsAndPartsThatAreNamed) {
    std::string const weights = policy("op", "6");
    std::string const file = instances("op", "6", 1);
    auto const explained = [&](std::vector<std::string> const& more) {
        std::vector<std::string> arguments{"explain", weights, file, "--shots", "16", "--json", "why.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        text_ = cax_ok(arguments).out;
        return json_of("why.json");
    };
    auto const steps_of = [](Json const& json) {
        std::vector<std::size_t> steps;
        for (Json const& step : json["steps"]) steps.push_back(step["step"]);
        return steps;
    };
    Json const all = explained({"--parts", "all"});
    EXPECT_EQ(all["settings"]["step"], "all");
    EXPECT_EQ(all["settings"]["parts"],
              "regret,alternatives,forbidden,swap,sensitivity,thumb,attribution,counterfactual,subset,story");
    EXPECT_EQ(steps_of(all).size(), all["solution"]["actions"].size());
    EXPECT_TRUE(all["steps"][0]["subset"].is_object() && all["steps"][0]["attribution"].is_object());
    EXPECT_EQ(steps_of(explained({"--step", "1,3", "--parts", "none"})), (std::vector<std::size_t>{0, 2}));
    EXPECT_TRUE(has(text_, "\nStep 1: ") && has(text_, "\nStep 3: ") && !has(text_, "\nStep 2: ")) << text_;
    EXPECT_EQ(steps_of(explained({"--steps", "2", "--parts", "none"})), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(steps_of(explained({"--steps", "2000", "--parts", "none"})), steps_of(all));
    Json const some = explained({"--step", "2", "--parts", "subset,counterfactual"});
    EXPECT_EQ(some["settings"]["parts"], "counterfactual,subset");
    EXPECT_EQ(some["settings"]["step"], 1);
    EXPECT_TRUE(some["steps"][0]["attribution"].is_null());
    Json const bounded = explained({"--step", "2", "--min-prize", "0", "--no-refine"});
    EXPECT_EQ(bounded["settings"]["bound"], 0.0);
    EXPECT_EQ(bounded["settings"]["certify"], "prefix");
    EXPECT_EQ(bounded["settings"]["refine"], false);
}

TEST_F(Explain, TellsOfThePlanThatSolvePrintsUnlessItEncodesAtEveryStep) {
    std::string const weights = policy("fjsp", "4x3");
    std::string const file = instances("fjsp", "4x3", 2);
    cax_ok({"solve", weights, file, "--json", "solved.json"});
    cax_ok({"explain", weights, file, "--instance", "1", "--shots", "8", "--json", "why.json"});
    EXPECT_EQ(json_of("why.json")["solution"]["actions"], json_of("solved.json")["instances"][1]["actions"]);
    cax_ok({"explain", weights, file, "--instance", "1", "--parts", "none", "--encode", "each-step", "--json",
            "each.json"});
    EXPECT_EQ(json_of("each.json")["settings"]["encode"], "each-step");
    EXPECT_NE(json_of("each.json")["solution"]["actions"], json_of("why.json")["solution"]["actions"]);
}

TEST_F(Explain, ThePolicysOwnCompletionOfItsChoiceIsItsPlanHoweverItEncodes) {
    std::string const weights = policy("fjsp", "4x3");
    std::string const file = instances("fjsp", "4x3", 1);
    for (std::string const encode : {"once", "each-step"}) {
        cax_ok({"explain", weights, file, "--parts", "alternatives", "--regret", "policy", "--encode", encode, "--json",
                encode + ".json"});
        Json const why = json_of(encode + ".json");
        for (Json const& step : why["steps"]) {
            Json const& chosen = step["alternatives"][step["action"].get<std::size_t>()];
            EXPECT_EQ(chosen["policy_cost"], why["solution"]["cost"]) << encode << ", step " << step["step"];
        }
    }
}

TEST_F(Explain, ReportsWhatExplainWroteAndNothingElse) {
    cax_ok({"explain", policy("op", "6"), instances("op", "6", 1), "--step", "1", "--json", "why.json", "--html",
            "a.html"});
    auto const ran = cax_ok({"report", "why.json", "-o", "b.html"});
    EXPECT_TRUE(has(ran.out, "cax/explanation/1")) << ran.out;
    EXPECT_EQ(text_of("a.html"), text_of("b.html"));
    write("tables.json", R"({"schema": "cax/study/1", "tables": {}})");
    cax_ok({"report", ".", "-o", "study.html"});
    write("other.json", R"({"schema": "cax/solve/1"})");
    auto const refused = cax({"report", "other.json", "-o", "c.html"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_TRUE(has(refused.err, "cax/solve/1")) << refused.err;
    EXPECT_EQ(cax({"report", "missing.json", "-o", "c.html"}).exit_code, 2);
    write("broken.json", "{");
    EXPECT_EQ(cax({"report", "broken.json", "-o", "c.html"}).exit_code, 2);
}

TEST_F(Explain, DiffTellsWhatDiffersInTheSameWords) {
    std::string const weights = policy("op", "6");
    std::string const file = instances("op", "6", 2);
    cax_ok({"explain", weights, file, "--instance", "0", "--shots", "16", "--json", "a.json"});
    cax_ok({"explain", weights, file, "--instance", "1", "--shots", "16", "--json", "b.json"});
    auto const ran = cax({"diff", "a.json", "b.json"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.out, "prize: ")) << ran.out;
    EXPECT_TRUE(has(ran.out, "step 1\n")) << ran.out;
    cax_ok({"solve", weights, file, "--json", "s.json"});
    cax_ok({"solve", weights, file, "--decode", "sample", "--samples", "1", "--json", "m.json"});
    auto const solved = cax({"diff", "s.json", "m.json"});
    EXPECT_EQ(solved.exit_code, 1);
    EXPECT_TRUE(has(solved.out, "mean cost: ") && has(solved.out, "the decisions part at step")) << solved.out;
    EXPECT_EQ(cax_ok({"diff", "s.json", "s.json"}).out, "no difference\n");
    auto const mixed = cax({"diff", "a.json", "s.json"});
    EXPECT_EQ(mixed.exit_code, 2);
    EXPECT_TRUE(has(mixed.err, "cannot be compared")) << mixed.err;
    write("half.json", R"({"schema": "cax/explanation/1", "steps": [{}]})");
    EXPECT_EQ(cax({"diff", "half.json", "half.json"}).exit_code, 2);
}

TEST_F(Explain, DiffNoticesAnotherQuestion) {
    std::string const weights = policy("op", "6");
    std::string const file = instances("op", "6", 1);
    for (std::string const node : {"2", "3"}) {
        cax_ok({"explain", weights, file, "--step", "1", "--shots", "16", "--why-not", node, "--json", node + ".json"});
    }
    auto const ran = cax({"diff", "2.json", "3.json", "--json", "d.json"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.out, "why_not\n") && has(ran.out, "label: ")) << ran.out;
    EXPECT_GE(json_of("d.json")["differences"].size(), 2U);
}

} // namespace
} // namespace cax::test
