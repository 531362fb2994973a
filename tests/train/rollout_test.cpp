#include "rollout.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace cax::train {
namespace {

struct Workshop {
    Problem const& problem;
    std::unique_ptr<Trainable> network;
    InstancePtr instance;
};

Workshop workshop_for(Problem const& problem, std::string const& size) {
    NetworkDesign const design{.embed_dim = 16, .layers = 1, .heads = 4};
    auto const weights = random_weights(problem, size, design, 3);
    EXPECT_TRUE(weights);
    auto network = make_trainable(*weights, {.threads = 1});
    EXPECT_TRUE(network);
    Rng rng(11);
    auto instance = problem.generate(size, {}, rng);
    EXPECT_TRUE(instance);
    return {problem, *std::move(network), *std::move(instance)};
}

std::string small_size(Problem const& problem) { return problem.info().size_hint == "N" ? "6" : "3x2"; }

TEST(Rollout, GivesEachGroupOfTrajectoriesItsOwnBaseline) {
    for (Problem const* const problem : all_problems()) {
        Workshop const shop = workshop_for(*problem, small_size(*problem));
        Rollout rollout(*shop.network);
        auto const result = rollout.run(*shop.instance, {.forced = 3, .free = 4}, 5, 0);
        ASSERT_TRUE(result) << result.error().message;
        std::size_t const forced = result->rewards.size() - 4;
        double forced_sum = 0, free_sum = 0;
        for (std::size_t i = 0; i < result->advantages.size(); ++i)
            (i < forced ? forced_sum : free_sum) += result->advantages[i];
        EXPECT_NEAR(forced_sum, 0, 1e-9);
        EXPECT_NEAR(free_sum, 0, 1e-9);
        EXPECT_GT(result->entropy, 0);
    }
}

TEST(Rollout, IsTheSameWhateverWasRolledOutBefore) {
    Problem const& problem = *find_problem("op");
    Workshop const shop = workshop_for(problem, "8");
    Rollout fresh(*shop.network), used(*shop.network);
    ASSERT_TRUE(used.run(*shop.instance, {.forced = 2, .free = 5}, 1, 9));
    auto const a = fresh.run(*shop.instance, {.forced = 4, .free = 4}, 1, 7);
    auto const b = used.run(*shop.instance, {.forced = 4, .free = 4}, 1, 7);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->rewards, b->rewards);
    EXPECT_EQ(a->entropy, b->entropy);
}

TEST(Rollout, LearnsFromImprovedRoutesBesideItsOwn) {
    for (char const* const name : {"cvrptw", "op", "knapsack"}) {
        Workshop const shop = workshop_for(*find_problem(name), "12");
        Rollout rollout(*shop.network);
        RolloutPlan plan{.forced = 4, .free = 3};
        auto const own = rollout.run(*shop.instance, plan, 5, 0);
        plan.polish = 100;
        plan.polish_weight = 0.25;
        auto const result = rollout.run(*shop.instance, plan, 5, 0);
        ASSERT_TRUE(own && result) << result.error().message;
        std::size_t const sampled = own->rewards.size();
        ASSERT_EQ(result->rewards.size(), sampled + 2) << name << ": a beginner's routes can be improved";
        EXPECT_GT(result->decisions, own->decisions);
        for (std::size_t t = 0; t < sampled; ++t) {
            EXPECT_EQ(result->rewards[t], own->rewards[t]);
            EXPECT_EQ(result->advantages[t], own->advantages[t]);
        }
        for (std::size_t group : {0U, 1U}) {
            std::size_t const begin = group == 0 ? 0 : sampled - 3, end = group == 0 ? sampled - 3 : sampled;
            double mean = 0, best = -1e9;
            for (std::size_t t = begin; t < end; ++t) {
                mean += own->rewards[t] / static_cast<double>(end - begin);
                best = std::max(best, own->rewards[t]);
            }
            EXPECT_GT(result->rewards[sampled + group], best);
            EXPECT_NEAR(result->advantages[sampled + group], 0.25 * (result->rewards[sampled + group] - mean), 1e-6);
        }
        auto const again = Rollout(*shop.network).run(*shop.instance, plan, 5, 0);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->rewards, result->rewards);
    }
}

