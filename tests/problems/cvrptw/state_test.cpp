#include "support.hpp"

#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <cmath>

namespace cax::cvrptw::test {
namespace {

using Actions = std::vector<std::size_t>;

std::vector<int> mask_of(cax::State const& state) { return {state.action_mask().begin(), state.action_mask().end()}; }
float scalar(cax::State const& state, std::string const& name) {
    return static_cast<float>(tensors_of(state).at(name).as_double(0));
}

TEST(CvrptwState, FollowsTheClockAndTheLoadByHand) {
    auto const instance = make(three_customers());
    auto const state = instance->reset();
    EXPECT_EQ(mask_of(*state), (std::vector{0, 1, 1, 1}));
    state->step(1); // arrives at 5, waits until 8, leaves at 10
    EXPECT_EQ(scalar(*state, "current_time"), 10);
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 1, 1}));
    state->step(2); // arrives at 15, leaves at 18; 5 more do not fit
    EXPECT_EQ(scalar(*state, "current_time"), 18);
    EXPECT_FLOAT_EQ(scalar(*state, "used_capacity"), 0.7F);
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 0, 0}));
    state->step(0);
    EXPECT_EQ(scalar(*state, "current_time"), 0);
    EXPECT_EQ(scalar(*state, "used_capacity"), 0);
    EXPECT_FALSE(state->done());
    state->step(3);
    EXPECT_TRUE(state->done());
    EXPECT_DOUBLE_EQ(state->cost(), 40);
    state->step(0); // finished instances of a batch stay at the depot
    EXPECT_TRUE(state->done());
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 0, 0}));
    EXPECT_DOUBLE_EQ(state->cost(), 40);
}

TEST(CvrptwState, ReturnsToTheDepotWhenNothingFits) {
    Data data = three_customers();
    data.demand = {0.9F, 0.2F, 0.2F};
    auto const state = make(data)->reset();
    state->step(1);
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 0, 0}));
}

TEST(CvrptwState, NeedsTheReturnToCountTheDepotAsVisited) {
    Data data = three_customers();
    data.demand = {0.1F, 0.1F, 0.1F};
    auto const state = make(data)->reset();
    for (std::size_t const customer : {1, 2, 3}) state->step(customer);
    EXPECT_FALSE(state->done());
    state->step(0);
    EXPECT_TRUE(state->done());
}

TEST(CvrptwState, OffersNothingInADeadEnd) {
    Data data = three_customers();
    data.time_windows[0].close = 43; // customer 3 is served from 40 to 44
    auto const state = make(data)->reset();
    state->step(3);
    EXPECT_FALSE(state->done());
    EXPECT_EQ(mask_of(*state), (std::vector{0, 0, 0, 0}));
}

TEST(CvrptwState, OffersNothingWhenACustomerIsOutOfReach) {
    Data data = three_customers();
    data.time_windows[3] = {0, 9};
    auto const state = make(data)->reset();
    for (std::size_t const action : {1, 2, 0}) state->step(action);
    EXPECT_EQ(mask_of(*state), (std::vector{0, 0, 0, 0}));
}

TEST(CvrptwState, GivesEveryTensorOfTheEnvironmentItsTypeAndShape) {
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
    std::vector<std::pair<std::string, std::string>> const expected{
        {"locs", "F32[4, 2]"},          {"depot", "F32[2]"},        {"demand", "F32[3]"},
        {"capacity", "F32[1]"},         {"durations", "F32[4]"},    {"time_windows", "I32[4, 2]"},
        {"current_node", "I64[1]"},     {"current_time", "F32[1]"}, {"used_capacity", "F32[1]"},
        {"vehicle_capacity", "F32[1]"}, {"visited", "U8[4]"},       {"current_loc", "F32[2]"},
        {"distances", "F32[4]"},        {"action_mask", "BOOL[4]"}, {"done", "BOOL[1]"},
        {"terminated", "BOOL[1]"},      {"action", "I64[]"},        {"reward", "BOOL[]"}};
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
    [[nodiscard]] float load() const {
        float sum = 0;
        for (std::size_t const a : actions) sum = a == 0 ? 0.0F : sum + data.demand[a - 1];
        return sum;
    }
    [[nodiscard]] float clock() const {
        float time = 0;
        std::size_t from = 0;
        for (std::size_t const a : actions) {
            float const ready = std::max(time + distance(from, a), data.time_windows[a].open);
            time = a == 0 ? 0.0F : ready + data.durations[a];
            from = a;
        }
        return time;
    }
    [[nodiscard]] bool could_load(std::size_t customer, float used) const {
        return !visited(customer) && data.demand[customer - 1] + used <= 1.0F + 1e-5F;
    }
    [[nodiscard]] bool done() const {
        for (std::size_t node = 0; node < data.locs.size(); ++node) {
            if (!visited(node)) return false;
        }
        return true;
    }
    [[nodiscard]] std::vector<int> mask() const {
        float const used = load();
        float const time = clock();
        std::vector<int> result(data.locs.size());
        bool something_left = false;
        for (std::size_t i = 1; i < result.size(); ++i) {
            result[i] = could_load(i, used);
            something_left = something_left || result[i] != 0;
        }
        result[0] = here() != 0 || !something_left;
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (time + distance(here(), i) > data.time_windows[i].close) result[i] = 0;
        }
        return result;
    }
};

