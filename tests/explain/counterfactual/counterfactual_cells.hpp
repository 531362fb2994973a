#pragma once
// Cells of tiny random policies on small generated instances, for the tests of counterfactuals.
#include "cax/explain/answer.hpp"

#include "cax/core/parallel.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <gtest/gtest.h>

namespace cax::test {

class CellsOfAProblem : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override { walk_instances(4, 0); }

    /// Replaces the episodes by those of `count` other instances and another policy.
    void walk_instances(std::size_t count, std::uint64_t seed) {
        auto made = make_policy(random_policy(info().name, 16, 1, 7 + seed));
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        std::vector<InstancePtr> instances;
        for (std::size_t i = 0; i < count; ++i) {
            Rng rng(seed, static_cast<std::uint32_t>(i));
            auto instance = GetParam()->generate(info().size_hint == "N" ? "8" : "4x3", {}, rng);
            ASSERT_TRUE(instance) << instance.error().message;
            instances.push_back(*instance);
        }
        auto episode = rollout(*policy_, instances);
        ASSERT_TRUE(episode) << episode.error().message;
        walks_ = *std::move(episode);
    }

    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] static CounterfactualOptions with_shots(std::size_t shots) {
        CounterfactualOptions options;
        options.shots = shots;
        return options;
    }
    /// Refined, and certified by nobody.
    [[nodiscard]] static AnswerOptions refined(CounterfactualOptions const& search) {
        AnswerOptions request;
        request.search = search;
        request.refine = true;
        request.certification.mode = Certification::none;
        return request;
    }
    [[nodiscard]] std::vector<Counterfactual> all(CounterfactualOptions const& options) const {
        return for_all_cells<Counterfactual>(
            [&](Episode const& episode, std::size_t step) { return find_counterfactual(*policy_, episode, step, options); });
    }
    [[nodiscard]] std::vector<CounterfactualAnswer> all(AnswerOptions const& request) const {
        return for_all_cells<CounterfactualAnswer>(
            [&](Episode const& episode, std::size_t step) { return answer_counterfactual(*policy_, episode, step, request); });
    }
    [[nodiscard]] std::string refusal(CounterfactualOptions const& options, std::size_t step = 0) const {
        auto const found = find_counterfactual(*policy_, walks_.front(), step, options);
        return found ? "it was accepted" : found.error().message;
    }

    std::unique_ptr<Policy> policy_;
    std::vector<Episode> walks_;

private:
    /// What `ask` says of every decision, in order.
    template <class Found, class Ask> [[nodiscard]] std::vector<Found> for_all_cells(Ask const& ask) const {
        std::vector<std::pair<Episode const*, std::size_t>> decisions;
        for (Episode const& episode : walks_) {
            for (std::size_t step = 0; step < episode.decisions.size(); ++step) decisions.emplace_back(&episode, step);
        }
        std::vector<Found> found(decisions.size());
        parallel_for(decisions.size(), 0, [&](std::size_t c, std::size_t) {
            auto result = ask(*decisions[c].first, decisions[c].second);
            EXPECT_TRUE(result) << result.error().message;
            if (result) found[c] = *std::move(result);
        });
        return found;
    }
};

inline std::string problem_name(testing::TestParamInfo<Problem const*> const& problem) {
    return std::string(problem.param->info().name);
}

} // namespace cax::test
