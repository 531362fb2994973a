// Programs over arcs, of every problem whose relaxation is one, held against the same programs written out.
#include "cax/explain/multipliers.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/arc_pricing.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

std::vector<Problem const*> problems_over_arcs() {
    std::vector<Problem const*> found;
    for (Problem const* problem : all_problems()) {
        Rng rng(0);
        auto const instance = problem->generate(problem->info().name == "fjsp" ? "4x3" : "7", {}, rng);
        if (instance && arc_relaxation_of(**instance)) found.push_back(problem);
    }
    return found;
}

Multipliers multipliers_in(ProgramForm form, Instance const& instance, bool range = false) {
    MultiplierOptions options;
    options.form = form;
    options.dual_range = range;
    auto found = compute_multipliers(instance, options);
    EXPECT_TRUE(found) << found.error().message;
    return *std::move(found);
}

/// Arcs and prices in their places in the program that is written out.
LpSolution spread_out(ArcProgram const& program, ArcSolution const& solution) {
    LpSolution whole;
    whole.status = solution.status;
    for_each_arc(program.nodes, [&](std::size_t i, std::size_t j) {
        double x = 0;
        for (ArcValue const& arc : solution.arcs) {
            if (arc.from == i && arc.to == j) x = arc.value;
        }
        whole.primal.push_back(x);
    });
    whole.primal.insert(whole.primal.end(), solution.core_primal.begin(), solution.core_primal.end());
    std::size_t row = 0;
    for (std::size_t g = 0; g < program.links.size(); ++g) {
        for (; row < program.links[g].after; ++row) whole.dual.push_back(solution.core_dual[row]);
        for_each_arc(program.nodes, [&](std::size_t i, std::size_t j) {
            if (!program.links[g].link(i, j)) return;
            double y = 0;
            for (LinkPrice const& link : solution.links) {
                if (link.group == g && link.from == i && link.to == j) y = link.price;
            }
            whole.dual.push_back(y);
        });
    }
    for (; row < program.core.rows(); ++row) whole.dual.push_back(solution.core_dual[row]);
    return whole;
}

class ArcMultipliers : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] static InstancePtr generated(std::string const& size, std::uint64_t seed) {
        Rng rng(71, static_cast<std::uint32_t>(seed));
        auto instance = GetParam()->generate(size, {}, rng);
        EXPECT_TRUE(instance);
        return *instance;
    }
};

TEST_P(ArcMultipliers, HaveTheObjectiveOfTheWholeProgramAndADualThatProvesIt) {
    for (auto const* size : {"5", "11", "24", "60"}) {
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            InstancePtr const instance = generated(size, seed);
            Multipliers const whole = multipliers_in(ProgramForm::written_out, *instance);
            Multipliers const arcs = multipliers_in(ProgramForm::over_arcs, *instance);
            ASSERT_EQ(arcs.lp->status, whole.lp->status) << size << " " << seed;
            if (whole.lp->status != LpStatus::optimal) continue;
            EXPECT_NEAR(arcs.lp->objective, whole.lp->objective, 1e-7 * (1 + std::abs(whole.lp->objective)));
            EXPECT_TRUE(arcs.lp->audit.within(1e-7))
                << size << " " << seed << ": " << arcs.lp->audit.primal_residual << " " << arcs.lp->audit.dual_residual
                << " " << arcs.lp->audit.gap;
            EXPECT_GT(arcs.lp->rounds, 0u);
            EXPECT_EQ(whole.lp->rounds, 0u);
        }
    }
}

TEST_P(ArcMultipliers, AreThoseOfTheWholeProgramWhereAllOptimalDualsAgreeAndAmongThemElsewhere) {
    std::size_t determined = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        InstancePtr const instance = generated("14", seed);
        Multipliers const whole = multipliers_in(ProgramForm::written_out, *instance, /*range=*/true);
        Multipliers const arcs = multipliers_in(ProgramForm::over_arcs, *instance);
        if (whole.lp->status != LpStatus::optimal) continue;
        auto const& ranges = whole.range->with_redundant_rows.families;
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            double const value = *arcs.families[k].value;
            double const slack = 1e-6 * (1 + std::abs(ranges[k].low));
            EXPECT_GE(value, ranges[k].low - slack) << seed << " family " << k;
            EXPECT_LE(value, ranges[k].high_bound + slack) << seed << " family " << k;
            if (ranges[k].high_bound - ranges[k].low > slack) continue;
            EXPECT_NEAR(value, *whole.families[k].value, slack);
            ++determined;
        }
    }
    if (GetParam()->info().families.size() > 1) {
        EXPECT_GT(determined, 0u);
    }
}

