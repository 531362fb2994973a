// Our decision models decided twice: by Gecode as they are, and by Google's CP-SAT in another process without the
// constraints that are only implied. They must agree: so neither solver is wrong, and no cut cuts off a solution.
#include "cax/core/json.hpp"
#include "cax/problems/decision_model.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/csp.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cax {
namespace {

struct RuleWriter {
    Json operator()(LinearRule const& rule) const {
        Json json{{"kind", "linear"}, {"low", rule.low}, {"high", rule.high}};
        json["variables"] = json["coefficients"] = Json::array();
        for (auto const& [variable, coefficient] : rule.terms) {
            json["variables"].push_back(variable);
            json["coefficients"].push_back(coefficient);
        }
        if (rule.condition) json["condition"] = *rule.condition;
        return json;
    }
    Json operator()(AllowedValues const& rule) const {
        return {{"kind", "values"}, {"variable", rule.variable}, {"values", rule.values}};
    }
    Json operator()(Indicator const& rule) const {
        return {{"kind", "indicator"}, {"flag", rule.flag}, {"variable", rule.variable}, {"value", rule.value}};
    }
    Json operator()(TableElement const& rule) const {
        return {{"kind", "table"}, {"index", rule.index}, {"table", rule.table}, {"result", rule.result}};
    }
    Json operator()(VariableElement const& rule) const {
        return {{"kind", "element"}, {"index", rule.index}, {"variables", rule.variables}, {"result", rule.result}};
    }
    Json operator()(Circuit const& rule) const {
        return {{"kind", "circuit"}, {"successor", rule.successor}, {"predecessor", rule.predecessor}};
    }
    Json operator()(BinPacking const& rule) const {
        return {{"kind", "bins"}, {"bins", rule.bins}, {"sizes", rule.sizes}, {"loads", rule.loads}};
    }
    Json operator()(NoOverlap const& rule) const {
        Json json{{"kind", "machine"}, {"tasks", Json::array()}};
        for (auto const& [start, duration, presence] : rule.tasks) {
            json["tasks"].push_back({{"start", start}, {"duration", duration}});
            if (presence) json["tasks"].back()["presence"] = *presence;
        }
        return json;
    }
};

Json to_json(ConstraintModel const& model) {
    Json json{{"variables", Json::array()}, {"rules", Json::array()}};
    for (IntVariable const& variable : model.variables) json["variables"].push_back({variable.low, variable.high});
    for (Constraint const& constraint : model.constraints) {
        if (!constraint.implied) json["rules"].push_back(std::visit(RuleWriter{}, constraint.rule));
    }
    return json;
}

/// One answer per line of the questions.
std::vector<Json> cp_sat(std::vector<Json> const& questions) {
    auto const folder = std::filesystem::path(testing::TempDir()) / fmt::format("cax-cp-sat-{}", getpid());
    std::filesystem::create_directories(folder);
    {
        std::ofstream file(folder / "models");
        for (Json const& question : questions) file << question.dump() << '\n';
    }
    std::string const command = fmt::format("'{}' '{}/cp_sat.mjs' < '{}/models' > '{}/answers'", CAX_NODE,
                                            CAX_PEERS_DIR, folder.string(), folder.string());
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::vector<Json> answers;
    std::ifstream file(folder / "answers");
    for (std::string line; std::getline(file, line);) {
        answers.push_back(Json::parse(line));
    }
    std::filesystem::remove_all(folder);
    return answers;
}

/// Sizes beyond what trying everything can do, and bounds around what is possible there.
struct Sizes {
    std::string size;
    double low;
    double high;
    bool whole;
};
Sizes sizes_for(Problem const& problem) {
    if (problem.info().bound_option == "fleet") return {"7", 1, 4, true};
    if (problem.info().bound_option == "horizon") return {"3x2", 40, 90, false};
    return {"6", 1, 3.5, false};
}

struct Asked {
    InstancePtr instance;
    Question question;
    Rounding rounding;
    DecisionModel decision;
    CspStatus ours;
};

/// Some questions of each problem that need a search, with our answers.
std::vector<Asked> ask_gecode() {
    constexpr std::size_t per_problem = 6;
    std::vector<Asked> asked;
    for (Problem const* problem : all_problems()) {
        Sizes const sizes = sizes_for(*problem);
        std::size_t const enough = asked.size() + per_problem;
        for (std::uint32_t k = 0; asked.size() < enough && k < 200; ++k) {
            Rng rng(77, k);
            auto const instance = problem->generate(sizes.size, {}, rng);
            double const bound = rng.uniform(sizes.low, sizes.high);
            Question const question{.prefix = {}, .bound = sizes.whole ? std::round(bound) : bound};
            Rounding const rounding = k % 2 == 0 ? Rounding::strict : Rounding::loose;
            auto const decision = decision_model_of(**instance, question, rounding);
            if (!decision || decision->model.variables.empty()) continue; // nothing to search
            auto const answer = gecode_solver().solve(decision->model, {.work = 20'000, .seconds = 0, .seed = k});
            EXPECT_TRUE(answer) << answer.error().message;
            if (answer) asked.push_back({*instance, question, rounding, *decision, answer->status});
        }
    }
    return asked;
}

/// What CP-SAT found satisfies our model as we read it and, if numbers were rounded against it, the checker.
void expect_solution(Asked const& asked, Json const& json, std::size_t number) {
    auto const assignment = json.get<std::vector<std::int64_t>>();
    ConstraintModel const& model = asked.decision.model;
    EXPECT_TRUE(within_bounds(model, assignment)) << "question " << number;
    for (std::size_t const c : violated(model, assignment)) {
        EXPECT_TRUE(model.constraints[c].implied) << "question " << number << ": " << model.constraints[c].sentence;
    }
    if (asked.rounding == Rounding::loose) return;
    CheckReport const report = check_answer(*asked.instance, asked.decision.solution(assignment), asked.question);
    EXPECT_TRUE(report.valid()) << "question " << number << ": " << report.violations.front();
}

TEST(CpSatPeer, DecidesRandomDecisionModelsLikeGecode) {
    if (!std::filesystem::exists(CAX_NODE)) GTEST_SKIP() << "needs Node.js";
    if (!std::filesystem::exists(std::filesystem::path(CAX_PEERS_DIR) / "node_modules" / "or-tools-wasm")) {
        GTEST_SKIP() << "needs or-tools-wasm: run scripts/setup";
    }
    std::vector<Asked> const asked = ask_gecode();
    std::vector<Json> models;
    for (Asked const& question : asked) models.push_back(to_json(question.decision.model));
    std::vector<Json> const answers = cp_sat(models);
    ASSERT_EQ(answers.size(), asked.size());
    int yes = 0;
    int no = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        auto const theirs = answers[i].at("status").get<std::string>();
        if (theirs == "satisfiable") expect_solution(asked[i], answers[i].at("assignment"), i);
        if (theirs == "unknown" || asked[i].ours == CspStatus::budget_spent) continue;
        EXPECT_EQ(theirs, name_of(asked[i].ours)) << "question " << i;
        (theirs == "satisfiable" ? yes : no) += 1;
    }
    EXPECT_GE(yes, 5);
    EXPECT_GE(no, 4);
    EXPECT_GE(yes + no, 12);
}

} // namespace
} // namespace cax
