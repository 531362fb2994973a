// What every constraint solver must do: agree with trying all assignments, say which limit stopped it, repeat itself.
#include "cax/core/rng.hpp"
#include "cax/solvers/csp.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

class CspContract : public testing::TestWithParam<CspSolver const*> {};

/// Some assignment that satisfies the model, by trying all.
bool some_assignment_works(ConstraintModel const& model) {
    std::vector<std::int64_t> x;
    for (IntVariable const& variable : model.variables) x.push_back(variable.low);
    while (true) {
        if (violated(model, x).empty()) return true;
        std::size_t v = 0;
        while (v < x.size() && x[v] == model.variables[v].high) x[v] = model.variables[v].low, ++v;
        if (v == x.size()) return false;
        ++x[v];
    }
}

std::size_t any(Rng& rng, std::size_t first, std::size_t count) { return first + rng.below(count); }

/// Five numbers 0..3 and two flags under up to five rules of all kinds.
ConstraintModel random_model(Rng& rng) {
    ConstraintModel model;
    for (int v = 0; v < 5; ++v) model.add_variable(0, 2 + static_cast<std::int64_t>(rng.below(2)), "x");
    for (int v = 0; v < 2; ++v) model.add_flag("flag");
    auto const flag = [&] { return any(rng, 5, 2); };
    auto const number = [&] { return any(rng, 0, 5); };
    auto const anything = [&] { return any(rng, 0, 7); };
    auto const value = [&] { return static_cast<std::int64_t>(rng.below(4)); };
    std::size_t const rules = 1 + rng.below(5);
    for (std::size_t r = 0; r < rules; ++r) {
        switch (rng.below(8)) {
        case 0: {
            LinearRule rule{{}, value() - 1, value() + 2};
            for (int t = 0; t < 3; ++t) rule.terms.push_back({anything(), value() - 1});
            if (rng.below(2) == 0) rule.condition = flag();
            model.add(rule, 0, "linear");
            break;
        }
        case 1: model.add(AllowedValues{anything(), {value(), value()}}, 0, "values"); break;
        case 2: model.add(Indicator{flag(), number(), value()}, 0, "indicator"); break;
        case 3: model.add(TableElement{number(), {value(), value(), value()}, anything()}, 0, "table"); break;
        case 4: model.add(VariableElement{number(), {anything(), number(), number()}, anything()}, 0, "element"); break;
        case 5: model.add(Circuit{{0, 1, 2}, {2, 3, 4}}, 0, "circuit"); break;
        case 6: model.add(BinPacking{{number(), flag()}, {value(), value()}, {number(), anything()}}, 0, "bins"); break;
        default: {
            NoOverlap rule;
            for (std::size_t t = 0; t < 4; ++t) rule.tasks.push_back({t, value()});
            rule.tasks[1].presence = 5;
            rule.tasks[2].presence = 6;
            model.add(rule, 0, "machine");
            if (rng.below(2) == 0) model.branchings.push_back({{}, Branching::Pick::order_of_tasks});
        }
        }
    }
    if (rng.below(2) == 0) model.branchings.push_back({{0, 1, 5}, Branching::Pick::fewest_per_failure});
    if (rng.below(2) == 0) model.branchings.push_back({{2, 3}, Branching::Pick::smallest_value});
    return model;
}

/// More pigeons than holes, which takes a long time to see.
ConstraintModel pigeons(std::int64_t count) {
    ConstraintModel model;
    for (std::int64_t p = 0; p < count; ++p) model.add_variable(0, count - 2, "hole");
    for (std::size_t p = 0; p < static_cast<std::size_t>(count); ++p) {
        for (std::size_t q = 0; q < p; ++q) {
            std::size_t const same = model.add_variable(0, 0, "same hole");
            std::size_t const difference = model.add_variable(-count, count, "difference");
            model.add(LinearRule{{{p, 1}, {q, -1}, {difference, -1}}, 0, 0}, 0, "difference");
            model.add(Indicator{same, difference, 0}, 0, "not the same hole");
        }
    }
    return model;
}

TEST_P(CspContract, AgreesWithTryingAllAssignmentsOfRandomModels) {
    int satisfiable = 0;
    constexpr std::uint32_t models = 2000;
    for (std::uint32_t k = 0; k < models; ++k) {
        Rng rng(5, k);
        ConstraintModel const model = random_model(rng);
        auto const answer = GetParam()->solve(model, {.seed = k});
        ASSERT_TRUE(answer) << answer.error().message;
        bool const possible = some_assignment_works(model);
        ASSERT_EQ(answer->status, possible ? CspStatus::satisfiable : CspStatus::unsatisfiable) << "model " << k;
        satisfiable += possible ? 1 : 0;
        if (!possible) continue;
        EXPECT_TRUE(within_bounds(model, answer->assignment)) << "model " << k;
        EXPECT_TRUE(violated(model, answer->assignment).empty()) << "model " << k;
    }
    EXPECT_GT(satisfiable, models / 4);
    EXPECT_LT(satisfiable, 3 * models / 4 + models / 8);
}

TEST_P(CspContract, AModelWithoutVariablesIsDecidedByItsConstantRules) {
    ConstraintModel model;
    auto answer = GetParam()->solve(model);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, CspStatus::satisfiable);
    EXPECT_TRUE(answer->assignment.empty());
    model.add(LinearRule{{}, 1}, 0, "false");
    answer = GetParam()->solve(model);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, CspStatus::unsatisfiable);
}

TEST_P(CspContract, SaysThatItsBudgetIsSpent) {
    auto const answer = GetParam()->solve(pigeons(12), {.work = 1000});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, CspStatus::budget_spent);
    EXPECT_GE(answer->work, 1000U);
    EXPECT_LT(answer->work, 1100U);
}

TEST_P(CspContract, SaysThatItsTimeIsUp) {
    auto const answer = GetParam()->solve(pigeons(14), {.seconds = 0.01});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, CspStatus::time_limit);
}

TEST_P(CspContract, ProvesWhatNeedsRestarts) {
    auto const answer = GetParam()->solve(pigeons(7));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, CspStatus::unsatisfiable);
    EXPECT_GT(answer->work, 250U);
}

TEST_P(CspContract, RepeatsItselfUnderABudget) {
    for (std::uint32_t k = 0; k < 20; ++k) {
        Rng rng(6, k);
        ConstraintModel const model = random_model(rng);
        auto const first = GetParam()->solve(model, {.work = 50, .seed = 3});
        auto const second = GetParam()->solve(model, {.work = 50, .seed = 3});
        ASSERT_TRUE(first && second);
        EXPECT_EQ(first->status, second->status);
        EXPECT_EQ(first->assignment, second->assignment);
        EXPECT_EQ(first->work, second->work);
    }
}

TEST_P(CspContract, RefusesInvalidModelsAndLimits) {
    ConstraintModel model;
    model.add(LinearRule{{{7, 1}}}, 0, "nonsense");
    auto const answer = GetParam()->solve(model);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().message, "constraint 0 (nonsense): there is no variable 7 (there are 0)");
    auto const limits = GetParam()->solve(ConstraintModel{}, {.seconds = -1});
    ASSERT_FALSE(limits);
    EXPECT_EQ(limits.error().message, "seconds is -1: expected at least 0");
}

INSTANTIATE_TEST_SUITE_P(Solvers, CspContract, testing::Values(&gecode_solver()),
                         [](auto const& solver) { return std::string(solver.param->name()); });

} // namespace
} // namespace cax
