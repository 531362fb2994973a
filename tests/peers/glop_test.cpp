// Our linear relaxations solved twice: by CLP, and by Google's GLOP in another process, from the same numbers.
#include "cax/core/json.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/lp_audit.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cax {
namespace {

Json bound(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(LinearProgram const& program) {
    Json json{{"maximise", program.sense() == Sense::maximise}, {"objective", program.objective()}};
    for (std::size_t j = 0; j < program.columns(); ++j) {
        json["lower"].push_back(bound(program.column_bounds(j).lower));
        json["upper"].push_back(bound(program.column_bounds(j).upper));
    }
    for (std::size_t i = 0; i < program.rows(); ++i) {
        Json row{{"lower", bound(program.row_bounds(i).lower)}, {"upper", bound(program.row_bounds(i).upper)}};
        for (Term const& term : program.terms(i)) {
            row["columns"].push_back(term.column);
            row["values"].push_back(term.coefficient);
        }
        json["rows"].push_back(std::move(row));
    }
    return json;
}

class Glop {
public:
    Glop() : folder_(std::filesystem::path(testing::TempDir()) / fmt::format("cax-glop-{}", getpid())) {
        std::filesystem::create_directories(folder_);
    }
    ~Glop() { std::filesystem::remove_all(folder_); }
    Glop(Glop const&) = delete;
    Glop& operator=(Glop const&) = delete;

    void ask(LinearProgram const& program) {
        std::ofstream(folder_ / "programs", std::ios::app) << to_json(program).dump() << '\n';
    }
    /// One answer per program.
    [[nodiscard]] std::vector<Json> answers() const {
        std::string const command = fmt::format("'{}' '{}/glop.mjs' < '{}/programs' > '{}/answers'", CAX_NODE,
                                                CAX_PEERS_DIR, folder_.string(), folder_.string());
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        std::vector<Json> answers;
        std::ifstream file(folder_ / "answers");
        for (std::string line; std::getline(file, line);) answers.push_back(Json::parse(line));
        return answers;
    }

private:
    std::filesystem::path folder_;
};

class GlopPeer : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(CAX_NODE)) GTEST_SKIP() << "needs Node.js";
        if (!std::filesystem::exists(std::filesystem::path(CAX_PEERS_DIR) / "node_modules" / "or-tools-wasm")) {
            GTEST_SKIP() << "needs or-tools-wasm: run scripts/setup";
        }
    }
    /// From tiny to the size that policies are trained on.
    [[nodiscard]] static std::string size(Problem const& problem, std::size_t k) {
        if (problem.info().name == "fjsp") return fmt::format("{}x{}", 2 + k % 9, 1 + k % 5);
        return fmt::format("{}", 2 + k % (problem.info().name == "op" ? 24 : 49));
    }
};

TEST_P(GlopPeer, FindsTheSameObjectiveOfAHundredRandomInstances) {
    Problem const& problem = *GetParam();
    Glop glop;
    std::vector<LpSolution> ours;
    for (std::uint32_t k = 0; k < 100; ++k) {
        Rng rng(2024, k);
        auto const instance = problem.generate(size(problem, k), {}, rng);
        ASSERT_TRUE(instance) << instance.error().message;
        auto const program = relaxation_of(**instance);
        ASSERT_TRUE(program);
        auto const solution = clp_solver().solve(*program);
        ASSERT_TRUE(solution);
        if (solution->status == LpStatus::optimal) {
            EXPECT_TRUE(audit(*program, *solution).within(1e-6)) << "instance " << k;
        }
        ours.push_back(*solution);
        glop.ask(*program);
    }
    std::vector<Json> const theirs = glop.answers();
    ASSERT_EQ(theirs.size(), ours.size());
    int optimal = 0;
    for (std::size_t k = 0; k < ours.size(); ++k) {
        ASSERT_EQ(theirs[k].at("status").get<std::string>(), name_of(ours[k].status)) << "instance " << k;
        if (ours[k].status != LpStatus::optimal) continue;
        double const objective = theirs[k].at("objective").get<double>();
        EXPECT_NEAR(ours[k].objective, objective, 1e-6 * std::abs(objective)) << "instance " << k;
        ++optimal;
    }
    EXPECT_GE(optimal, 90);
}

INSTANTIATE_TEST_SUITE_P(Problems, GlopPeer, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
