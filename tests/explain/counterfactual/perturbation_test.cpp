#include "cax/explain/perturbation.hpp"
#include "cax/problems/changes.hpp"

#include "counterfactual_cells.hpp"

#include <algorithm>
#include <cmath>

namespace cax {
namespace {

class Perturbations : public test::CellsOfAProblem {
protected:
    [[nodiscard]] Instance const& instance() const { return *walks_.front().instance; }
    [[nodiscard]] Perturbation with(PerturbationOptions const& options) const {
        return {instance(), instance().reset()->features(), adjustable(instance()), options};
    }
    [[nodiscard]] Perturbation everywhere(PerturbationOptions const& options) const {
        return {instance(), instance().reset()->features(), {}, options};
    }
};
INSTANTIATE_TEST_SUITE_P(AllProblems, Perturbations, testing::ValuesIn(all_problems()), test::problem_name);

TEST_P(Perturbations, TakeTurnsAmongTheTensors) {
    Perturbation const noise = with({});
    std::size_t const tensors = info().tensors.size();
    for (std::size_t s = 0; s < 4 * tensors; ++s) {
        Features const change = noise.shot(3, 2, s);
        for (std::size_t k = 0; k < tensors; ++k) {
            bool const moved = norm_of_change({change[k]}, Norm::linf) > 0;
            EXPECT_EQ(moved, k == s % tensors && info().tensors[k].budget > 0);
        }
    }
}

TEST_P(Perturbations, LeaveOutTensorsThatAreHeldFixed) {
    PerturbationOptions options;
    options.fixed.assign(info().tensors.size(), 0);
    options.fixed[0] = 1;
    Perturbation const noise = with(options);
    for (std::size_t s = 0; s < 8; ++s) EXPECT_EQ(norm_of_change({noise.shot(0, 0, s)[0]}, Norm::linf), 0);
    if (info().tensors.size() < 2) return;
    Features const second = noise.shot(0, 0, 0);
    EXPECT_EQ(norm_of_change({second[1]}, Norm::linf) > 0, info().tensors[1].budget > 0);
}

TEST_P(Perturbations, AreGaussianWithAThirdOfTheBudgetAndClippedToIt) {
    Perturbation const noise = everywhere({});
    double const budget = info().tensors[0].budget;
    std::size_t count = 0;
    double sum = 0;
    double squares = 0;
    std::size_t within_one_deviation = 0;
    for (std::size_t s = 0; s < 600 * info().tensors.size(); s += info().tensors.size()) {
        Features const change = noise.shot(0, 0, s);
        for (double const value : change[0].values) {
            EXPECT_LE(std::fabs(value), budget * (1 + 1e-7));
            ++count;
            sum += value / budget;
            squares += value * value / budget / budget;
            within_one_deviation += std::fabs(value) <= budget / 3 ? 1 : 0;
        }
    }
    double const n = static_cast<double>(count);
    // Five standard errors. Clipping at three deviations takes 0.5 % off the variance.
    EXPECT_NEAR(sum / n, 0, 5.0 / 3 / std::sqrt(n));
    EXPECT_NEAR(squares / n * 9, 0.995, 0.005 + 5 * std::sqrt(2 / n));
    EXPECT_NEAR(static_cast<double>(within_one_deviation) / n, 0.6827, 5 * 0.466 / std::sqrt(n));
}

TEST_P(Perturbations, MoveOnlyWhatCanMove) {
    PerturbationOptions options;
    options.joint = true;
    Perturbation const noise = with(options);
    Perturbation const free = everywhere(options);
    auto const adjustable = cax::adjustable(instance());
    Features const change = noise.shot(1, 2, 3);
    Features const unbound = free.shot(1, 2, 3);
    for (std::size_t k = 0; k < change.size(); ++k) {
        for (std::size_t i = 0; i < change[k].values.size(); ++i) {
            EXPECT_EQ(change[k].values[i], adjustable[k][i] != 0 ? unbound[k].values[i] : 0);
        }
    }
}

TEST_P(Perturbations, AreNamedByInstanceStepAndShot) {
    Perturbation const noise = with({});
    std::vector<double> const here = noise.shot(1, 2, 0)[0].values;
    EXPECT_EQ(here, noise.shot(1, 2, 0)[0].values);
    EXPECT_NE(here, noise.shot(2, 2, 0)[0].values);
    EXPECT_NE(here, noise.shot(1, 3, 0)[0].values);
    EXPECT_NE(here, noise.shot(1, 2, info().tensors.size())[0].values);
    PerturbationOptions other;
    other.seed = 9;
    EXPECT_NE(here, with(other).shot(1, 2, 0)[0].values);
}

TEST_P(Perturbations, KeepToTheirBoxAndLetOutsidersComeBackOnly) {
    PerturbationOptions options;
    options.boxes.resize(info().tensors.size());
    Features const from = instance().reset()->features();
    double const middle = from[0].values[from[0].values.size() / 2];
    options.boxes[0] = Box{middle - 0.1 * info().tensors[0].budget, middle};
    Perturbation const noise = everywhere(options);
    for (std::size_t s = 0; s < 20 * info().tensors.size(); s += info().tensors.size()) {
        Features const change = noise.shot(0, 0, s);
        for (std::size_t i = 0; i < from[0].values.size(); ++i) {
            double const before = from[0].values[i];
            double const after = before + change[0].values[i];
            EXPECT_GE(after, std::min(before, options.boxes[0]->low) - 1e-4);
            EXPECT_LE(after, std::max(before, options.boxes[0]->high) + 1e-4);
        }
    }
}

TEST_P(Perturbations, AreWholeGrainsIfAskedTo) {
    PerturbationOptions options;
    options.integer = true;
    options.joint = true;
    Perturbation const noise = everywhere(options);
    for (std::size_t s = 0; s < 10; ++s) {
        Features const change = noise.shot(0, 0, s);
        for (std::size_t k = 0; k < change.size(); ++k) {
            double const grain = units_of(instance(), k).grain;
            for (double const value : change[k].values) {
                EXPECT_NEAR(value / grain, std::round(value / grain), 1e-4);
                EXPECT_LE(std::fabs(value), info().tensors[k].budget * (1 + 1e-6));
            }
        }
    }
}

TEST_P(Perturbations, MoveFewEntriesIfSparse) {
    PerturbationOptions options;
    options.sparse = 2;
    Perturbation const noise = with(options);
    std::size_t most = 0;
    for (std::size_t s = 0; s < 60; ++s) most = std::max(most, changed_entries(noise.shot(0, 0, s)));
    EXPECT_EQ(most, 2);
}

TEST(ChangeSize, AddsUpByNormAndFamily) {
    ProblemInfo info;
    info.families = {"a", "b"};
    info.tensors.resize(3);
    info.tensors[0].family = 1;
    info.tensors[2].family = 1;
    Features const change{{{2}, {3, -4}}, {{1}, {5}}, {{2}, {0, 12}}};
    EXPECT_EQ(norm_of_change(change, Norm::l1), 24);
    EXPECT_EQ(norm_of_change(change, Norm::l2), std::sqrt(9.0 + 16 + 25 + 144));
    EXPECT_EQ(norm_of_change(change, Norm::linf), 12);
    EXPECT_EQ(changed_entries(change), 4);
    EXPECT_EQ(family_masses(info, change), (std::vector<double>{5, 19}));
    EXPECT_EQ(family_masses(info, change, Norm::l1, true), (std::vector<double>{5, 19.0 / 4}));
    EXPECT_EQ(family_masses(info, change, Norm::l2), (std::vector<double>{5, 13}));
    EXPECT_EQ(family_masses(info, change, Norm::linf, true), (std::vector<double>{5, 3}));
    EXPECT_EQ(heaviest_family({5, 19}), 1);
    EXPECT_EQ(heaviest_family({5, 5}), 0);
    EXPECT_EQ(heaviest_family({0, 0}), std::nullopt);
    EXPECT_EQ(relative_size(change, {1, 5, 6}), 10);
}

TEST(ChangeSize, KnowsItsNormsByName) {
    for (Norm const norm : {Norm::l1, Norm::l2, Norm::linf}) EXPECT_EQ(*parse_name<Norm>("norm", name_of(norm)), norm);
    EXPECT_EQ(parse_name<Norm>("norm", "l3").error().message, "norm 'l3' is not one of l1, l2, linf");
}

TEST_P(Perturbations, HaveScalesThatArePositive) {
    for (double const scale : tensor_scales(instance())) EXPECT_GT(scale, 0);
}

} // namespace
} // namespace cax
