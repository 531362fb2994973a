#include "cax/explain/subset.hpp"

#include "cax/explain/masking.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace cax {
namespace {

struct Scene {
    std::unique_ptr<Policy> policy;
    std::vector<InstancePtr> instances;
    std::vector<Decision> decisions;
};

Scene scene(std::string_view problem, std::string_view size, std::size_t steps = 3, std::size_t threads = 1) {
    Scene scene;
    auto policy = make_policy(test::random_policy(problem, 16, 1, 3), {.threads = threads});
    EXPECT_TRUE(policy) << policy.error().message;
    scene.policy = std::move(*policy);
    for (std::uint32_t i = 0; i < 2; ++i) {
        Rng rng(9, i);
        scene.instances.push_back(*find_problem(problem)->generate(size, {}, rng));
    }
    auto episodes = rollout(*scene.policy, scene.instances, {.steps = steps});
    EXPECT_TRUE(episodes) << episodes.error().message;
    for (Episode const& each : *episodes) scene.decisions.insert(scene.decisions.end(), each.decisions.begin(), each.decisions.end());
    return scene;
}

std::vector<std::size_t> ascending(Decision const& decision, SubsetOptions const& options = {}) {
    return subset_nodes(*decision.state, options);
}

std::vector<std::vector<std::size_t>> orders(std::vector<Decision> const& decisions, SubsetOptions const& options) {
    std::vector<std::vector<std::size_t>> all;
    for (Decision const& decision : decisions) all.push_back(random_order(ascending(decision, options), decision, options.seed));
    return all;
}

/// The definition: every sample for every size, one forward pass at a time.
std::vector<std::size_t> preserved_by_definition(Policy const& policy, Decision const& decision,
                                                 std::vector<std::size_t> const& order, SubsetOptions const& options,
                                                 std::size_t samples) {
    Masking const masking = *Masking::make(*decision.state, options);
    std::vector<std::size_t> counts;
    for (std::size_t k = 1; k <= std::min(options.k_max, order.size()); ++k) {
        NodeSet kept(masking.nodes());
        for (std::size_t i = 0; i < k; ++i) kept[order[i]] = 1;
        std::size_t count = 0;
        for (std::size_t s = 0; s < samples; ++s) {
            Rng rng(options.seed ^ 0x5b5e'7c0f'fee5'0001, static_cast<std::uint32_t>(decision.instance),
                    static_cast<std::uint32_t>(decision.step), static_cast<std::uint32_t>(s));
            Features features = masking.shaken(masking.noise(rng));
            std::vector<Observation> whole{decision.state->observe(features)};
            masking.hide(features, kept);
            std::vector<Observation> part{decision.state->observe(features)};
            std::size_t const target = options.fidelity.compare == Comparison::anchor
                                           ? decision.action
                                           : most_probable(policy.log_probs(whole).front());
            count += most_probable(policy.log_probs(part).front()) == target ? 1 : 0;
        }
        counts.push_back(count);
    }
    return counts;
}

class SubsetOfEveryProblem : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] static Scene small_scene(std::size_t steps = 3, std::size_t threads = 1) {
        ProblemInfo const& info = GetParam()->info();
        return scene(info.name, info.size_hint == "JxM" ? "3x2" : "8", steps, threads);
    }
};

