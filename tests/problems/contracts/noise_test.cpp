// What wrong data may and may not touch, for every problem that has noise.
#include "cax/problems/noise.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class WrongData : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    /// States on the way through random episodes.
    [[nodiscard]] std::vector<StatePtr> states() const {
        std::vector<StatePtr> states;
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
            Rng rng(seed, 1);
            auto const instance = GetParam()->generate(info().size_hint == "N" ? "14" : "5x3", {}, rng);
            StatePtr state = (*instance)->reset();
            while (!state->done()) {
                std::vector<std::size_t> allowed;
                for (std::size_t a = 0; a < state->action_mask().size(); ++a) {
                    if (state->action_mask()[a] != 0) allowed.push_back(a);
                }
                if (allowed.size() > 1) states.push_back(state->clone());
                state->step(allowed[rng.below(allowed.size())]);
            }
        }
        return states;
    }
};

TEST_P(WrongData, OfNoSizeIsTheStateAsItIs) {
    for (StatePtr const& state : states()) {
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            Rng rng(5);
            auto const same = disturbed(*state, k, 0, rng);
            ASSERT_TRUE(same) << same.error().message;
            ActionMask const before(state->action_mask().begin(), state->action_mask().end());
            ActionMask const after((*same)->action_mask().begin(), (*same)->action_mask().end());
            EXPECT_EQ(before, after);
            auto const old_features = state->features();
            auto const new_features = (*same)->features();
            for (std::size_t t = 0; t < old_features.size(); ++t) {
                EXPECT_EQ(old_features[t].values, new_features[t].values);
            }
        }
    }
}

TEST_P(WrongData, TouchesItsFamilyAloneAndNothingThatIsDone) {
    std::size_t moved = 0;
    for (StatePtr const& state : states()) {
        auto const before = state->features();
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            Rng rng(6);
            auto const wrong = disturbed(*state, k, 0.4, rng);
            ASSERT_TRUE(wrong) << wrong.error().message;
            auto const after = (*wrong)->features();
            for (std::size_t t = 0; t < after.size(); ++t) {
                // What a tensor derives from others may follow them: lengths left from places, machine counts from
                // machines that come and go.
                bool const derived = info().tensors[t].name == "max_length" || info().size_hint != "N";
                if (info().tensors[t].family != k && !derived) {
                    EXPECT_EQ(before[t].values, after[t].values) << info().tensors[t].name;
                }
                if (before[t].values != after[t].values) ++moved;
            }
            auto const* changes = GetParam()->changes();
            if (changes == nullptr || !changes->place_tensor()) continue;
            auto const tensors = tensors_of(*state);
            auto const here = static_cast<std::size_t>(tensors.at("current_node").as_int(0));
            // Without a depot the way ends where it began, and who has been visited is not allowed.
            bool const depot = tensors.contains("visited");
            auto const end = depot ? 0 : static_cast<std::size_t>(tensors.at("first_node").as_int(0));
            auto const visited = tensors.at(depot ? "visited" : "action_mask").to_ints();
            EXPECT_EQ(tensors_of(**wrong).at(depot ? "visited" : "action_mask").to_ints(), visited);
            for (std::size_t node = depot ? 1 : 0; node < visited.size(); ++node) {
                if ((visited[node] != 0) != depot) continue;
                EXPECT_EQ((*wrong)->action_mask()[node], 0);
                if (node == here || node == end) continue;
                EXPECT_EQ(before[0].values[2 * node], after[0].values[2 * node]);
                EXPECT_EQ(before[0].values[2 * node + 1], after[0].values[2 * node + 1]);
            }
        }
    }
    EXPECT_GT(moved, 20U);
}

TEST_P(WrongData, IsAsLargeAsItSaysAndTheSameForTheSameStream) {
    Rng draw(1);
    auto const instance = GetParam()->generate(std::string(info().default_size), {}, draw);
    auto const units = noise_units_of(**instance);
    ASSERT_TRUE(units) << units.error().message;
    StatePtr const state = (*instance)->reset();
    auto const before = state->features();
    // Tensor 0 has one kind of number (or two with one spread): places, times.
    double const deviation = units->front().deviation;
    ASSERT_GT(deviation, 0);
    double squares = 0;
    double count = 0;
    for (std::uint32_t shot = 0; shot < 200; ++shot) {
        Rng rng(3, shot);
        Rng again(3, shot);
        auto const wrong = disturbed(*state, units->front().family, 0.05, rng);
        auto const same = disturbed(*state, units->front().family, 0.05, again);
        ASSERT_TRUE(wrong && same);
        auto const after = (*wrong)->features()[0].values;
        EXPECT_EQ(after, (*same)->features()[0].values);
        for (std::size_t i = 0; i < after.size(); ++i) {
            double const by = after[i] - before[0].values[i];
            if (by == 0) continue;
            squares += by * by;
            ++count;
        }
    }
    ASSERT_GT(count, 1000);
    EXPECT_NEAR(std::sqrt(squares / count) / (0.05 * deviation), 1, 0.05);
}

TEST_P(WrongData, FreshDrawsTouchTheirFamilyAloneAndAreTheSameForTheSameStream) {
    std::size_t moved = 0;
    for (StatePtr const& state : states()) {
        auto const before = state->features();
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            Rng rng(9);
            Rng same_stream(9);
            auto const other = redrawn(*state, k, rng);
            auto const again = redrawn(*state, k, same_stream);
            ASSERT_TRUE(other && again) << other.error().message;
            EXPECT_EQ((*other)->done(), state->done());
            auto const after = (*other)->features();
            auto const repeated = (*again)->features();
            for (std::size_t t = 0; t < after.size(); ++t) {
                EXPECT_EQ(after[t].values, repeated[t].values);
                bool const derived = info().tensors[t].name == "max_length" || info().size_hint != "N";
                if (info().tensors[t].family != k && !derived) {
                    EXPECT_EQ(before[t].values, after[t].values) << info().tensors[t].name;
                }
                if (before[t].values != after[t].values) ++moved;
            }
        }
    }
    EXPECT_GT(moved, 20U);
}

TEST_P(WrongData, MakesInstancesThatTheRulesOfTheProblemAccept) {
    for (StatePtr const& state : states()) {
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            Rng rng(8, static_cast<std::uint32_t>(k));
            auto const wrong = disturbed(*state, k, 0.8, rng);
            ASSERT_TRUE(wrong) << wrong.error().message;
            // Read back from its own JSON it passes the validation of given instances.
            auto const read = GetParam()->exchange().from_json(to_json((*wrong)->instance()));
            EXPECT_TRUE(read) << read.error().message;
        }
    }
}

std::vector<Problem const*> problems_with_noise() {
    std::vector<Problem const*> with;
    for (Problem const* problem : all_problems()) {
        if (problem->noise() != nullptr) with.push_back(problem);
    }
    return with;
}

INSTANTIATE_TEST_SUITE_P(Problems, WrongData, testing::ValuesIn(problems_with_noise()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
