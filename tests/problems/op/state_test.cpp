#include "support.hpp"

#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <cmath>

namespace cax::op::test {
namespace {

using Actions = std::vector<std::size_t>;

std::vector<int> mask_of(cax::State const& state) { return {state.action_mask().begin(), state.action_mask().end()}; }
float scalar(cax::State const& state, std::string const& name) {
    return static_cast<float>(tensors_of(state).at(name).as_double(0));
}

TEST(OpState, FollowsTheTourByHand) {
    auto const state = make(three_customers())->reset();
    EXPECT_EQ(mask_of(*state), (std::vector{1, 1, 1, 1}));
    state->step(1); // 5 so far; on to 3 and home would be 5 + 8.54 + 12 = 25.54
    EXPECT_EQ(scalar(*state, "tour_length"), 5);
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 1, 0}));
    state->step(2); // 10 so far; home is 10 away
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 0, 0}));
    EXPECT_EQ(scalar(*state, "current_total_prize"), 3);
    state->step(0);
    EXPECT_TRUE(state->done());
    EXPECT_EQ(scalar(*state, "tour_length"), 20);
    EXPECT_DOUBLE_EQ(state->cost(), 3);
    state->step(0);
    EXPECT_TRUE(state->done());
    EXPECT_DOUBLE_EQ(state->cost(), 3);
}

TEST(OpState, AnEmptyTourIsAnEpisode) {
    auto const instance = make(three_customers());
    auto const actions = cax::actions_of(*instance, Solution{Routes{}}, {});
    ASSERT_TRUE(actions) << actions.error().message;
    EXPECT_EQ(*actions, (Actions{0, 0}));
}

TEST(OpState, EndsAnEmptyTourWithTheSecondChoiceOfTheDepot) {
    auto const state = make(three_customers())->reset();
    state->step(0);
    EXPECT_FALSE(state->done());
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 0, 0}));
    state->step(0);
    EXPECT_TRUE(state->done());
    EXPECT_EQ(state->cost(), 0);
}

TEST(OpState, KeepsAMarginOfAMillionthUnderTheLimit) {
    Data data = three_customers();
    data.locs = {{0, 0}, {1, 0}};
    data.prize = {0, 1};
    data.max_length = 2;
    EXPECT_EQ(mask_of(*make(data)->reset()), (std::vector{1, 0})); // there and back is exactly the limit
    data.max_length = 2.00001F;
    EXPECT_EQ(mask_of(*make(data)->reset()), (std::vector{1, 1}));
}

TEST(OpState, GivesEveryTensorOfTheEnvironmentItsTypeAndShape) {
    auto const state = make(three_customers())->reset();
    auto const signature = [&](std::string const& name) {
        auto const tensors = tensors_of(*state);
        auto const place = tensors.find(name);
        return place == tensors.end() ? "missing"
                                      : std::string(name_of(place->second.dtype())) + to_string(place->second.shape());
    };
    EXPECT_EQ(signature("reward"), "missing");
    EXPECT_EQ(signature("action"), "missing");
    state->step(1);
    std::vector<std::pair<std::string, std::string>> const expected{{"locs", "F32[4, 2]"},
                                                                    {"depot", "F32[2]"},
                                                                    {"prize", "F32[4]"},
                                                                    {"max_length", "F32[4]"},
                                                                    {"tour_length", "F32[]"},
                                                                    {"visited", "BOOL[4]"},
                                                                    {"current_node", "I64[1]"},
                                                                    {"current_total_prize", "F32[]"},
                                                                    {"i", "I64[]"},
                                                                    {"action_mask", "BOOL[4]"},
                                                                    {"done", "BOOL[1]"},
                                                                    {"terminated", "BOOL[1]"},
                                                                    {"action", "I64[]"},
                                                                    {"reward", "BOOL[]"}};
    for (auto const& [name, type] : expected) EXPECT_EQ(signature(name), type) << name;
    EXPECT_EQ(tensors_of(*state).size(), expected.size());
}