TEST(Rollout, LearnsFromBetterDispatchingBesideItsOwn) {
    Workshop const shop = workshop_for(*find_problem("fjsp"), "6x4");
    Rollout rollout(*shop.network);
    RolloutPlan plan{.forced = 0, .free = 4};
    auto const own = rollout.run(*shop.instance, plan, 5, 0);
    plan.polish = 200;
    auto const result = rollout.run(*shop.instance, plan, 5, 0);
    ASSERT_TRUE(own && result) << result.error().message;
    ASSERT_EQ(result->rewards.size(), own->rewards.size() + 1) << "a beginner's dispatching can be improved";
    EXPECT_GT(result->rewards.back(), *std::ranges::max_element(own->rewards));
    auto const again = Rollout(*shop.network).run(*shop.instance, plan, 5, 0);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->rewards, result->rewards);
}

/// What backward() claims to differentiate: log-likelihoods as they are weighted, and half the entropy of all
/// decisions. `roll` is what was rolled out: the same random numbers give the same trajectories as long as the
/// parameters barely move. The weights are those of the unperturbed run.
template <class Roll> double objective(Trainable const& network, RolloutResult const& wanted, Roll const& roll) {
    Rollout rollout(network);
    auto const result = roll(rollout);
    EXPECT_TRUE(result);
    EXPECT_EQ(result->rewards, wanted.rewards) << "a perturbation changed the trajectories";
    return rollout.log_likelihood(wanted) + 0.5 * result->entropy * static_cast<double>(result->decisions);
}

template <class Roll> void expect_gradient(Workshop const& shop, Roll const& roll) {
    Rollout rollout(*shop.network);
    auto const result = roll(rollout);
    ASSERT_TRUE(result) << result.error().message;
    std::span<float> const parameters = shop.network->parameters();
    std::vector<float> gradient(parameters.size());
    rollout.backward(*result, 1.0, 0.5, gradient);
    // One random direction per problem: all parameters at once.
    Rng rng(17);
    std::vector<float> direction(parameters.size()), start(parameters.begin(), parameters.end());
    auto const movable = shop.network->movable();
    double expected = 0;
    for (std::size_t i = 0; i < direction.size(); ++i) {
        direction[i] = movable[i] ? start[i] * static_cast<float>(rng.normal()) : 0.0F; // columns differ in scale
        expected += double{direction[i]} * double{gradient[i]};
    }
    double const h = 3e-4;
    double values[2];
    for (int side : {0, 1}) {
        for (std::size_t i = 0; i < direction.size(); ++i)
            parameters[i] = static_cast<float>(start[i] + (side == 0 ? -h : h) * direction[i]);
        shop.network->pack();
        values[side] = objective(*shop.network, *result, roll);
    }
    double const slope = -(values[1] - values[0]) / (2 * h); // backward() minimises
    EXPECT_NEAR(slope, expected, 0.02 * std::abs(expected)) << shop.problem.info().name;
}

TEST(Rollout, BackwardIsTheGradientOfTheWeightedLogLikelihoodAndTheEntropy) {
    for (Problem const* const problem : all_problems()) {
        Workshop const shop = workshop_for(*problem, small_size(*problem));
        expect_gradient(shop,
                        [&](Rollout& rollout) { return rollout.run(*shop.instance, {.forced = 3, .free = 3}, 5, 0); });
    }
}