TEST_P(SubsetOfEveryProblem, AgreesWithThePlainLoop) {
    Scene const s = small_scene();
    SubsetOptions options;
    options.sigma = 0.1;
    options.sigma_relative = true;
    options.k_max = 6;
    options.samples = 20;
    options.threads = 1;
    for (Comparison const compare : {Comparison::sample, Comparison::anchor}) {
        options.fidelity.compare = compare;
        auto const all = orders(s.decisions, options);
        auto const subsets = sufficient_subsets(*s.policy, s.decisions, all, options);
        ASSERT_TRUE(subsets) << subsets.error().message;
        std::size_t decided = 0;
        for (std::size_t i = 0; i < s.decisions.size(); ++i) {
            Subset const& subset = (*subsets)[i];
            if (subset.forced) continue;
            ++decided;
            auto const counts = preserved_by_definition(*s.policy, s.decisions[i], all[i], options, 20);
            auto const first = std::ranges::find_if(counts, [](std::size_t count) { return count >= 16; });
            EXPECT_EQ(subset.accepted, first != counts.end());
            std::size_t const shown = first == counts.end() ? counts.size() - 1 : first - counts.begin();
            EXPECT_EQ(subset.observed.preserved, counts[shown]);
            EXPECT_EQ(subset.observed.samples, 20U);
            EXPECT_EQ(subset.size(), subset.accepted ? shown + 1 : 0);
            EXPECT_LE(subset.forward_passes, subset.fixed_passes);
            EXPECT_LE(subset.observed.lower_bound, subset.observed.rate);
            EXPECT_LE(subset.observed.hoeffding, subset.observed.lower_bound);
        }
        EXPECT_GT(decided, 0U);
    }
}

TEST_P(SubsetOfEveryProblem, AllNodesTogetherAlwaysSuffice) {
    Scene const s = small_scene(1);
    SubsetOptions options;
    options.k_max = 1000;
    options.samples = 12;
    options.curve = true;
    auto const subset = sufficient_subset(*s.policy, s.decisions.front(), {}, options);
    ASSERT_TRUE(subset) << subset.error().message;
    ASSERT_EQ(subset->tests.size(), subset->nodes_in_all);
    EXPECT_EQ(subset->tests.back().preserved, 12U);
    EXPECT_GT(*subset->area_under_curve(), 0);
    EXPECT_LE(*subset->area_under_curve(), 1);
}

