// What every problem's constraint model says of costs, solved by a general solver alone, against all episodes. Methods
// of the problem's own (DecisionModel::exact) are left out: where they answer first, nothing else looks at the model.
#include "../best_episode.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/csp.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class ModelContract : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        ProblemInfo const& info = GetParam()->info();
        if (GetParam()->questions() == nullptr) GTEST_SKIP() << info.name << " cannot be asked";
        if (info.size_hint != "N") GTEST_SKIP() << "a schedule that waits is no episode";
        if (!info.bound_is_cost && info.cost_option.empty())
            GTEST_SKIP() << "costs of " << info.name << " have no bound";
    }
    [[nodiscard]] static Question question(std::vector<std::size_t> const& prefix, double cost) {
        if (GetParam()->info().bound_is_cost) return {.prefix = prefix, .bound = cost};
        return {.prefix = prefix, .bound = {}, .cost_bound = cost};
    }
    /// Does the model allow a solution? Which is then checked.
    [[nodiscard]] static bool allows(Instance const& instance, Question const& asked, Rounding rounding) {
        auto const decision = decision_model_of(instance, asked, rounding);
        EXPECT_TRUE(decision) << decision.error().message;
        auto const answer = gecode_solver().solve(decision->model, {.work = 1'000'000});
        EXPECT_TRUE(answer) << answer.error().message;
        EXPECT_TRUE(answer->status == CspStatus::satisfiable || answer->status == CspStatus::unsatisfiable);
        if (answer->status != CspStatus::satisfiable) return false;
        if (rounding == Rounding::strict) {
            CheckReport const report = check_answer(instance, decision->solution(answer->assignment), asked);
            EXPECT_TRUE(report.valid()) << report.violations.front();
        }
        return true;
    }
};

TEST_P(ModelContract, AllowsTheBestCostOfAllEpisodesAndNothingBetter) {
    std::size_t asked = 0;
    bool const minimise = GetParam()->info().objective == Objective::minimise;
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        Rng rng(seed, 7);
        auto const instance = *GetParam()->generate("5", {}, rng);
        StatePtr const state = instance->reset();
        std::vector<std::size_t> prefix;
        for (int step = 0; step < 3 && !state->done(); ++step) {
            auto const best = test::best_episode(*state, prefix);
            if (!best) break;
            SCOPED_TRACE("seed " + std::to_string(seed) + ", after " + std::to_string(step) + " steps");
            double const little = (minimise ? 1 : -1) * 0.001 * std::fabs(*best);
            EXPECT_TRUE(allows(*instance, question(prefix, *best + little), Rounding::strict));
            if (little != 0 && *best - little >= 0) {
                EXPECT_FALSE(allows(*instance, question(prefix, *best - little), Rounding::loose));
            }
            ++asked;
            auto const mask = state->action_mask();
            std::size_t action = rng.below(mask.size());
            while (mask[action] == 0) action = (action + 1) % mask.size();
            state->step(action);
            prefix.push_back(action);
        }
    }
    EXPECT_GT(asked, 8U);
}

INSTANTIATE_TEST_SUITE_P(Problems, ModelContract, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