TEST(Rollout, BackwardIsTheGradientOfTheLogProbabilitiesOfAllActionsByHowMuchTheyAreWanted) {
    PriceLesson const lesson{.work = 10'000, .scale = 0.05};
    for (char const* const name : {"knapsack", "op", "tsp"}) {
        Workshop const shop = workshop_for(*find_problem(name), "7");
        expect_gradient(shop, [&](Rollout& rollout) { return rollout.price(*shop.instance, lesson, 3, 5, 1); });
    }
}

TEST(Rollout, TeachesByPricesFromARandomDecisionOfThePolicysOwnOn) {
    Workshop const shop = workshop_for(*find_problem("knapsack"), "12");
    PriceLesson const lesson{.work = 10'000, .scale = 0.01};
    std::set<std::size_t> decisions;
    for (std::uint32_t index = 0; index < 20; ++index) {
        Rollout rollout(*shop.network);
        auto const result = rollout.price(*shop.instance, lesson, 3, 5, index);
        ASSERT_TRUE(result) << result.error().message;
        ASSERT_EQ(result->rewards.size(), 3U);
        EXPECT_GE(result->decisions, 3U) << "each has at least one";
        decisions.insert(result->decisions);
        Rollout other(*shop.network);
        ASSERT_TRUE(other.run(*shop.instance, {.forced = 2, .free = 2}, 5, 0));
        EXPECT_EQ(other.price(*shop.instance, lesson, 3, 5, index)->rewards, result->rewards);
    }
    EXPECT_GT(decisions.size(), 3U) << "lessons begin at different decisions";
}

/// A plan that the problem's own search finds.
Solution searched(Instance const& instance) {
    auto const found = search(instance, {.seconds = 60, .iterations = 200, .stop = {}});
    EXPECT_TRUE(found) << found.error().message;
    return found->solution;
}

TEST(Rollout, ImitatesASolutionWithItsRoutesInAnyOrder) {
    for (char const* const name : {"cvrptw", "op"}) {
        Workshop const shop = workshop_for(*find_problem(name), "8");
        auto const found = search(*shop.instance, {.seconds = 60, .iterations = 200, .stop = {}});
        ASSERT_TRUE(found) << found.error().message;
        Rollout rollout(*shop.network);
        auto const result = rollout.imitate(*shop.instance, found->solution, 5, 1, 2);
        ASSERT_TRUE(result) << result.error().message;
        ASSERT_EQ(result->rewards.size(), 5U);
        for (double const reward : result->rewards) EXPECT_NEAR(std::abs(reward), found->cost, 1e-3) << name;
        EXPECT_EQ(result->advantages, std::vector<double>(5, 1));
        std::set<double> likelihoods;
        for (std::uint32_t index = 0; index < 6; ++index) {
            auto const one = rollout.imitate(*shop.instance, found->solution, 1, 1, index);
            ASSERT_TRUE(one);
            likelihoods.insert(rollout.log_likelihood(*one));
        }
        if (std::get<Routes>(found->solution).routes.size() > 1)
            EXPECT_GT(likelihoods.size(), 1U) << name;
        else
            EXPECT_EQ(likelihoods.size(), 1U) << name;
    }
}

TEST(Rollout, MakesAnImitatedSolutionLikelier) {
    Workshop const shop = workshop_for(*find_problem("cvrptw"), "8");
    Solution const solution = searched(*shop.instance);
    Rollout rollout(*shop.network);
    std::span<float> const parameters = shop.network->parameters();
    std::vector<double> likelihoods;
    for (int i = 0; i < 30; ++i) {
        auto const result = rollout.imitate(*shop.instance, solution, 4, 1, 2);
        ASSERT_TRUE(result);
        likelihoods.push_back(rollout.log_likelihood(*result));
        std::vector<float> gradient(parameters.size());
        rollout.backward(*result, 1.0, 0, gradient);
        auto const plan = step_plan(shop.problem, "8", shop.network->save(), 1);
        ASSERT_TRUE(plan);
        for (std::size_t p = 0; p < parameters.size(); ++p)
            parameters[p] -= 1e-3F * plan->scales[p] * plan->scales[p] * gradient[p];
        shop.network->pack();
    }
    EXPECT_GT(likelihoods.back(), 0.7 * likelihoods.front()) << "they are negative";
}

TEST(Rollout, ImitatesAPackingWithItsItemsInAnyOrder) {
    Workshop const shop = workshop_for(*find_problem("knapsack"), "8");
    auto const found = search(*shop.instance, {.seconds = 60, .stop = {}});
    ASSERT_TRUE(found && found->optimal);
    Rollout rollout(*shop.network);
    auto const result = rollout.imitate(*shop.instance, found->solution, 5, 1, 2);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->rewards.size(), 5U);
    for (double const reward : result->rewards) EXPECT_NEAR(reward, found->cost, 1e-6);
    auto const other = rollout.imitate(*shop.instance, found->solution, 1, 1, 3);
    ASSERT_TRUE(other);
    double const first = rollout.log_likelihood(*other);
    auto const another = rollout.imitate(*shop.instance, found->solution, 1, 1, 4);
    ASSERT_TRUE(another);
    EXPECT_NE(rollout.log_likelihood(*another), first);
}

/// Log-likelihood of packing the items in this order, and the chance to draw it if only the items are to be had.
std::pair<double, double> likelihood_and_chance(Workshop const& shop, std::vector<std::size_t> const& order) {
    StatePtr const state = shop.instance->reset();
    double likelihood = 0, chance = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const log_probs = shop.network->policy().log_probs(std::vector{state->observe()}).front();
        double among = 0;
        for (std::size_t j = i; j < order.size(); ++j) among += std::exp(log_probs[order[j]]);
        likelihood += log_probs[order[i]];
        chance *= std::exp(log_probs[order[i]]) / among;
        state->step(order[i]);
    }
    return {likelihood, chance};
}

