// Certificates of every problem of the registry against trying every episode: what is asked is derived from the
// problem, nothing is written for one.
#include "cax/explain/certify.hpp"

#include "cax/problems/registry.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

namespace cax {
namespace {

class CertificatesOfEveryProblem : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] InstancePtr small(std::uint64_t seed) const {
        Rng rng(seed, 8);
        auto const instance = GetParam()->generate("6", {}, rng);
        EXPECT_TRUE(instance) << instance.error().message;
        return *instance;
    }
};

/// What an episode spends of what the bound is on: its cost, or its routes.
double spent(Problem const& problem, Solution const& solution, CheckReport const& report) {
    if (problem.info().bound_is_cost) return report.cost;
    auto const& routes = std::get<Routes>(solution).routes;
    return static_cast<double>(std::ranges::count_if(routes, [](auto const& route) { return !route.empty(); }));
}

/// The least that a solution beginning like this spends (the most, where prizes are collected); nothing if there is
/// none.
std::optional<double> best_by_trying(Instance const& instance, std::vector<std::size_t> const& prefix,
                                     bool by_cost = false) {
    Problem const& problem = instance.problem();
    std::optional<double> best;
    std::vector<std::size_t> actions = prefix;
    std::function<void(State const&)> const try_all = [&](State const& state) {
        if (state.done()) {
            auto const solution = instance.solution_of(actions);
            auto const report = instance.check(*solution);
            if (!report.valid()) return;
            double const own = by_cost ? report.cost : spent(problem, *solution, report);
            bool const better = problem.info().objective == Objective::minimise ? own < best.value_or(1e300)
                                                                                : own > best.value_or(-1e300);
            if (better) best = own;
            return;
        }
        for (std::size_t a = 0; a < state.action_mask().size(); ++a) {
            if (state.action_mask()[a] == 0) continue;
            auto const next = state.clone();
            next->step(a);
            actions.push_back(a);
            try_all(*next);
            actions.pop_back();
        }
    };
    auto const start = instance.reset({.allow_waiting = true});
    for (std::size_t const action : prefix) start->step(action);
    try_all(*start);
    return best;
}

TEST_P(CertificatesOfEveryProblem, AgreeWithTryingEveryEpisode) {
    ProblemInfo const& info = GetParam()->info();
    if (info.size_hint != "N") GTEST_SKIP() << info.name << " has too many episodes to try";
    // Whole numbers are missed by one, others by a little.
    double const sign = info.objective == Objective::minimise ? 1 : -1;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        auto const instance = small(seed);
        std::vector<std::size_t> prefix;
        auto const state = instance->reset();
        Rng rng(9, static_cast<std::uint32_t>(seed));
        for (std::size_t step = 0; step < 3 && !state->done(); ++step) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", after " + std::to_string(step) + " steps");
            auto const expect = [&](std::optional<double> bound, Verdict verdict) {
                auto const certificate = certify(*instance, {.prefix = prefix, .bound = bound}, {});
                ASSERT_TRUE(certificate) << certificate.error().message;
                EXPECT_EQ(certificate->verdict, verdict) << bound.value_or(-1) << ": " << certificate->reason;
            };
            auto const best = best_by_trying(*instance, prefix);
            expect({}, best ? Verdict::certified : Verdict::refuted);
            if (best) {
                double const miss = info.bound_is_cost ? 1e-3 * *best : 1;
                expect(*best + sign * (info.bound_is_cost ? miss : 0), Verdict::certified);
                if (miss > 0 && *best - sign * miss >= 0) expect(*best - sign * miss, Verdict::refuted);
            }
            if (best && !info.cost_option.empty()) { // the cost is bounded beside the resource
                double const cost = *best_by_trying(*instance, prefix, /*by_cost=*/true);
                auto const costs = [&](std::optional<double> bound, double most, Verdict verdict) {
                    auto const certificate =
                        certify(*instance, {.prefix = prefix, .bound = bound, .cost_bound = most}, {});
                    ASSERT_TRUE(certificate) << certificate.error().message;
                    EXPECT_EQ(certificate->verdict, verdict) << most << ": " << certificate->reason;
                };
                costs({}, cost * 1.001, Verdict::certified);
                costs({}, cost * 0.999, Verdict::refuted);
                costs(1, cost * 0.999, Verdict::refuted);
            }
            auto const mask = state->action_mask();
            std::size_t action = rng.below(mask.size());
            while (mask[action] == 0) action = (action + 1) % mask.size();
            state->step(action);
            prefix.push_back(action);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, CertificatesOfEveryProblem,
                         testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& each) { return std::string(each.param->info().name); });

} // namespace
} // namespace cax
