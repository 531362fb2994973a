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

    /// Replaces the walks by those of `count` other instances and another policy.
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
        auto walked = walk(*policy_, instances);
        ASSERT_TRUE(walked) << walked.error().message;
        walks_ = *std::move(walked);
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
            [&](Walk const& walk, std::size_t step) { return find_counterfactual(*policy_, walk, step, options); });
    }
    [[nodiscard]] std::vector<CounterfactualAnswer> all(AnswerOptions const& request) const {
        return for_all_cells<CounterfactualAnswer>(
            [&](Walk const& walk, std::size_t step) { return answer_counterfactual(*policy_, walk, step, request); });
    }
    [[nodiscard]] std::string refusal(CounterfactualOptions const& options, std::size_t step = 0) const {
        auto const found = find_counterfactual(*policy_, walks_.front(), step, options);
        return found ? "it was accepted" : found.error().message;
    }

    std::unique_ptr<Policy> policy_;
    std::vector<Walk> walks_;

private:
    /// What `ask` says of every cell, in order.
    template <class Found, class Ask> [[nodiscard]] std::vector<Found> for_all_cells(Ask const& ask) const {
        std::vector<std::pair<Walk const*, std::size_t>> cells;
        for (Walk const& walk : walks_) {
            for (std::size_t step = 0; step < walk.cells.size(); ++step) cells.emplace_back(&walk, step);
        }
        std::vector<Found> found(cells.size());
        parallel_for(cells.size(), 0, [&](std::size_t c, std::size_t) {
            auto result = ask(*cells[c].first, cells[c].second);
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