TEST_P(ArcMultipliers, AreAuditedAsIfTheProgramWereWrittenOut) {
    InstancePtr const instance = generated("13", 3);
    auto const program = arc_relaxation_of(*instance);
    auto solution = solve(clp_solver(), *program);
    ASSERT_TRUE(solution);
    if (solution->status != LpStatus::optimal) GTEST_SKIP() << "the relaxation of this instance has no optimum";
    LinearProgram const whole = written_out(*program);
    auto const compare = [&] {
        LpAudit const own = audit(*program, *solution);
        LpAudit const naive = audit(whole, spread_out(*program, *solution));
        EXPECT_NEAR(own.primal_residual, naive.primal_residual, 1e-12);
        EXPECT_NEAR(own.dual_residual, naive.dual_residual, 1e-12);
        EXPECT_NEAR(own.gap, naive.gap, 1e-11);
        return own;
    };
    EXPECT_TRUE(compare().within(1e-7));
    solution->core_dual[0] += 5; // now nothing is proved
    EXPECT_GT(compare().gap + compare().dual_residual, 1e-3);
    solution->core_dual[0] -= 5;
    solution->arcs.front().value += 0.5;
    EXPECT_GT(compare().primal_residual, 1e-3);
}

TEST_P(ArcMultipliers, AddUpAsInTheProgramWrittenOut) {
    InstancePtr const instance = generated("13", 4);
    auto const program = arc_relaxation_of(*instance);
    auto const solution = solve(clp_solver(), *program);
    ASSERT_TRUE(solution);
    if (solution->status != LpStatus::optimal) GTEST_SKIP() << "the relaxation of this instance has no optimum";
    auto const own = family_duals(*program, *solution);
    auto const naive = family_duals(written_out(*program), spread_out(*program, *solution).dual);
    ASSERT_EQ(own.size(), naive.size());
    for (std::size_t k = 0; k < own.size(); ++k) {
        EXPECT_EQ(own[k].rows, naive[k].rows);
        EXPECT_NEAR(own[k].sum, naive[k].sum, 1e-9 * (1 + naive[k].sum));
        EXPECT_EQ(own[k].largest, naive[k].largest);
        EXPECT_NEAR(own[k].worth, naive[k].worth, 1e-9 * (1 + std::abs(naive[k].worth)));
    }
}

TEST_P(ArcMultipliers, AreTheSameBytesEveryTime) {
    InstancePtr const instance = generated("40", 1);
    Multipliers const once = multipliers_in(ProgramForm::over_arcs, *instance);
    Multipliers const again = multipliers_in(ProgramForm::over_arcs, *instance);
    EXPECT_EQ(once.values(), again.values());
    EXPECT_EQ(once.lp->iterations, again.lp->iterations);
}

TEST_P(ArcMultipliers, SayTooLargeWhereTheFaceOfAllDualsIsAskedFor) {
    InstancePtr const instance = generated("12", 1);
    MultiplierOptions options;
    options.form = ProgramForm::over_arcs;
    options.dual_range = true;
    auto const ranged = compute_multipliers(*instance, options);
    ASSERT_TRUE(ranged);
    EXPECT_TRUE(ranged->range_too_large);
    EXPECT_FALSE(ranged->range);
    options.dual_range = false;
    options.vertex = DualVertex::least;
    auto const least = compute_multipliers(*instance, options);
    ASSERT_TRUE(least);
    for (FamilyMultiplier const& family : least->families) {
        EXPECT_EQ(family.status, FamilyStatus::too_large);
        EXPECT_FALSE(family.value);
    }
}

INSTANTIATE_TEST_SUITE_P(Every, ArcMultipliers, testing::ValuesIn(problems_over_arcs()),
                         [](auto const& each) { return std::string(each.param->info().name); });

TEST(ArcMultipliersBySize, WriteSmallProgramsOutAndPriceLargeOnes) {
    Rng rng(5);
    auto const small = find_problem("cvrp")->generate("20", {}, rng);
    auto const large = find_problem("cvrp")->generate("320", {}, rng);
    EXPECT_EQ(multipliers_in(ProgramForm::by_size, **small).lp->rounds, 0u);
    Multipliers const priced = multipliers_in(ProgramForm::by_size, **large);
    EXPECT_GT(priced.lp->rounds, 0u);
    EXPECT_TRUE(priced.lp->audit.within(1e-7));
    EXPECT_LT(priced.lp->columns, 320u * 320u / 4);
}

} // namespace
} // namespace cax
