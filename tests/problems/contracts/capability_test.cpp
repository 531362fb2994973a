// What a problem may lack: whoever asks for it is told so, and everything else works.
#include "contract.hpp"
#include "variant_problems.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/noise.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/thumb.hpp"

#include <algorithm>

namespace cax::test {
namespace {

/// Is it there exactly if the capability is, and else refused in words that name the problem?
template <class T> void expect_offered(void const* capability, Result<T> const& answer, Problem const& problem) {
    EXPECT_EQ(bool(answer), capability != nullptr) << (answer ? "" : answer.error().message);
    if (answer) return;
    EXPECT_EQ(answer.error().code, ErrorCode::unsupported);
    EXPECT_NE(answer.error().message.find(problem.info().name), std::string::npos) << answer.error().message;
}

TEST_P(ProblemContract, OffersWhatItHasAndRefusesTheRestByName) {
    auto const instance = generated(1);
    auto const state = instance->reset();
    auto const expect = [&](void const* capability, auto const& answer) {
        expect_offered(capability, answer, problem());
    };
    expect(problem().pricing(), relaxation_of(*instance));
    expect(problem().questions(), decision_model_of(*instance, {.prefix = {}, .bound = {}}, Rounding::strict));
    expect(problem().questions(), search(*instance, {.iterations = 0, .bound = {}, .stop = {}}));
    expect(problem().noise(), noise_units_of(*instance));
    Rng rng(1);
    expect(problem().noise(), disturbed(*state, 0, 0.1, rng));
    Features nothing = state->features();
    for (Feature& feature : nothing) feature.values.assign(feature.values.size(), 0);
    expect(problem().changes(), changed(*instance, nothing));
}

TEST_P(ProblemContract, AnswersEveryQuestionWithoutACapabilityToo) {
    auto const instance = generated(2);
    auto const state = instance->reset();
    auto const actions = allowed_actions(*state);
    auto const answers = completions_of(*instance, {.prefix = {}, .actions = actions, .known = {}});
    ASSERT_TRUE(answers) << answers.error().message;
    EXPECT_EQ(answers->size(), actions.size());
    EXPECT_EQ(rules_of_thumb(problem()).empty(), problem().thumb() == nullptr);
    EXPECT_GE(cost_grain_of(*instance), 0);
    for (std::size_t const action : actions) {
        EXPECT_TRUE(problem().completions() != nullptr || !numbers_of(*state, action).extra);
    }
    auto const movable = adjustable(*instance);
    ASSERT_EQ(movable.size(), info().tensors.size());
    std::size_t entries = 0;
    for (auto const& tensor : movable) entries += static_cast<std::size_t>(std::ranges::count(tensor, 1));
    EXPECT_EQ(entries > 0, problem().changes() != nullptr);
}

TEST_P(ProblemContract, AcceptsNoBoundThatNobodyCanCheck) {
    auto const instance = generated(3);
    Rng rng(2);
    auto const state = instance->reset();
    auto const solution = instance->solution_of(random_episode(*state, rng));
    ASSERT_TRUE(solution);
    if (!instance->check(*solution).valid())
        GTEST_SKIP() << "this episode breaks rules, which " << info().name << " allows";
    double const generous = info().objective == Objective::minimise ? 1e9 : 0;
    EXPECT_EQ(check_answer(*instance, *solution, {.prefix = {}, .bound = generous}).valid(),
              problem().questions() != nullptr);
}

TEST(ProblemsWithoutCapabilities, HaveNone) {
    Problem const& bare = bare_problem();
    EXPECT_EQ(bare.changes(), nullptr);
    EXPECT_EQ(bare.pricing(), nullptr);
    EXPECT_EQ(bare.questions(), nullptr);
    EXPECT_EQ(bare.noise(), nullptr);
    EXPECT_EQ(bare.completions(), nullptr);
    EXPECT_EQ(bare.thumb(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(WithoutCapabilities, ProblemContract, testing::Values(&bare_problem()), problem_name);

} // namespace
} // namespace cax::test
