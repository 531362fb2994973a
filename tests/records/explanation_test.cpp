#include "cax/records/explanation.hpp"

#include "data.hpp"
#include "cax/problems/exchange.hpp"
#include "explained.hpp"
#include "random_policy.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/op/instance.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace cax {
namespace {

struct Example {
    std::string problem;
    std::string size;
    std::string why_not;      ///< some node
    std::uint64_t policy = 5; ///< seed of its weights: one that does not stay at home
};
void PrintTo(Example const& example, std::ostream* out) { *out << example.problem; }

/// Double precision, so that sentences do not depend on the machine's vector width.
std::unique_ptr<Policy> small_policy(Example const& example) {
    auto policy = make_policy(test::random_policy(example.problem, {.embed_dim = 16, .layers = 1}, example.policy),
                              {.precision = Precision::float64, .threads = 1});
    EXPECT_TRUE(policy) << policy.error().message;
    return *std::move(policy);
}

InstancePtr small_instance(Example const& example) {
    Rng rng(11);
    auto instance = find_problem(example.problem)->generate(example.size, {}, rng);
    EXPECT_TRUE(instance);
    return *instance;
}

ExplainOptions options_for(Example const& example) {
    ExplainOptions options;
    options.of<parts::WhyNot>().node = example.why_not;
    options.of<parts::Counterfactual>().answer.certification.certifier.seconds = 0; // sentences must not depend on the clock
    options.of<parts::Counterfactual>().answer.certification.certifier.work = 2000;
    options.of<parts::Subset>().k_max = 6;
    options.seed = 3;
    return options;
}

class ExplanationOf : public testing::TestWithParam<Example> {
protected:
    [[nodiscard]] Json explained(ExplainOptions const& options) const {
        auto const explanation = test::explained(*small_policy(GetParam()), small_instance(GetParam()), options);
        EXPECT_TRUE(explanation) << explanation.error().message;
        return explanation ? records::explanation_json(*explanation) : Json();
    }
    [[nodiscard]] Json const& everything() const {
        static std::map<std::string, Json> cache;
        auto& json = cache[GetParam().problem];
        if (json.is_null()) json = explained(options_for(GetParam()));
        return json;
    }
};

Json without_seconds(Json json) {
    json.erase("seconds");
    for (Json& step : json["steps"]) step.erase("seconds");
    return json;
}

/// How the field may be written.
std::vector<std::string> writings(Json const& value) {
    if (value.is_string()) return {value.get<std::string>()};
    if (!value.is_number()) return {"none"};
    double const number = value.get<double>();
    return {number_words(number), percent_words(number), whole_percent_words(number)};
}

/// Steps are counted from 1 in words, from 0 in fields.
bool is_a_step(std::string const& path) { return path.ends_with("/step") || path.ends_with("/departures/0"); }

/// Goes through the text with the fields that it quotes, in order: each is written as its field is, and nothing else in
/// the text is a number.
void expect_quoted(Json const& line, Json const& json) {
    std::string rest = line["text"];
    rest[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(rest[0])));
    std::string literal;
    std::size_t at = 0;
    for (Json const& field : line["fields"]) {
        std::string const path = field;
        ASSERT_TRUE(json.contains(Json::json_pointer(path))) << path << " of " << rest;
        Json const& value = json.at(Json::json_pointer(path));
        auto allowed = is_a_step(path) ? std::vector{fmt::format("{}", value.get<std::size_t>() + 1)} : writings(value);
        std::size_t first = std::string::npos;
        std::size_t length = 0;
        for (std::string shown : allowed) {
            if (!shown.empty() && at == 0 && literal.empty()) shown[0] = static_cast<char>(std::tolower(shown[0]));
            std::size_t const place = rest.find(shown, at);
            if (place < first || (place == first && place != std::string::npos && shown.size() > length)) {
                first = place;
                length = shown.size();
            }
        }
        ASSERT_NE(first, std::string::npos) << path << " = " << value << " in: " << rest;
        literal += rest.substr(at, first - at);
        at = first + length;
    }
    literal += rest.substr(at);
    EXPECT_EQ(literal.find_first_of("0123456789"), std::string::npos) << "not from a field: " << literal;
}