/// The environment's rules written down naively: everything is derived again from the list of actions.
struct Naive {
    Data const& data;
    Actions actions;

    [[nodiscard]] float distance(std::size_t a, std::size_t b) const {
        float const dx = data.locs[a].x - data.locs[b].x;
        float const dy = data.locs[a].y - data.locs[b].y;
        return std::sqrt(std::fma(dy, dy, dx * dx));
    }
    [[nodiscard]] bool visited(std::size_t node) const { return std::ranges::count(actions, node) > 0; }
    [[nodiscard]] std::size_t here() const { return actions.empty() ? 0 : actions.back(); }
    [[nodiscard]] bool done() const { return actions.size() > 1 && actions.back() == 0; }
    [[nodiscard]] float length() const {
        float sum = 0;
        std::size_t from = 0;
        for (std::size_t const a : actions) {
            sum += distance(from, a);
            from = a;
        }
        return sum;
    }
    [[nodiscard]] std::vector<int> mask() const {
        float const so_far = length();
        std::vector<int> result(data.locs.size());
        for (std::size_t i = 1; i < result.size(); ++i) {
            float const limit = data.max_length - distance(0, i) - 1e-6F;
            result[i] = !visited(0) && !visited(i) && so_far + distance(here(), i) <= limit;
        }
        result[0] = 1;
        return result;
    }
};

/// One random episode under the state's mask, compared with the naive rules at every step. The depot is chosen only now
/// and then: random tours should be long.
Actions random_episode_agrees(Instance const& instance, Rng& rng) {
    auto const state = instance.reset();
    Naive naive{instance.data(), {}};
    for (;;) {
        auto const mask = mask_of(*state);
        EXPECT_EQ(mask, naive.mask());
        EXPECT_EQ(state->done(), naive.done());
        if (state->done() || testing::Test::HasFailure()) return naive.actions;
        std::vector<std::size_t> allowed;
        for (std::size_t a = 0; a < mask.size(); ++a) {
            if (mask[a] != 0 && (a != 0 || rng.below(10) == 0)) allowed.push_back(a);
        }
        std::size_t const action = allowed.empty() ? 0 : allowed[rng.below(allowed.size())];
        state->step(action);
        naive.actions.push_back(action);
    }
}

void expect_solution(Instance const& instance, Actions const& actions, std::size_t episode) {
    auto const solution = instance.solution_of(actions);
    ASSERT_TRUE(solution) << solution.error().message;
    auto const report = instance.check(*solution);
    ASSERT_TRUE(report.valid()) << "episode " << episode << ": " << report.violations[0];
    auto const state = instance.reset();
    for (std::size_t const a : actions) state->step(a);
    ASSERT_NEAR(report.cost, state->cost(), 1e-9 * report.cost) << "episode " << episode;
}

TEST(OpState, OffersExactlyWhatTheRulesAllowAndItsEpisodesAreSolutions) {
    for (std::size_t episode = 0; episode < 8000; ++episode) {
        Rng rng(5, static_cast<std::uint32_t>(episode));
        std::size_t const size = episode % 100 == 0 ? 100 : episode % 10 == 0 ? 50 : 1 + rng.below(25);
        auto const instance = generated(size, episode);
        Actions const actions = random_episode_agrees(*instance, rng);
        ASSERT_FALSE(HasFailure()) << "episode " << episode;
        expect_solution(*instance, actions, episode);
    }
}

TEST(OpState, OffersExactlyWhatTheRulesAllowOnInstancesNoGeneratorMakes) {
    std::size_t visits = 0;
    for (std::size_t episode = 0; episode < 2000; ++episode) {
        Rng rng(6, static_cast<std::uint32_t>(episode));
        auto const instance = make(rough_data(1 + rng.below(25), rng));
        Actions const actions = random_episode_agrees(*instance, rng);
        ASSERT_FALSE(HasFailure()) << "episode " << episode;
        expect_solution(*instance, actions, episode);
        visits += actions.size();
    }
    EXPECT_GT(visits, 5000);
}

} // namespace
} // namespace cax::op::test
