#include "cax/policies/decode.hpp"

#include "toy_problem.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

using test::ToyPolicy;
using test::ToySettings;
using Actions = std::vector<std::size_t>;

test::ToyProblem const cheap(Objective::minimise);
test::ToyProblem const dear(Objective::maximise);

InstancePtr toy(ToySettings settings, Problem const& problem = cheap) {
    return std::make_shared<test::ToyInstance>(problem, std::move(settings));
}

/// Prefers high items.
ToyPolicy const downhill([](auto const&, auto const&, std::size_t a) { return static_cast<double>(a + 1); });
/// Prefers none.
ToyPolicy const even([](auto const&, auto const&, std::size_t) { return 1.0; });

TEST(GreedyDecode, TakesTheMostProbableActionUntilDone) {
    std::vector const instances{toy({.items = 4})};
    auto const episodes = decode(downhill, instances, {});
    ASSERT_TRUE(episodes);
    Trajectory const& episode = episodes->front();
    EXPECT_EQ(episode.actions, (Actions{3, 2, 1, 0}));
    EXPECT_EQ(episode.cost, 0 * 3 + 1 * 2 + 2 * 1 + 3 * 0);
    ASSERT_EQ(episode.log_probs.size(), 4);
    EXPECT_DOUBLE_EQ(episode.log_probs[0], std::log(4.0 / 10));
    EXPECT_DOUBLE_EQ(episode.log_probs[3], 0);
}

TEST(GreedyDecode, TakesTheLowestIndexOnTies) {
    std::vector const instances{toy({.items = 5})};
    EXPECT_EQ(decode(even, instances, {})->front().actions, (Actions{0, 1, 2, 3, 4}));
}

TEST(GreedyDecode, EncodesTheResetStateOrTheCurrentOne) {
    // Decides by the encoded state alone: its step number rotates the preference.
    ToyPolicy const policy([](auto const& encoded, auto const&, std::size_t a) {
        return a == (encoded.current_node * 2) % 5 ? 10.0 : 1.0 / static_cast<double>(a + 1);
    });
    std::vector const instances{toy({.items = 5})};
    DecodeOptions options;
    EXPECT_EQ(decode(policy, instances, options)->front().actions, (Actions{0, 1, 2, 3, 4}));
    options.state.encode = EncodeMode::each_step;
    EXPECT_EQ(decode(policy, instances, options)->front().actions, (Actions{0, 2, 4, 1, 3}));
}

TEST(MultistartDecode, KeepsTheBestOfItsStarts) {
    // From start s the policy goes downhill: the cost is known by hand for each.
    DecodeOptions const options{.mode = DecodeMode::multistart};
    auto const instance = toy({.items = 3, .starts = {1, 2}});
    auto const all = decode_all_starts(downhill, instance, options);
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 2);
    EXPECT_EQ((*all)[0].actions, (Actions{1, 2, 0}));
    EXPECT_EQ((*all)[0].cost, 2);
    EXPECT_EQ((*all)[0].log_probs[0], 0);
    EXPECT_EQ((*all)[1].actions, (Actions{2, 1, 0}));
    EXPECT_EQ((*all)[1].cost, 1);
    std::vector const instances{instance};
    EXPECT_EQ(decode(downhill, instances, options)->front().actions, (Actions{2, 1, 0}));
    std::vector const prizes{toy({.items = 3, .starts = {1, 2}}, dear)};
    EXPECT_EQ(decode(downhill, prizes, options)->front().actions, (Actions{1, 2, 0}));
}

TEST(MultistartDecode, KeepsTheFirstOfEqualStarts) {
    DecodeOptions const options{.mode = DecodeMode::multistart};
    // After 2 it goes on 0, 1; after 1 it goes on 2, 0: both cost 2.
    ToyPolicy const policy(
        [](auto const&, auto const& seen, std::size_t a) { return static_cast<double>(seen.mask[1] ? 3 - a : a + 1); });
    std::vector const instances{toy({.items = 3, .starts = {2, 1}}), toy({.items = 3, .starts = {1, 2}})};
    auto const episodes = decode(policy, instances, options);
    EXPECT_EQ((*episodes)[0].actions, (Actions{2, 0, 1}));
    EXPECT_EQ((*episodes)[1].actions, (Actions{1, 2, 0}));
    EXPECT_EQ((*episodes)[0].cost, (*episodes)[1].cost);
}

TEST(MultistartDecode, GoesRoundItsStartsIfMoreAreAskedFor) {
    DecodeOptions const options{.mode = DecodeMode::multistart, .starts = 5};
    auto const all = decode_all_starts(downhill, toy({.items = 3, .starts = {1, 2}}), options);
    ASSERT_EQ(all->size(), 5);
    for (std::size_t s = 0; s < 5; ++s) EXPECT_EQ((*all)[s].actions.front(), s % 2 + 1);
}

TEST(MultistartDecode, DrawsAllowedStartsWhereTheInstanceNamesNone) {
    DecodeOptions options{.mode = DecodeMode::multistart};
    EXPECT_EQ(decode_all_starts(even, toy({.items = 6}), options)->size(), 6);
    options.starts = 200;
    auto const all = decode_all_starts(even, toy({.items = 6}), options);
    ASSERT_EQ(all->size(), 200);
    std::vector<int> counts(6);
    for (Trajectory const& episode : *all) ++counts.at(episode.actions.front());
    for (int const count : counts) EXPECT_GT(count, 10); // 33 expected; 10 is more than four deviations away
    auto const again = decode_all_starts(even, toy({.items = 6}), options);
    for (std::size_t s = 0; s < 200; ++s) EXPECT_EQ((*all)[s].actions, (*again)[s].actions);
}

