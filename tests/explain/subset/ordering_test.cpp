#include "cax/explain/ordering.hpp"

#include "cax/explain/subset_score.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

TEST(Ordering, IsNamedByWords) {
    ProblemInfo const& info = find_problem("cvrptw")->info();
    EXPECT_EQ(ordering_of("lp", info)->backend, Backend::lp);
    EXPECT_EQ(ordering_of("ig", info)->kind, Ordering::Kind::integrated);
    EXPECT_EQ(ordering_of("family:time_window", info)->family, 1U);
    EXPECT_EQ(ordering_of("family:x", info).error().message,
              "order: 'family:x': the families are capacity, time_window, spatial");
    EXPECT_FALSE(ordering_of("given", info)); // there is no place to give multipliers
    EXPECT_FALSE(ordering_of("", info));
}

TEST(Ordering, FollowsTheScoresOfItsAttribution) {
    Rng rng(4);
    std::vector<InstancePtr> const instances{*find_problem("cvrptw")->generate("7", {}, rng)};
    auto const policy = *make_policy(test::random_policy("cvrptw", 16, 1, 3));
    auto const decisions = all_cells(*rollout(*policy, instances, {.steps = 2}));
    auto const attributions = *attribute(*policy, decisions);
    ProblemInfo const& info = find_problem("cvrptw")->info();
    auto const orders_by = [&](std::string_view name) {
        auto orders = node_orders(*policy, instances, decisions, *ordering_of(name, info), {});
        EXPECT_TRUE(orders) << orders.error().message;
        return *orders;
    };
    auto const multipliers = *compute_multipliers(*instances.front())->values();
    auto const proxy = orders_by("proxy");
    auto const lp = orders_by("lp");
    auto const capacity = orders_by("family:capacity");
    for (std::size_t c = 0; c < decisions.size(); ++c) {
        auto const& nodes = attributions[c].nodes;
        auto const falls = [&](std::vector<std::size_t> const& order, std::vector<double> const& weights) {
            auto const score = [&](std::size_t node) {
                double sum = 0;
                for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * nodes[k][node];
                return sum;
            };
            return order.size() == 8 && std::ranges::is_sorted(order, std::greater{}, score);
        };
        EXPECT_TRUE(falls(proxy[c], {1, 1, 1}));
        EXPECT_TRUE(falls(lp[c], multipliers));
        EXPECT_TRUE(falls(capacity[c], {1, 0, 0}));
    }
}

Subset made(bool accepted, std::size_t size, double margin, bool forced = false) {
    Subset subset;
    subset.accepted = accepted;
    subset.forced = forced;
    subset.nodes.resize(size);
    subset.margin = margin;
    subset.forward_passes = 10;
    subset.fixed_passes = 70;
    return subset;
}

TEST(SubsetScore, AddsUpWhatTheWalksFound) {
    std::vector<Subset> subsets{made(true, 1, std::numeric_limits<double>::infinity(), true), made(true, 2, 1.0),
                                made(true, 9, 3.0), made(false, 0, 0.25)};
    ExactSubset smaller;
    smaller.found = smaller.proven = true;
    smaller.nodes = {4};
    smaller.fresh.lower_bound = 0.9;
    subsets[1].exact = smaller;
    ExactSubset missed = smaller;
    missed.nodes = {4, 7};
    missed.size_at_least = 2;
    missed.fresh.lower_bound = 0.7;
    subsets[3].exact = missed;
    SubsetOptions options;
    SubsetScore const score = score_subsets(subsets, options);
    EXPECT_EQ(score.decisions, 4U);
    EXPECT_EQ(score.forced, 1U);
    EXPECT_EQ(score.accepted, 3U);
    EXPECT_EQ(score.mean_size, 4);
    EXPECT_EQ(score.median_size, 2);
    EXPECT_EQ(score.max_size, 9U);
    EXPECT_EQ(score.mean_size_of_all, (1 + 2 + 9 + 26) / 4.0);
    EXPECT_EQ(score.margin_accepted, 2);
    EXPECT_EQ(score.margin_rejected, 0.25);
    EXPECT_EQ(score.forward_passes, 40U);
    EXPECT_FALSE(score.area_under_curve);
    ASSERT_TRUE(score.exact);
    EXPECT_EQ(score.exact->searched, 2U);
    EXPECT_EQ(score.exact->proven, 2U);
    EXPECT_EQ(score.exact->both, 1U);
    EXPECT_EQ(score.exact->optimal, 0U);
    EXPECT_EQ(score.exact->mean_size, 1);
    EXPECT_EQ(score.exact->mean_scan_size, 2);
    EXPECT_EQ(score.exact->scan_missed, 1U);
    EXPECT_EQ(score.exact->confirmed, 1U);
}

TEST(SubsetScore, OfNothingIsNothing) {
    SubsetScore const score = score_subsets({}, {});
    EXPECT_EQ(score.mean_size, 0);
    EXPECT_FALSE(score.margin_accepted || score.exact || score.area_under_curve);
}

} // namespace
} // namespace cax
