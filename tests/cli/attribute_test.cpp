#include "workbench.hpp"

#include "cax/problems/presentation.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>

namespace cax::test {
namespace {

class Attribute : public Workbench, public testing::WithParamInterface<std::string> {
protected:
    std::string problem_ = GetParam();
    std::string policy_ = policy(problem_, small_size(problem_));
    std::string instances_ = instances(problem_, small_size(problem_), 3);

    Json attribute(std::vector<std::string> const& more = {}) const {
        std::vector<std::string> arguments{"attribute", policy_, instances_, "--json", "result.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        cax_ok(arguments);
        return json_of("result.json");
    }
    [[nodiscard]] bool nodes_have_several_numbers() const;
    /// Exit code 2 and one line on stderr with this in it.
    void expect_error(std::vector<std::string> const& more, std::string const& words) const {
        std::vector<std::string> arguments{"attribute", policy_, instances_};
        arguments.insert(arguments.end(), more.begin(), more.end());
        Ran const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.out;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
        EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    }
};

/// Of one tensor: else it makes no difference whether entries or nodes are added up.
bool Attribute::nodes_have_several_numbers() const {
    Rng rng(1);
    auto const instance = find_problem(problem_)->generate(small_size(problem_), {}, rng);
    std::size_t const nodes = (*instance)->problem().presentation().node_count(**instance);
    auto const features = (*instance)->reset()->features();
    return std::ranges::any_of(features, [&](Feature const& each) { return each.values.size() > nodes; });
}

/// A value stands beside its range; a missing upper end is none.
void expect_inside(Json const& value, Json const& low, Json const& high) {
    EXPECT_GE(value.get<double>(), low.get<double>());
    if (high.is_number()) {
        EXPECT_LE(value.get<double>(), high.get<double>());
    }
}

TEST_P(Attribute, SaysOfWhichProgramARangeIsAndHowSureItsEndIs) {
    Json const json = attribute({"--dual-range", "--steps", "1"});
    for (Json const& entry : json["instances"]) {
        ASSERT_EQ(entry["ranges"].size(), 2U);
        EXPECT_EQ(entry["ranges"][0]["program"], "with redundant rows");
        EXPECT_EQ(entry["ranges"][1]["program"], "without redundant rows");
        for (Json const& range : entry["ranges"]) {
            for (auto const& [name, family] : range["families"].items()) {
                expect_inside(family["lambda"], family["low"], family["high"]);
                if (family["high"].is_number()) {
                    EXPECT_GE(family["high_bound"], family["high"]);
                }
                if (family["high_exact"].get<bool>()) {
                    EXPECT_EQ(family["high_bound"], family["high"]);
                }
                EXPECT_EQ(family["high"].is_null(), !family["unbounded_along"].get<std::string>().empty()) << name;
            }
        }
        for (auto const& [name, family] : entry["ranges"][0]["families"].items()) {
            EXPECT_EQ(family["lambda"], entry["lambda"][name]);
        }
    }
}

TEST_P(Attribute, WritesTheFieldsOfItsContract) {
    Json const json = attribute({"--dual-range", "--steps", "3"});
    EXPECT_EQ(json["schema"], "cax/attribution/1");
    EXPECT_EQ(json["command"], "attribute");
    EXPECT_EQ(json["backend"], "lp");
    EXPECT_EQ(json["aggregate"], "mean");
    EXPECT_EQ(json["settings"]["steps"], 3);
    auto const families = json["families"].get<std::vector<std::string>>();
    EXPECT_EQ(families.size(), find_problem(problem_)->info().families.size());
    ASSERT_EQ(json["instances"].size(), 3U);
    for (Json const& entry : json["instances"]) {
        EXPECT_EQ(entry["lp"]["status"], "optimal");
        for (char const* residual : {"primal_residual", "dual_residual", "gap"}) EXPECT_LE(entry["lp"][residual], 1e-6);
        EXPECT_TRUE(entry["lp"]["objective"].is_number());
        EXPECT_TRUE(entry["dual_unique"].is_boolean() || entry["dual_unique"].is_null());
        ASSERT_EQ(entry["steps"].size(), 3U);
        for (Json const& step : entry["steps"]) {
            double best = 0;
            std::string top;
            for (std::size_t k = 0; k < families.size(); ++k) {
                Json const& family = step["families"][families[k]];
                double const mass = family["mass"], score = family["score"];
                EXPECT_EQ(family["lambda"], entry["lambda"][families[k]]);
                EXPECT_NEAR(score, mass * family["lambda"].get<double>(), 1e-12);
                if (score > best) best = score, top = families[k];
                double sum = 0;
                for (Json const& node : step["nodes"]) sum += node[k].get<double>();
                EXPECT_NEAR(sum, mass, 1e-9 * (1 + mass));
                expect_inside(family["lambda"], entry["range"][families[k]][0], entry["range"][families[k]][1]);
            }
            EXPECT_EQ(step["top"].is_null() ? "" : step["top"].get<std::string>(), top);
            EXPECT_LE(step["log_prob"], 0);
            EXPECT_TRUE(step["action"].is_number_unsigned() && step["step"].is_number_unsigned());
        }
    }
}

TEST_P(Attribute, GivesTheSameResultForAnyNumberOfThreads) {
    for (std::string const method : {"gradient", "integrated", "occlusion"}) {
        std::vector<std::string> const same{"--method", method, "--steps", "2", "--points", "4"};
        auto with_threads = [&](std::string const& threads) {
            auto arguments = same;
            arguments.insert(arguments.end(), {"--threads", threads});
            return without_wall_time(attribute(arguments)).dump();
        };
        EXPECT_EQ(with_threads("1"), with_threads("2"));
    }
}

TEST_P(Attribute, PublishedSetsWhatThePublishedCodeDoesAndOptionsBesideItWin) {
    Json const published = attribute({"--published", "--steps", "2"});
    Json const spelled = attribute({"--mass", "node", "--log-prob", "raw", "--keep-spent", "--duals-from", "first",
                                    "--encode", "each-step", "--steps", "2"});
    EXPECT_EQ(published["instances"], spelled["instances"]);
    EXPECT_EQ(published["instances"][2]["lambda"], published["instances"][0]["lambda"]);
    Json const mixed = attribute({"--published", "--mass", "entry", "--steps", "2"});
    EXPECT_EQ(mixed["settings"]["mass"], "entry");
    EXPECT_EQ(mixed["settings"]["log_prob"], "raw");
    EXPECT_EQ(mixed["instances"] != published["instances"], nodes_have_several_numbers());
}

TEST_P(Attribute, PaperIsTheEquationsAskedAtEveryStep) {
    Json const paper = attribute({"--paper", "--steps", "2"});
    Json const spelled = attribute({"--method", "gradient", "--mass", "entry", "--log-prob", "policy", "--duals-from",
                                    "each", "--encode", "each-step", "--steps", "2"});
    EXPECT_EQ(paper["instances"], spelled["instances"]);
    EXPECT_EQ(paper["settings"], spelled["settings"]);
}

TEST_P(Attribute, AnswersAboutChosenStepsAndInstancesAsItDoesAmongAll) {
    Json const all = attribute({"--steps", "4"});
    Json const some = attribute({"--step", "2,4", "--instance", "0,2"});
    ASSERT_EQ(some["instances"].size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(some["instances"][i]["instance"], 2 * i);
        EXPECT_EQ(some["instances"][i]["lambda"], all["instances"][2 * i]["lambda"]);
        Json const& steps = all["instances"][2 * i]["steps"];
        EXPECT_EQ(some["instances"][i]["steps"], Json::array({steps[1], steps[3]}));
    }
    EXPECT_EQ(some["settings"]["step"], Json::array({1, 3}));
    EXPECT_EQ(some["settings"]["instance"], Json::array({0, 2}));
    Ran const ran = cax_ok({"attribute", policy_, instances_, "--step", "4", "--instance", "2"});
    EXPECT_NE(ran.out.find("\ninstance 2: "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\n     4  "), std::string::npos) << ran.out; // the heat map's only line
}

TEST_P(Attribute, TakesMultipliersThatAreGivenAndSaysWhichAreNot) {
    Json const families = attribute({"--backend", "proxy", "--steps", "1"})["families"];
    if (families.size() < 2) GTEST_SKIP() << problem_ << " has no second family";
    std::string const first = families[0], second = families[1];
    Json const json = attribute({"--lambda", first + "=2.5", "--steps", "1"});
    EXPECT_EQ(json["backend"], "given");
    EXPECT_EQ(json["instances"][0]["lambda"][first], 2.5);
    EXPECT_TRUE(json["instances"][0]["lambda"][second].is_null());
    EXPECT_EQ(json["instances"][0]["lambda_status"][second], "not_given");
    EXPECT_EQ(json["instances"][0]["steps"][0]["score_status"], "no_multiplier");
    EXPECT_TRUE(json["instances"][0]["steps"][0]["top"].is_null());
    EXPECT_TRUE(json["instances"][0]["lp"].is_null());
}

TEST_P(Attribute, ShowsAHeatMapWithoutColoursWhereNobodyLooks) {
    Ran const ran = cax_ok({"attribute", policy_, instances_, "--steps", "2"});
    EXPECT_NE(ran.out.find("linear relaxation: bound"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(" %  "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("top family of 6 decisions"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find('\033'), std::string::npos);
}

TEST_P(Attribute, RefusesWhatMakesNoSenseInOneLine) {
    expect_error({"--backend", "magic"}, "--backend: 'magic' is not one of proxy, lp");
    expect_error({"--aggregate", "median"}, "median");
    expect_error({"--method", "shap"}, "--method: 'shap' is not one of gradient, integrated, occlusion");
    expect_error({"--mass", "heavy"}, "--mass: 'heavy' is not one of entry, node");
    expect_error({"--log-prob", "odd"}, "'odd'");
    expect_error({"--duals-from", "last"}, "'last'");
    expect_error({"--lambda", "nobody=1"}, "nobody");
    expect_error({"--backend", "given"}, "--lambda");
    expect_error({"--backend", "proxy", "--dual-range"}, "proxy has no duals");
    expect_error({"--aggregate", "max", "--dual-range"}, "max");
    expect_error({"--why-not", "99999"}, "99999");
    expect_error({"--steps", "0"}, "--steps");
    expect_error({"--method", "integrated", "--points", "0"}, "--points");
    expect_error({"--method", "occlusion", "--published"}, "mass: node");
}

INSTANTIATE_TEST_SUITE_P(Problems, Attribute, testing::ValuesIn(every_problem()),
                         [](auto const& each) { return each.param; });

} // namespace
} // namespace cax::test