TEST(SampleDecode, FollowsTheProbabilities) {
    // Two items: the first action decides; item 1 has probability 0.75 and costs less.
    ToyPolicy const policy([](auto const&, auto const&, std::size_t a) { return a == 1 ? 3.0 : 1.0; });
    std::vector<InstancePtr> instances;
    for (std::size_t i = 0; i < 4000; ++i) instances.push_back(toy({.items = 2}));
    auto const episodes = decode(policy, instances, {.mode = DecodeMode::sample, .samples = 1, .seed = 5});
    ASSERT_TRUE(episodes);
    double ones = 0;
    for (Trajectory const& episode : *episodes) {
        ones += episode.actions.front() == 1;
        EXPECT_DOUBLE_EQ(episode.log_probs[0], std::log(episode.actions.front() == 1 ? 0.75 : 0.25));
    }
    EXPECT_NEAR(ones / 4000, 0.75, 0.03); // four deviations
}

TEST(SampleDecode, KeepsTheBestSample) {
    std::vector const instances{toy({.items = 3})};
    auto const episodes = decode(even, instances, {.mode = DecodeMode::sample, .samples = 100});
    EXPECT_EQ(episodes->front().actions, (Actions{2, 1, 0})); // one of six orders, each with 1/6
    EXPECT_FALSE(decode(even, instances, {.mode = DecodeMode::sample, .samples = 0}));
}

TEST(Decode, GivesAnInstanceTheSameEpisodeWhateverTheThreadsAndTheOthers) {
    std::vector<InstancePtr> instances;
    for (std::size_t i = 0; i < 21; ++i) instances.push_back(toy({.items = 4 + i % 3, .number = i}));
    ToyPolicy const policy([](auto const& encoded, auto const& seen, std::size_t a) {
        return 1 + std::fmod(encoded.context[0] * 7.3 + static_cast<double>(a * seen.current_node) * 1.7, 3);
    });
    for (DecodeMode const mode : {DecodeMode::greedy, DecodeMode::multistart, DecodeMode::sample}) {
        DecodeOptions options{.mode = mode, .samples = 5, .threads = 1};
        auto const one = decode(policy, instances, options);
        options.threads = 2;
        auto const two = decode(policy, instances, options);
        auto const some = decode(policy, std::span(instances).first(9), options);
        ASSERT_TRUE(one && two && some);
        for (std::size_t i = 0; i < instances.size(); ++i) {
            EXPECT_EQ((*one)[i].actions, (*two)[i].actions);
            EXPECT_EQ((*one)[i].log_probs, (*two)[i].log_probs);
            if (i < some->size()) {
                EXPECT_EQ((*one)[i].actions, (*some)[i].actions);
            }
        }
    }
}

TEST(Decode, ReportsItsProgress) {
    std::vector<InstancePtr> const instances(20, toy({}));
    std::size_t last = 0, calls = 0;
    DecodeOptions options;
    options.threads = 2;
    options.progress = [&](std::size_t finished, std::size_t total) {
        EXPECT_GT(finished, last);
        EXPECT_EQ(total, 20);
        last = finished;
        ++calls;
    };
    ASSERT_TRUE(decode(even, instances, options));
    EXPECT_EQ(last, 20);
    EXPECT_GT(calls, 1);
}

TEST(Decode, SaysWhereNothingIsAllowed) {
    std::vector<InstancePtr> instances(9, toy({}));
    instances.push_back(toy({.stuck_after = 2}));
    auto const episodes = decode(even, instances, {});
    ASSERT_FALSE(episodes);
    EXPECT_EQ(episodes.error().message, "instance 9: no action is allowed at step 3");
}

TEST(Decode, SaysWhenAnEpisodeDoesNotEnd) {
    std::vector const instances{toy({.items = 3, .endless = true})};
    auto const episodes = decode(even, instances, {});
    ASSERT_FALSE(episodes);
    EXPECT_EQ(episodes.error().message, "instance 0: the episode has not ended at step 29");
}

TEST(Decode, SaysWhenThePolicyGivesNoNumbers) {
    ToyPolicy const broken([](auto const&, auto const& seen, std::size_t) {
        return seen.current_node == 1 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    });
    std::vector const instances{toy({})};
    for (DecodeMode const mode : {DecodeMode::greedy, DecodeMode::sample}) {
        auto const episodes = decode(broken, instances, {.mode = mode});
        ASSERT_FALSE(episodes);
        EXPECT_EQ(episodes.error().message, "instance 0: the policy's probabilities are not numbers at step 2");
    }
}

TEST(Decode, SaysWhichInstanceThePolicyCannotRead) {
    std::vector const instances{toy({}), toy({.items = 100})};
    auto const episodes = decode(even, instances, {});
    ASSERT_FALSE(episodes);
    EXPECT_EQ(episodes.error().message, "instance 1: too many items");
}

} // namespace
} // namespace cax
