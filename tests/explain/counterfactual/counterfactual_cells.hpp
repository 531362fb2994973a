#pragma once
// Cells of tiny random policies on small generated instances, for the tests of counterfactuals.
#include "cax/explain/counterfactual.hpp"

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
    [[nodiscard]] static CounterfactualOptions uncertified(std::size_t shots = 32) {
        CounterfactualOptions options;
        options.shots = shots;
        options.certify = Certification::none;
        return options;
    }
    [[nodiscard]] std::vector<Counterfactual> all(CounterfactualOptions const& options) const {
        auto found = find_counterfactuals(*policy_, walks_, options);
        EXPECT_TRUE(found) << found.error().message;
        return found ? *std::move(found) : std::vector<Counterfactual>{};
    }
    [[nodiscard]] std::string refusal(CounterfactualOptions const& options, std::size_t step = 0) const {
        auto const found = find_counterfactual(*policy_, walks_.front(), step, options);
        return found ? "it was accepted" : found.error().message;
    }

    std::unique_ptr<Policy> policy_;
    std::vector<Walk> walks_;
};

inline std::string problem_name(testing::TestParamInfo<Problem const*> const& problem) {
    return std::string(problem.param->info().name);
}

} // namespace cax::test