TEST(Rollout, PacksInOrdersAsOftenAsThePolicyWouldIfOnlyTheseItemsWereToBeHad) {
    Workshop const shop = workshop_for(*find_problem("knapsack"), "6");
    auto const found = search(*shop.instance, {.seconds = 60, .stop = {}});
    ASSERT_TRUE(found && found->optimal);
    std::vector<std::size_t> order = std::get<Packing>(found->solution).items;
    ASSERT_GE(order.size(), 2U);
    ASSERT_LE(order.size(), 4U);
    constexpr std::uint32_t draws = 4000;
    Rollout rollout(*shop.network);
    std::vector<double> drawn;
    for (std::uint32_t index = 0; index < draws; ++index) {
        auto const one = rollout.imitate(*shop.instance, found->solution, 1, 1, index);
        ASSERT_TRUE(one);
        drawn.push_back(rollout.log_likelihood(*one));
    }
    std::ranges::sort(order);
    std::size_t in_all = 0;
    do {
        auto const [likelihood, chance] = likelihood_and_chance(shop, order);
        auto const times =
            std::ranges::count_if(drawn, [&](double each) { return std::abs(each - likelihood) < 1e-5; });
        EXPECT_NEAR(static_cast<double>(times) / draws, chance, 4 * std::sqrt(chance / draws));
        in_all += static_cast<std::size_t>(times);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(in_all, draws) << "likelihoods tell orders apart";
}

/// The cost of the episode that takes these actions; what comes after its end is not taken.
double cost_of_episode(Instance const& instance, std::span<std::size_t const> actions) {
    StatePtr const state = instance.reset();
    for (std::size_t const action : actions) {
        if (!state->done()) state->step(action);
    }
    EXPECT_TRUE(state->done());
    return state->done() ? state->cost() : std::numeric_limits<double>::quiet_NaN();
}

TEST(Rollout, EpisodesToImitateMakeTheSolutionInEveryOrderThatIsDrawn) {
    std::size_t imitated = 0;
    for (Problem const* const problem : all_problems()) {
        std::string const size = problem->info().size_hint == "N" ? "8" : "3x2";
        Rng generator(5);
        auto const instance = problem->generate(size, {}, generator);
        ASSERT_TRUE(instance) << instance.error().message;
        auto const found = search(**instance, {.seconds = 60, .iterations = 200, .stop = {}});
        ASSERT_TRUE(found) << found.error().message;
        Rng rng(9);
        for (int draw = 0; draw < 4; ++draw) {
            auto const plan = action_plan_of(**instance, found->solution, draw == 0 ? nullptr : &rng);
            if (!plan) {
                EXPECT_EQ(plan.error().code, ErrorCode::unsupported) << problem->info().name;
                break;
            }
            EXPECT_NEAR(cost_of_episode(**instance, plan->actions), found->cost, 1e-3) << problem->info().name;
            imitated += draw == 0 ? 1 : 0;
        }
    }
    EXPECT_GE(imitated, 7U) << "all but scheduling";
}

TEST(Rollout, RefusesToImitateWhatHasNoEpisodesAndLearnsNothingFromForbiddenRoutes) {
    Workshop const shop = workshop_for(*find_problem("fjsp"), "3x2");
    Rollout scheduling(*shop.network);
    auto const schedule = scheduling.imitate(*shop.instance, Schedule{}, 2, 1, 2);
    ASSERT_FALSE(schedule);
    EXPECT_EQ(schedule.error().code, ErrorCode::unsupported);
    EXPECT_NE(schedule.error().message.find("fjsp"), std::string::npos) << schedule.error().message;

    Workshop const routing = workshop_for(*find_problem("cvrptw"), "8");
    Rollout rollout(*routing.network);
    auto const twice = rollout.imitate(*routing.instance, Routes{{{1, 1}, {2, 3, 4, 5, 6, 7, 8}}}, 2, 1, 2);
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->decisions, 0U);
    EXPECT_TRUE(twice->rewards.empty());
    auto const unfinished = rollout.imitate(*routing.instance, Routes{{{1}}}, 2, 1, 2);
    ASSERT_TRUE(unfinished);
    EXPECT_EQ(unfinished->decisions, 0U) << "seven customers are left";
}

} // namespace
} // namespace cax::train
