// Questions about instances: what a policy's own episode answers, and what everybody refuses.
#include "contract.hpp"

#include "cax/problems/decision_model.hpp"
#include "cax/problems/questions.hpp"

#include <gmock/gmock.h>
#include <limits>

namespace cax::test {
namespace {

TEST_P(ProblemContract, AnEpisodeAnswersEveryQuestionAboutItsOwnBeginning) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " cannot be asked";
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        auto const instance = generated(seed);
        for (bool const waiting : {false, true}) {
            Rng rng(41, seed, waiting ? 1 : 0);
            auto const state = instance->reset({.allow_waiting = waiting});
            auto const actions = random_episode(*state, rng);
            auto const solution = instance->solution_of(actions);
            ASSERT_TRUE(solution) << solution.error().message;
            for (std::size_t steps = 0; steps <= actions.size(); ++steps) {
                std::vector<std::size_t> const prefix(actions.begin(),
                                                      actions.begin() + static_cast<std::ptrdiff_t>(steps));
                auto const report = check_answer(*instance, *solution, {.prefix = prefix, .bound = {}});
                ASSERT_EQ(report.violations, instance->check(*solution).violations) << "after " << steps << " steps";
                ASSERT_TRUE(report.valid() || info().may_be_unsolvable) << report.violations.front();
            }
        }
    }
}

TEST_P(ProblemContract, ASolutionWithAnotherBeginningIsNoAnswer) {
    auto const instance = generated(5);
    Rng rng(42);
    auto const state = instance->reset();
    auto const actions = random_episode(*state, rng);
    auto const solution = instance->solution_of(actions);
    ASSERT_TRUE(solution);
    auto const start = instance->reset();
    int others = 0;
    for (std::size_t const action : allowed_actions(*start)) {
        if (action == actions.front()) continue;
        // Another first move can still be a move of this solution, but hardly all of them are.
        others += check_answer(*instance, *solution, {.prefix = {action}, .bound = {}}).valid() ? 0 : 1;
    }
    EXPECT_GT(others, 0);
}

TEST_P(ProblemContract, WithoutABoundTheAnswerNeedsNoSearch) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " cannot be asked";
    if (info().may_be_unsolvable) GTEST_SKIP() << "whether " << info().name << " has a solution is a question";
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        auto const instance = generated(seed);
        Rng rng(43, seed);
        auto const state = instance->reset();
        auto const prefix = random_steps(*state, rng, seed);
        Question const question{.prefix = prefix, .bound = {}};
        for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
            auto const decision = decision_model_of(*instance, question, rounding);
            ASSERT_TRUE(decision) << decision.error().message;
            ASSERT_TRUE(decision->model.variables.empty());
            ASSERT_TRUE(violated(decision->model, {}).empty());
            auto const report = check_answer(*instance, decision->solution({}), question);
            EXPECT_TRUE(report.valid()) << report.violations.front();
        }
    }
}

TEST_P(ProblemContract, WritesValidModelsWhoseConstraintsNameTheirFamilies) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " cannot be asked";
    auto const instance = generated(7);
    Rng rng(44);
    auto const state = instance->reset();
    auto const prefix = random_steps(*state, rng, 2);
    // A bound for which somebody has to search: half of what a random episode needs, but for prizes.
    random_episode(*state, rng);
    for (double const bound : {4.0, 7.0, 0.9 * state->cost()}) {
        auto const decision = decision_model_of(*instance, {.prefix = prefix, .bound = bound}, Rounding::loose);
        ASSERT_TRUE(decision) << decision.error().message;
        auto const valid = validate(decision->model);
        EXPECT_TRUE(valid) << valid.error().message;
        for (Constraint const& constraint : decision->model.constraints) {
            EXPECT_TRUE(constraint.family == no_family || constraint.family < info().families.size());
            EXPECT_FALSE(constraint.sentence.empty());
        }
    }
}

TEST_P(ProblemContract, RefusesBoundsAndBeginningsThatMakeNoSense) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " cannot be asked";
    auto const instance = generated(8);
    auto const refused = [&](Question const& question) {
        auto const decision = decision_model_of(*instance, question, Rounding::strict);
        return decision ? std::string() : decision.error().message;
    };
    EXPECT_THAT(refused({.prefix = {}, .bound = -1}), testing::HasSubstr(std::string(info().bound_option) + " is -1"));
    EXPECT_THAT(refused({.prefix = {}, .bound = std::numeric_limits<double>::quiet_NaN()}), testing::HasSubstr("nan"));
    EXPECT_THAT(refused({.prefix = {}, .bound = std::numeric_limits<double>::infinity()}), testing::HasSubstr("inf"));
    EXPECT_THAT(refused({.prefix = {1'000'000}, .bound = {}}), testing::HasSubstr("prefix[0]: "));
}

TEST_P(ProblemContract, RefusesASolutionOfTheWrongKind) {
    auto const instance = generated(9);
    for (Solution const& wrong : {Solution{Routes{}}, Solution{Schedule{}}, Solution{Packing{}}}) {
        Question const question{.prefix = {1}, .bound = 1e6};
        auto const report = check_answer(*instance, wrong, question);
        EXPECT_FALSE(report.valid());
    }
}

} // namespace
} // namespace cax::test