TEST_P(ExplanationOf, EveryNumberOfASentenceIsTheFieldItNames) {
    std::size_t numbers = 0;
    for (Json const& step : everything()["steps"]) {
        for (Json const& sentence : step["sentences"]) {
            std::string rest = sentence["text"];
            rest[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(rest[0])));
            std::size_t at = 0;
            std::string literal;
            for (Json const& value : sentence["values"]) {
                std::string const path = value["path"];
                std::string const shown = value["shown"];
                auto const allowed = writings(step.at(Json::json_pointer(path)));
                EXPECT_NE(std::ranges::find(allowed, shown), allowed.end()) << path << " is written " << shown;
                std::size_t const place = rest.find(shown, at);
                ASSERT_NE(place, std::string::npos) << shown << " in: " << rest;
                literal += rest.substr(at, place - at);
                at = place + shown.size();
                ++numbers;
            }
            literal += rest.substr(at);
            EXPECT_EQ(literal.find_first_of("0123456789"), std::string::npos) << "not from a field: " << literal;
        }
    }
    EXPECT_GT(numbers, 50u);
}

TEST_P(ExplanationOf, WordsOfAChangeHoldItsNumbersInTheInstancesUnits) {
    InstancePtr const instance = small_instance(GetParam());
    ProblemInfo const& info = instance->problem().info();
    std::size_t changes = 0;
    for (Json const& step : everything()["steps"]) {
        for (Json const& change : step["counterfactual"]["changes"]) {
            std::size_t tensor = 0;
            while (info.tensors[tensor].name != change["tensor"]) ++tensor;
            double const scale = units_of(*instance, tensor).scale;
            EXPECT_DOUBLE_EQ(change["shown_to"].get<double>(), scale * change["to"].get<double>());
            std::string const words = change["words"];
            for (char const* end : {"shown_from", "shown_to"}) {
                EXPECT_NE(words.find(number_words(change[end].get<double>())), std::string::npos) << words;
            }
            ++changes;
        }
    }
    EXPECT_GT(changes, 0u);
}

