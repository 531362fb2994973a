#include "support.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>

namespace cax::cvrp::test {
namespace {

using Actions = std::vector<std::size_t>;

std::vector<int> mask_of(State const& state) { return {state.action_mask().begin(), state.action_mask().end()}; }

TEST(CvrpState, FollowsTheRoutesByHand) {
    auto const state = make(three_customers())->reset();
    EXPECT_EQ(mask_of(*state), (std::vector{0, 1, 1, 1})); // nobody stays at the depot without need
    state->step(1);
    state->step(2);
    EXPECT_EQ(mask_of(*state), (std::vector{1, 0, 0, 0})); // 0.7 on board, customer 3 wants 0.5
    state->step(0);
    EXPECT_EQ(mask_of(*state), (std::vector{0, 0, 0, 1}));
    EXPECT_FALSE(state->done());
    state->step(3);
    EXPECT_TRUE(state->done()); // with the last customer, since the depot has been an action
    EXPECT_DOUBLE_EQ(state->cost(), 40);
    EXPECT_EQ(tensors_of(*state).at("used_capacity").as_double(0), 0.5);
}

TEST(CvrpState, GivesWayToAFullVehicleThatRoundingMadeALittleFuller) {
    Data data = three_customers();
    data.demand = {0.1F, 0.4F, 0.5F};
    auto const state = make(data)->reset();
    state->step(1);
    state->step(2);
    EXPECT_EQ(state->action_mask()[3], 1);
    data.demand[0] = 0.1001F;
    auto const fuller = make(data)->reset();
    fuller->step(1);
    fuller->step(2);
    EXPECT_EQ(fuller->action_mask()[3], 0);
}

TEST(CvrpState, ShowsThePolicyRowsOfCustomersAndTheCapacityLeft) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    auto const seen = std::get<GraphObservation>(state->observe());
    EXPECT_EQ(seen.depot, (std::vector<double>{0, 0}));
    std::vector<double> const row(seen.customers.row(2).begin(), seen.customers.row(2).end());
    EXPECT_EQ(row, (std::vector<double>{0, 10, 0.5F}));
    EXPECT_EQ(seen.context, (std::vector<double>{1.0 - double{0.3F}}));
    EXPECT_EQ(seen.current_node, 1);
}

TEST(CvrpState, MeasuresTheLoadInTheUnitsOfTheCapacity) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    auto const slacks = slacks_of(*state, 2);
    ASSERT_EQ(slacks.size(), 1);
    EXPECT_NEAR(slacks[0].used, 7, 1e-6);
    EXPECT_NEAR(slacks[0].slack, 3, 1e-6);
    EXPECT_TRUE(slacks_of(*state, 0).empty());
}

/// The environment's rules written down naively: everything is derived again from the list of actions.
struct Naive {
    Data const& data;
    Actions actions;

    [[nodiscard]] bool visited(std::size_t node) const { return std::ranges::count(actions, node) > 0; }
    [[nodiscard]] float load() const {
        float sum = 0;
        for (std::size_t const a : actions) sum = a == 0 ? 0.0F : sum + data.demand[a - 1];
        return sum;
    }
    [[nodiscard]] bool done() const {
        for (std::size_t node = 0; node < data.locs.size(); ++node) {
            if (!visited(node)) return false;
        }
        return true;
    }
    [[nodiscard]] std::vector<int> mask() const {
        std::vector<int> result(data.locs.size());
        bool something_left = false;
        for (std::size_t i = 1; i < result.size(); ++i) {
            result[i] = !visited(i) && data.demand[i - 1] + load() <= 1.0F + 1e-5F;
            something_left = something_left || result[i] != 0;
        }
        result[0] = (!actions.empty() && actions.back() != 0) || !something_left;
        return result;
    }
};

TEST(CvrpState, OffersExactlyWhatTheRulesAllow) {
    for (std::uint32_t episode = 0; episode < 2000; ++episode) {
        Rng rng(5, episode);
        auto const instance = generated(1 + rng.below(25), episode);
        auto const state = instance->reset();
        Naive naive{instance->data(), {}};
        while (!state->done()) {
            auto const mask = mask_of(*state);
            ASSERT_EQ(mask, naive.mask()) << "episode " << episode;
            std::size_t action = rng.below(mask.size());
            while (mask[action] == 0) action = (action + 1) % mask.size();
            state->step(action);
            naive.actions.push_back(action);
            ASSERT_EQ(state->done(), naive.done()) << "episode " << episode;
        }
    }
}

} // namespace
} // namespace cax::cvrp::test
