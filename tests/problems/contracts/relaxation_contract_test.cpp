// What every problem's relaxations must do. A new problem is in the registry and so in these tests.
#include "../best_episode.hpp"
#include "../relaxation_checks.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/dual_range.hpp"
#include "cax/solvers/lp_audit.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

class RelaxationContract : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        if (GetParam()->pricing() == nullptr) GTEST_SKIP() << GetParam()->info().name << " has no relaxation";
    }
    [[nodiscard]] InstancePtr generated(std::uint64_t seed) const {
        Rng rng(seed);
        auto instance = GetParam()->generate(GetParam()->info().size_hint == "JxM" ? "4x3" : "7", {}, rng);
        EXPECT_TRUE(instance);
        return *instance;
    }
    [[nodiscard]] static LinearProgram program_of(Instance const& instance) {
        auto program = relaxation_of(instance);
        EXPECT_TRUE(program);
        return *program;
    }
};

TEST_P(RelaxationContract, GivesValidProgramsWithRowsOfEveryFamily) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        LinearProgram const program = program_of(*generated(seed));
        EXPECT_TRUE(validate(program));
        ASSERT_EQ(program.families(), GetParam()->info().families.size());
        for (std::size_t k = 0; k < program.families(); ++k) EXPECT_GT(program.rows_of(k), 0u);
    }
}

TEST_P(RelaxationContract, OptimisesInTheProblemsDirection) {
    bool const minimises = GetParam()->info().objective == Objective::minimise;
    EXPECT_EQ(program_of(*generated(0)).sense(), minimises ? Sense::minimise : Sense::maximise);
}

TEST_P(RelaxationContract, BoundsTheCostOfEverySolution) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        InstancePtr const instance = generated(seed);
        double const bound = test::optimum_of(program_of(*instance));
        Rng rng(seed, 1);
        auto const solution = instance->solution_of(test::random_actions(*instance, rng));
        ASSERT_TRUE(solution);
        CheckReport const report = instance->check(*solution);
        if (!report.valid() && GetParam()->info().may_be_unsolvable) continue;
        double const cost = report.cost;
        if (GetParam()->info().objective == Objective::minimise) {
            EXPECT_LE(bound, cost * (1 + 1e-9));
        } else {
            EXPECT_GE(bound, cost * (1 - 1e-9));
        }
    }
}

TEST_P(RelaxationContract, BoundsTheBestOfAllEpisodes) {
    bool const routes = GetParam()->info().size_hint == "N";
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed, 5);
        auto const instance = *GetParam()->generate(routes ? "4" : "2x2", {}, rng);
        auto const best = test::best_episode(*instance->reset());
        if (!best) continue;
        double const bound = test::optimum_of(program_of(*instance));
        bool const minimise = GetParam()->info().objective == Objective::minimise;
        EXPECT_TRUE(minimise ? bound <= *best * (1 + 1e-9) : bound >= *best * (1 - 1e-9)) << bound << ", " << *best;
    }
}

TEST_P(RelaxationContract, IsSolvedWithSmallResiduals) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        LinearProgram const program = program_of(*generated(seed));
        auto const solution = clp_solver().solve(program);
        ASSERT_TRUE(solution);
        ASSERT_EQ(solution->status, LpStatus::optimal);
        EXPECT_TRUE(audit(program, *solution).within(1e-8));
    }
}

TEST_P(RelaxationContract, HasDualsThatAreSlopesOfItsOptimum) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        test::expect_duals_between_finite_differences(program_of(*generated(seed)), 1);
    }
}

TEST_P(RelaxationContract, KeepsItsOptimumWithoutWhatItCallsRedundant) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        LinearProgram const program = program_of(*generated(seed));
        EXPECT_NEAR(test::optimum_of(without_redundancy(program)), test::optimum_of(program), 1e-7);
    }
}

TEST_P(RelaxationContract, HasBoundedMultipliersOnceRedundancyIsDropped) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto const ranges = dual_ranges(clp_solver(), program_of(*generated(seed)));
        ASSERT_TRUE(ranges);
        for (FamilyRange const& family : ranges->families) {
            // Arcs that windows forbid can leave a program without room on one side of a row: the range says so.
            if (family.unbounded() && GetParam()->info().may_be_unsolvable) continue;
            EXPECT_FALSE(family.unbounded()) << family.unbounded_along;
            EXPECT_LE(family.min, family.max * (1 + 1e-9) + 1e-12);
            EXPECT_LE(family.max, family.max_upper_bound);
        }
    }
}

TEST_P(RelaxationContract, IsTheSameEveryTime) {
    LinearProgram const one = program_of(*generated(3));
    LinearProgram const two = program_of(*generated(3));
    ASSERT_EQ(one.rows(), two.rows());
    auto const first = clp_solver().solve(one);
    auto const second = clp_solver().solve(two);
    EXPECT_EQ(first->dual, second->dual);
}

TEST_P(RelaxationContract, PricesViolationsOfDualisedFamiliesAlone) {
    InstancePtr const instance = generated(1);
    auto const found = lagrangian_of(*instance);
    if (!found) {
        EXPECT_EQ(found.error().code, ErrorCode::unsupported) << found.error().message;
        GTEST_SKIP() << found.error().message;
    }
    auto const& relaxation = *found;
    std::size_t const families = GetParam()->info().families.size();
    ASSERT_EQ(relaxation->settings().dualised.size(), families);
    std::vector<double> lambda(families);
    RelaxedSolution const free = relaxation->solve(lambda);
    ASSERT_EQ(free.violation.size(), families);
    for (std::size_t k = 0; k < families; ++k) {
        if (relaxation->settings().dualised[k]) continue;
        EXPECT_EQ(free.violation[k], 0);
        lambda[k] = 1e6; // is not read
    }
    RelaxedSolution const priced = relaxation->solve(lambda);
    EXPECT_EQ(priced.cost, free.cost);
    EXPECT_EQ(priced.violation, free.violation);
}

INSTANTIATE_TEST_SUITE_P(Problems, RelaxationContract, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