TEST_P(ExplanationOf, FamilySharesAddUpAndFollowTheScores) {
    for (Json const& step : everything()["steps"]) {
        Json const& part = step["attribution"];
        if (part["score_status"] != "computed") continue;
        double sum = 0;
        double best = -1;
        for (auto const& [name, family] : part["families"].items()) {
            EXPECT_NEAR(family["score"].get<double>(), family["mass"].get<double>() * family["lambda"].get<double>(),
                        1e-12 * std::abs(family["score"].get<double>()));
            sum += family["share"].get<double>();
            best = std::max(best, family["score"].get<double>());
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_EQ(part["families"][part["top"].get<std::string>()]["score"], best);
        EXPECT_EQ(part["ranked"][0], part["top"]);
    }
}

TEST_P(ExplanationOf, IsTheSameForAnyNumberOfThreads) {
    ExplainOptions options = options_for(GetParam());
    options.steps = {0, 1, 2};
    options.threads = 1;
    Json const alone = without_seconds(explained(options));
    options.threads = 2;
    EXPECT_EQ(alone, without_seconds(explained(options)));
}

TEST_P(ExplanationOf, AStepAloneIsTheSameAsAmongOthers) {
    ExplainOptions options = options_for(GetParam());
    options.steps = {1};
    Json alone = without_seconds(explained(options))["steps"][0];
    Json among = without_seconds(everything())["steps"][1];
    // Among others, prices know what was found for the others, and lines point to another place.
    for (Json* const step : {&alone, &among}) {
        step->erase("lines");
        step->erase("alternatives");
    }
    EXPECT_EQ(alone, among);
}

TEST_P(ExplanationOf, LeavesOutWhatWasNotAskedFor) {
    ExplainOptions options;
    options.parts = {};
    Json const json = explained(options);
    EXPECT_TRUE(json["best_known"].is_null() && json["plan"].is_null() && json["story"].empty());
    for (Json const& step : json["steps"]) {
        for (char const* part : {"attribution", "counterfactual", "subset", "why_not", "swap", "sensitivity",
                                 "forbidden", "alternatives", "thumb"})
            EXPECT_TRUE(step[part].is_null());
        EXPECT_EQ(step["sentences"][0]["about"], "decision");
    }
    EXPECT_EQ(json["steps"].size(), json["solution"]["actions"].size());
    EXPECT_TRUE(json["solution"]["valid"].get<bool>());
}

TEST_P(ExplanationOf, RefusesStepsAndNodesThatDoNotExist) {
    auto const policy = small_policy(GetParam());
    InstancePtr const instance = small_instance(GetParam());
    ExplainOptions options;
    options.steps = {100'000};
    auto const late = test::explained(*policy, instance, options);
    ASSERT_FALSE(late);
    EXPECT_NE(late.error().message.find("step 100001 is beyond the end"), std::string::npos) << late.error().message;
    options.steps = {0};
    options.of<parts::WhyNot>().node = "no such node";
    auto const nobody = test::explained(*policy, instance, options);
    ASSERT_FALSE(nobody);
    EXPECT_NE(nobody.error().message.find("why not 'no such node'"), std::string::npos) << nobody.error().message;
    options.of<parts::WhyNot>().node = "";
    options.of<parts::Counterfactual>().answer.finder = FlipSearch::sampler;
    options.of<parts::Counterfactual>().answer.search.shots = 0;
    EXPECT_FALSE(test::explained(*policy, instance, options));
}

/// The sentences of all steps, as they would be read.
std::string told(Json const& explanation) {
    std::string text;
    for (Json const& line : explanation["story"]) {
        text += fmt::format("[{}] {}\n", line["evidence"].get<std::string>(), line["text"].get<std::string>());
    }
    for (Json const& step : explanation["steps"]) {
        text += fmt::format("step {}\n", step["step"].get<std::size_t>());
        for (Json const& line : step["lines"]) {
            text += fmt::format("  > [{}] {}\n", line["evidence"].get<std::string>(), line["text"].get<std::string>());
        }
        for (Json const& sentence : step["sentences"]) {
            text += fmt::format("  [{}, {}] {}\n", sentence["about"].get<std::string>(),
                                sentence["evidence"].get<std::string>(), sentence["text"].get<std::string>());
        }
    }
    return text;
}

TEST(Explanation, OfAnInstanceWithoutPrizesHasNoSharesAndSaysSo) {
    Example const example{"op", "2", ""};
    auto const instance = op::Instance::make({.locs = {{0, 0}, {1, 0}, {0, 1}}, .prize = {0, 0, 0}, .max_length = 3});
    ASSERT_TRUE(instance);
    ExplainOptions options = options_for(example);
    options.of<parts::Attribution>().multipliers.aggregate = Aggregate::share;
    options.of<parts::Attribution>().multipliers.dual_range = true;
    auto const explanation = test::explained(*small_policy(example), *instance, options);
    ASSERT_TRUE(explanation) << explanation.error().message;
    EXPECT_NE(records::explanation_json(*explanation).dump().find("but no multiplier: "), std::string::npos);
    options.of<parts::Attribution>().multipliers.aggregate = Aggregate::mean;
    options.of<parts::Attribution>().multipliers.dual_range = false;
    auto const priced = test::explained(*small_policy(example), *instance, options);
    ASSERT_TRUE(priced) << priced.error().message;
    EXPECT_EQ(records::explanation_json(*priced).dump().find("but no multiplier: "), std::string::npos);
}

TEST_P(ExplanationOf, RegretsAddUpToTheGapAndTheBetterPlansAreWhatTheyCost) {
    Json const& json = everything();
    InstancePtr const instance = small_instance(GetParam());
    double sum = 0;
    std::size_t costly = 0;
    for (Json const& step : json["steps"]) {
        Json const& regret = step["regret"];
        double const estimate = regret["estimate"];
        EXPECT_GE(estimate, 0);
        EXPECT_LE(regret["regret"][0].get<double>(), estimate);
        sum += estimate;
        EXPECT_EQ(regret["better"].is_null(), estimate == 0);
        if (estimate == 0) continue;
        ++costly;
        auto const better = solution_from_json(*instance, regret["better"]["solution"]);
        ASSERT_TRUE(better) << better.error().message;
        CheckReport const report = instance->check(*better);
        EXPECT_TRUE(report.valid());
        EXPECT_DOUBLE_EQ(report.cost, regret["better"]["cost"].get<double>());
    }
    EXPECT_EQ(sum, json["regret"]["gap"][0].get<double>()); // to the last digit
    EXPECT_EQ(json["regret"]["ranking"].size(), costly);
    EXPECT_EQ(json["regret"]["ranking"], json["plan"]["costly"]);
    EXPECT_NEAR(sum, json["best_known"]["loss"].get<double>(), 1e-9);
    EXPECT_NEAR(sum, json["plan"]["named_cost"].get<double>() + json["plan"]["other_cost"].get<double>(), 1e-9);
}

TEST_P(ExplanationOf, LinesAndStoryPointToTheFieldsThatTheyQuote) {
    Json const json = everything();
    std::size_t quoted = 0;
    auto const expect_fields = [&](Json const& line) {
        EXPECT_FALSE(line["fields"].empty() && line["about"] != "decision" && line["about"] != "price") << line.dump();
        quoted += line["fields"].size();
        expect_quoted(line, json);
    };
    for (Json const& line : json["story"]) expect_fields(line);
    EXPECT_GE(json["story"].size(), 5U);
    EXPECT_LE(json["story"].size(), 8U);
    std::map<std::string, std::size_t> texts;
    for (Json const& step : json["steps"]) {
        EXPECT_LE(step["lines"].size(), 4U);
        EXPECT_GE(step["lines"].size(), 1U);
        for (Json const& line : step["lines"]) {
            expect_fields(line);
            ++texts[line["text"]];
        }
    }
    EXPECT_GT(quoted, 20U);
    for (auto const& [text, count] : texts)
        EXPECT_LT(count, json["steps"].size()) << "the same at every step: " << text;
}

TEST_P(ExplanationOf, PricesNeverContradictEachOtherAlongThePlan) {
    Json const json = everything();
    bool const less = json["problem"]["objective"] == "minimise";
    double best = less ? -1e300 : 1e300;
    std::size_t priced = 0;
    for (Json const& step : json["steps"]) {
        Json const& chosen = step["alternatives"][step["action"].get<std::size_t>()];
        if (chosen["cost"].is_null() || chosen["cost_status"] == "policy") continue;
        double const cost = chosen["cost"];
        EXPECT_TRUE(less ? cost >= best - 1e-9 : cost <= best + 1e-9) << step["step"];
        best = cost;
        ++priced;
        EXPECT_TRUE(chosen["regret"].is_null() || chosen["regret"].get<double>() >= 0);
    }
    EXPECT_GT(priced, 0U);
    double const known = json["best_known"]["cost"];
    EXPECT_TRUE(less ? known <= json["solution"]["cost"].get<double>()
                     : known >= json["solution"]["cost"].get<double>());
}

TEST_P(ExplanationOf, SaysWhatEveryDecisionGaveAwayAgainstTheBestOtherOne) {
    Json const json = everything();
    double const sign = json["problem"]["objective"] == "minimise" ? 1 : -1;
    std::size_t compared = 0;
    for (Json const& step : json["steps"]) {
        Json const& chosen = step["alternatives"][step["action"].get<std::size_t>()];
        double best = 1e300;
        for (Json const& each : step["alternatives"]) {
            bool const alike = !each["cost"].is_null() && !chosen["cost"].is_null() &&
                               (each["cost_status"] == "policy") == (chosen["cost_status"] == "policy");
            ASSERT_EQ(each["worse_by"].is_null(), !alike);
            if (!alike) continue;
            double const worse = sign * (each["cost"].get<double>() - chosen["cost"].get<double>());
            EXPECT_NEAR(each["worse_by"], worse, 1e-9 * std::fabs(each["cost"].get<double>()));
            if (each["action"] != step["action"]) best = std::min(best, worse);
        }
        ASSERT_EQ(step["price"].is_null(), best == 1e300) << step["step"];
        if (best == 1e300) continue;
        ++compared;
        Json const& price = step["price"];
        double const found = price["found"];
        EXPECT_NEAR(found, std::max(0.0, -best), 1e-9 * std::fabs(chosen["cost"].get<double>()));
        auto const known = [](Json const& each) {
            return !each["allowed"] || each["impossible"] || each["cost_status"] == "proved" || !each["bound"].is_null();
        };
        bool const all_known = std::ranges::all_of(step["alternatives"], known);
        EXPECT_EQ(price["interval"][1].is_null(), !all_known) << price;
        EXPECT_TRUE(all_known || price["given_away"].is_null()) << price;
        EXPECT_LE(price["compared"], price["allowed"]);
        if (!chosen["regret"].is_null()) {
            EXPECT_EQ(step["price"]["status"], "proved");
            EXPECT_EQ(step["price"]["given_away"], chosen["regret"]);
        }
    }
    EXPECT_GT(compared, 0U);
}

TEST_P(ExplanationOf, EveryOpenActionLeadsSomewhereOnTheDrawing) {
    Json const json = everything();
    for (Json const& step : json["steps"]) {
        for (Json const& each : step["alternatives"]) {
            bool const open = each["allowed"].get<bool>() || !each["forbidden_by"].is_null();
            ASSERT_EQ(each["mark"].is_null(), !open) << each["words"];
            if (each["action"] == step["action"]) {
                EXPECT_EQ(each["mark"], step["mark"]);
            }
            if (!each["forbidden_by"].is_null()) {
                EXPECT_TRUE(each["forbidden_by"]["by_nature"].is_boolean());
            }
        }
    }
    Json const& best = json["best_known"];
    ASSERT_EQ(best["instead_mark"].is_null(), best["parts_at"].is_null());
    if (best["parts_at"].is_null()) return;
    Json const& parting = json["steps"][best["parts_at"].get<std::size_t>()];
    Json const& instead = parting["alternatives"][best["instead_action"].get<std::size_t>()];
    EXPECT_EQ(best["instead"], instead["words"]);
    EXPECT_EQ(best["instead_mark"], instead["mark"]);
}

TEST_P(ExplanationOf, FragileStepsAreThoseThatAreSureToBeUpsetInAQuarterOfTheCases) {
    Json const json = everything();
    std::vector<std::pair<double, std::size_t>> fragile;
    for (std::size_t i = 0; i < json["steps"].size(); ++i) {
        double most = -1;
        double at_least = 0;
        for (Json const& family : json["steps"][i]["sensitivity"]["families"]) {
            if (family["flip_rate"] <= most) continue;
            most = family["flip_rate"];
            at_least = family["flip_interval"][0];
        }
        if (at_least > 0.25) fragile.emplace_back(-most, i);
    }
    std::ranges::sort(fragile);
    std::vector<std::size_t> places;
    for (auto const& [rate, place] : fragile) places.push_back(place);
    EXPECT_EQ(json["plan"]["fragile_steps"], Json(places));
    EXPECT_EQ(json["plan"]["fragile_count"], places.size());
}

/// Twenty plans: what is said of every step of one is said of none.
TEST_P(ExplanationOf, NoLineIsTheSameAtEveryStepOfAnEpisode) {
    auto const policy = small_policy(GetParam());
    ExplainOptions options = options_for(GetParam());
    options.of<parts::WhyNot>().node = "";
    options.parts.set<parts::Attribution>(false).set<parts::Subset>(false).set<parts::Story>(false);
    options.of<parts::Counterfactual>().answer.certification.mode = Certification::none;
    options.of<parts::Alternatives>().search_work = options.of<parts::Alternatives>().opening_work = 50;
    options.of<parts::Alternatives>().solver_work = 50;
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
        Rng rng(seed);
        auto const instance = find_problem(GetParam().problem)->generate(GetParam().size, {}, rng);
        ASSERT_TRUE(instance);
        auto const explanation = test::explained(*policy, *instance, options);
        ASSERT_TRUE(explanation) << explanation.error().message;
        Json const json = records::explanation_json(*explanation);
        std::map<std::string, std::size_t> texts;
        for (Json const& step : json["steps"]) {
            EXPECT_LE(step["lines"].size(), 4U);
            for (Json const& line : step["lines"]) {
                ++texts[line["text"]];
                expect_quoted(line, json);
            }
        }
        if (json["steps"].size() < 2) continue;
        for (auto const& [text, count] : texts) EXPECT_LT(count, json["steps"].size()) << text;
    }
}

/// A plan of the problem's own search, for the same instance.
TEST_P(ExplanationOf, APlanOfSomebodyElseIsSaidToBeOne) {
    auto const policy = small_policy(GetParam());
    InstancePtr const instance = small_instance(GetParam());
    ExplainOptions options = options_for(GetParam());
    options.of<parts::WhyNot>().node = "";
    options.parts.set<parts::Subset>(false).set<parts::Sensitivity>(false);
    auto const own = test::explained(*policy, instance, options);
    ASSERT_TRUE(own && own->best_known) << own.error().message;
    ExternalPlan const plan{own->best_known->solution, {}, "the foreman"};
    auto const led = test::explained(*policy, instance, options, plan);
    ASSERT_TRUE(led) << led.error().message;
    Json const json = records::explanation_json(*led);
    EXPECT_EQ(json["given"]["whose"], "the foreman");
    EXPECT_DOUBLE_EQ(json["given"]["policy_cost"].get<double>(), own->report.cost);
    EXPECT_DOUBLE_EQ(json["solution"]["cost"].get<double>(), own->best_known->cost);
    EXPECT_NE(json["story"][0]["text"].get<std::string>().find("The plan of the foreman"), std::string::npos);
    for (Json const& line : json["story"]) expect_quoted(line, json);
    std::size_t differing = 0;
    for (Json const& step : json["steps"]) {
        Json const& favourite = step["policy"];
        EXPECT_EQ(favourite["agrees"].get<bool>(), favourite["action"] == step["action"]);
        EXPECT_GE(favourite["probability"].get<double>(), step["probability"].get<double>());
        for (Json const& line : step["lines"]) expect_quoted(line, json);
        if (favourite["agrees"]) continue;
        ++differing;
        EXPECT_EQ(step["runner_up"]["action"], favourite["action"]);
        Json const& flip = step["counterfactual"]["new"];
        EXPECT_TRUE(flip.is_null() || flip["action"] == step["action"]) << "it is asked what would make them agree";
        EXPECT_TRUE(step["swap"]["status"] != "computed" || step["swap"]["other"] == step["action"]);
    }
    EXPECT_EQ(json["plan"]["differing_steps"], differing);
    EXPECT_GT(differing, 0U);
    EXPECT_TRUE(records::explanation_json(*own)["given"].is_null());
}

TEST_P(ExplanationOf, APlanThatBreaksARuleIsRefused) {
    auto const policy = small_policy(GetParam());
    InstancePtr const instance = small_instance(GetParam());
    ExplainOptions options = options_for(GetParam());
    ExternalPlan const plan{
        GetParam().problem == "fjsp" ? Solution(Schedule{}) : Solution(Routes{{{1, 1}}}), {}, "nobody"};
    auto const refused = test::explained(*policy, instance, options, plan);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("the plan nobody is not valid: "), std::string::npos)
        << refused.error().message;
}

/// Run with CAX_WRITE_GOLDEN=1 to write the files anew; say in the commit why they changed.
TEST_P(ExplanationOf, TellsWhatItToldBefore) {
    auto const path = test::data_path(fmt::format("explanations/{}.txt", GetParam().problem));
    std::string const text = told(everything());
    if (std::getenv("CAX_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    std::stringstream golden;
    golden << file.rdbuf();
    EXPECT_EQ(text, golden.str());
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, ExplanationOf,
                         testing::Values(Example{"cvrptw", "8", "3"}, Example{"op", "20", "5", 4},
                                         Example{"fjsp", "3x3", "2.1"}),
                         [](auto const& parameter) { return parameter.param.problem; });

} // namespace
} // namespace cax