/// One random episode under the state's mask, compared with the naive rules at every step. Says whether it finished.
bool random_episode_agrees(Instance const& instance, Rng& rng, Actions& actions) {
    auto const state = instance.reset();
    Naive naive{instance.data(), {}};
    for (;;) {
        auto const mask = mask_of(*state);
        EXPECT_EQ(mask, naive.mask());
        EXPECT_EQ(state->done(), naive.done());
        actions = naive.actions;
        if (state->done()) return true;
        std::vector<std::size_t> allowed;
        for (std::size_t a = 0; a < mask.size(); ++a) {
            if (mask[a] != 0) allowed.push_back(a);
        }
        if (allowed.empty() || testing::Test::HasFailure()) return false;
        std::size_t const action = allowed[rng.below(allowed.size())];
        state->step(action);
        naive.actions.push_back(action);
    }
}

/// Sizes from 1 to 100, small ones most of the time.
std::size_t some_size(std::size_t episode, Rng& rng) {
    if (episode % 100 == 0) return 100;
    if (episode % 10 == 0) return 50;
    return 1 + rng.below(20);
}

TEST(CvrptwState, OffersExactlyWhatTheRulesAllowAndItsEpisodesAreSolutions) {
    for (std::size_t episode = 0; episode < 7000; ++episode) {
        Rng rng(5, static_cast<std::uint32_t>(episode));
        auto const instance = generated(some_size(episode, rng), episode);
        Actions actions;
        ASSERT_TRUE(random_episode_agrees(*instance, rng, actions)) << "episode " << episode;
        auto const solution = instance->solution_of(actions);
        ASSERT_TRUE(solution) << solution.error().message;
        auto const report = instance->check(*solution);
        ASSERT_TRUE(report.valid()) << "episode " << episode << ": " << report.violations[0];
        auto const state = instance->reset();
        for (std::size_t const a : actions) state->step(a);
        ASSERT_NEAR(report.cost, state->cost(), 1e-9 * report.cost) << "episode " << episode;
    }
}

TEST(CvrptwState, OffersExactlyWhatTheRulesAllowOnInstancesNoGeneratorMakes) {
    std::size_t finished = 0;
    std::size_t dead_ends = 0;
    for (std::size_t episode = 0; episode < 3000; ++episode) {
        Rng rng(6, static_cast<std::uint32_t>(episode));
        auto const instance = make(rough_data(1 + rng.below(25), rng));
        Actions actions;
        bool const done = random_episode_agrees(*instance, rng, actions);
        ASSERT_FALSE(HasFailure()) << "episode " << episode;
        ++(done ? finished : dead_ends);
        if (!done) continue;
        // The mask does not look at the way home of an episode that ends at a customer; the checker does.
        auto const solution = instance->solution_of(actions);
        ASSERT_TRUE(solution);
        Naive const naive{instance->data(), actions};
        bool const home_in_time =
            naive.clock() + naive.distance(naive.here(), 0) <= instance->data().time_windows[0].close;
        EXPECT_EQ(instance->check(*solution).valid(), home_in_time) << "episode " << episode;
    }
    EXPECT_GT(finished, 300);
    EXPECT_GT(dead_ends, 300);
}

TEST(CvrptwState, ComputesDistancesOfLargeInstancesWithoutATable) {
    auto const instance = generated(600, 3);
    Naive const naive{instance->data(), {}};
    std::vector<float> row(instance->nodes());
    instance->distances_from(17, row);
    for (std::size_t i = 0; i < row.size(); ++i) ASSERT_EQ(row[i], naive.distance(17, i));
}

} // namespace
} // namespace cax::cvrptw::test