TEST_P(SubsetOfEveryProblem, DoesNotDependOnThreads) {
    SubsetOptions options;
    options.sigma_relative = true;
    options.k_max = 4;
    options.samples = 15;
    options.exact_budget = 300;
    std::vector<std::vector<Subset>> results;
    for (std::size_t const threads : {1U, 3U}) {
        Scene const s = small_scene(2, threads);
        options.threads = threads;
        auto subsets = sufficient_subsets(*s.policy, s.decisions, orders(s.decisions, options), options);
        ASSERT_TRUE(subsets);
        results.push_back(std::move(*subsets));
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) {
        Subset const& a = results[0][i];
        Subset const& b = results[1][i];
        EXPECT_EQ(a.nodes, b.nodes);
        EXPECT_EQ(a.observed.preserved, b.observed.preserved);
        EXPECT_EQ(a.forward_passes, b.forward_passes);
        ASSERT_TRUE(a.exact && b.exact);
        EXPECT_EQ(a.exact->nodes, b.exact->nodes);
        EXPECT_EQ(a.exact->size_at_least, b.exact->size_at_least);
        EXPECT_EQ(a.exact->forward_passes, b.exact->forward_passes);
        EXPECT_EQ(a.exact->fresh.preserved, b.exact->fresh.preserved);
        EXPECT_TRUE(a.exact->nodes.empty() || !a.accepted || a.exact->nodes.size() <= a.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, SubsetOfEveryProblem,
                         testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& each) { return std::string(each.param->info().name); });

TEST(Masking, HidesWhatIsNotKeptAndNothingElse) {
    Scene const s = scene("cvrptw", "5", 1);
    State const& state = *s.decisions.front().state;
    Masking const masking = *Masking::make(state, {});
    EXPECT_EQ(masking.nodes(), 6U); // the depot is a node
    Features features = state.features();
    NodeSet kept(6);
    kept[2] = 1;
    masking.hide(features, kept);
    Features const clean = state.features();
    for (std::size_t node = 0; node < 6; ++node) {
        for (std::size_t tensor : {0U, 2U}) {
            for (std::size_t side : {0U, 1U}) {
                double const expected = node == 2 ? clean[tensor].values[2 * node + side] : 0;
                EXPECT_EQ(features[tensor].values[2 * node + side], expected);
            }
        }
        if (node > 0) {
            EXPECT_EQ(features[1].values[node - 1], node == 2 ? clean[1].values[node - 1] : 0);
        }
    }
}

TEST(Masking, ShowsTheMeanOrTheDepotInsteadOfZeros) {
    Scene const s = scene("op", "4", 1);
    State const& state = *s.decisions.front().state;
    Features const clean = state.features();
    SubsetOptions options;
    options.baseline = MaskingBaseline::depot;
    Features features = clean;
    Masking::make(state, options)->hide(features, NodeSet(5));
    EXPECT_EQ(features[0].values[2 * 3 + 1], clean[0].values[1]);
    options.baseline = MaskingBaseline::mean;
    features = clean;
    Masking::make(state, options)->hide(features, NodeSet(5));
    double mean = 0;
    for (std::size_t node = 0; node < 5; ++node) mean += clean[0].values[2 * node] / 5;
    for (std::size_t node = 0; node < 5; ++node) EXPECT_NEAR(features[0].values[2 * node], mean, 1e-6);
}

TEST(Masking, LeavesAloneWhatIsSpentOrDoesNotExist) {
    Scene const s = scene("fjsp", "3x2", 3);
    State const& state = *s.decisions.back().state;
    auto const spent = state.spent_nodes();
    ASSERT_GT(std::ranges::count(spent, 1), 0);
    Masking const masking = *Masking::make(state, {});
    for (std::size_t const node : masking.candidates()) EXPECT_EQ(spent[node], 0);
    Rng rng(1);
    Features const shaken = masking.shaken(masking.noise(rng));
    Features const clean = state.features();
    std::size_t const operations = spent.size();
    for (std::size_t i = 0; i < shaken[0].values.size(); ++i) {
        bool const moved = shaken[0].values[i] != clean[0].values[i];
        EXPECT_EQ(moved, spent[i % operations] == 0 && clean[0].values[i] > 0);
    }
    SubsetOptions const published{.fidelity = SubsetFidelity::published()};
    EXPECT_EQ(subset_nodes(state, published).size(), operations);
}

TEST(Masking, CutsWholeNumbersOffAsPublished) {
    Scene const s = scene("cvrptw", "5", 1);
    State const& state = *s.decisions.front().state;
    ASSERT_TRUE(units_of(state.instance(), 2).whole_numbers);
    SubsetOptions const options = SubsetOptions{.fidelity = SubsetFidelity::published()};
    Masking const masking = *Masking::make(state, options);
    Rng rng(1);
    Features const noise = masking.noise(rng);
    Features features = masking.shaken(noise);
    for (std::size_t i = 0; i < noise[2].values.size(); ++i) {
        double const moved = static_cast<float>(state.features()[2].values[i] + static_cast<float>(noise[2].values[i]));
        EXPECT_EQ(features[2].values[i], std::trunc(moved));
    }
    auto const demand = features[1].values;
    masking.hide(features, NodeSet(6));
    EXPECT_EQ(features[1].values, demand); // has no entry for the depot: never hidden
    EXPECT_EQ(features[3].values, std::vector<double>(6));
}

TEST(Subset, SampleSizesAndThresholdsAreThePapers) {
    SubsetOptions options;
    EXPECT_EQ(subset_rule(options)->samples, 70U);
    EXPECT_EQ(subset_rule(options)->needed, 56U);
    options.accept = Acceptance::certified;
    EXPECT_EQ(subset_rule(options)->needed, 64U);
    options.correction = Correction::per_test;
    EXPECT_EQ(subset_rule(options)->samples, 29U);
}

TEST(Subset, ForcedDecisionsCostNothing) {
    Scene const s = scene("op", "3", 8);
    bool found = false;
    for (Decision const& decision : s.decisions) {
        if (decision.runner_up()) continue;
        found = true;
        SubsetOptions options;
        options.exact_budget = 10;
        auto const subset = sufficient_subset(*s.policy, decision, ascending(decision), options);
        ASSERT_TRUE(subset);
        EXPECT_TRUE(subset->forced && subset->accepted && subset->exact->proven);
        EXPECT_EQ(subset->forward_passes, 0U);
        EXPECT_EQ(subset->size(), 1U);
    }
    EXPECT_TRUE(found);
}

TEST(Subset, FreshNoiseDrawsOtherSamplesForEverySize) {
    Scene const s = scene("cvrptw", "8", 1);
    SubsetOptions options = SubsetOptions{.fidelity = SubsetFidelity::published()};
    options.samples = 10;
    options.k_max = 3;
    options.curve = true;
    auto const subset = sufficient_subset(*s.policy, s.decisions.front(), {}, options);
    ASSERT_TRUE(subset);
    EXPECT_EQ(subset->forward_passes, 30U); // anchor: no passes for the samples' own decisions
    EXPECT_EQ(subset->fixed_passes, 30U);
    options.exact_budget = 1;
    EXPECT_FALSE(sufficient_subset(*s.policy, s.decisions.front(), {}, options));
}

TEST(Subset, OrdersAreByScoreOrByChance) {
    std::vector<std::size_t> const candidates{1, 3, 4, 6};
    std::vector<double> const scores{9, 1, 9, std::nan(""), 5, 9, 1};
    EXPECT_EQ(order_by_scores(candidates, scores), (std::vector<std::size_t>{4, 1, 6, 3}));
    Decision decision;
    std::set<std::vector<std::size_t>> seen;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        auto order = random_order(candidates, decision, seed);
        seen.insert(order);
        std::ranges::sort(order);
        EXPECT_EQ(order, candidates);
    }
    EXPECT_EQ(seen.size(), 24U);
    EXPECT_EQ(random_order(candidates, decision, 5), random_order(candidates, decision, 5));
}

TEST(Subset, RefusesWhatMakesNoSense) {
    Scene const s = scene("fjsp", "3x2", 1);
    Decision const& decision = s.decisions.front();
    auto const message = [&](std::vector<std::size_t> const& order, auto change) {
        SubsetOptions options;
        change(options);
        auto const subset = sufficient_subset(*s.policy, decision, order, options);
        return subset ? "it was accepted" : subset.error().message;
    };
    auto const nothing = [](SubsetOptions&) {};
    EXPECT_EQ(message({1, 1}, nothing), "order: node 1 is listed twice or has been dealt with");
    EXPECT_TRUE(message({999}, nothing).starts_with("order: node 999: there are "));
    EXPECT_EQ(message({}, [](SubsetOptions& o) { o.k_max = 0; }), "k_max: 0: a subset has at least one node");
    EXPECT_EQ(message({}, [](SubsetOptions& o) { o.sigma = -1; }), "sigma: -1 is no standard deviation");
    EXPECT_EQ(message({}, [](SubsetOptions& o) { o.epsilon = 1; }), "epsilon: 1 is not between 0 and 1");
    EXPECT_EQ(message({}, [](SubsetOptions& o) { o.baseline = MaskingBaseline::depot; }),
              "baseline: depot: this problem has none");
    EXPECT_EQ(message({},
                      [](SubsetOptions& o) {
                          o.accept = Acceptance::certified;
                          o.samples = 5;
                      }),
              "samples: 5 cannot certify a rate of 0.8 at confidence 1 - 0.008, even if all succeed");
    std::vector<std::vector<std::size_t>> const one_order(1);
    auto const many = sufficient_subsets(*s.policy, s.decisions, one_order, {});
    EXPECT_EQ(many ? "" : many.error().message, "orders: 1 for 2 cells");
}

} // namespace
} // namespace cax
