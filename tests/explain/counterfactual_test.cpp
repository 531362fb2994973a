#include "counterfactual_cells.hpp"

#include <algorithm>
#include <cmath>

namespace cax {
namespace {

class Counterfactuals : public test::CellsOfAProblem {};
INSTANTIATE_TEST_SUITE_P(AllProblems, Counterfactuals, testing::ValuesIn(all_problems()), test::problem_name);

struct Winner {
    std::size_t shot = 0;
    std::size_t action = 0;
    double l1 = 0;
};

/// Algorithm 1, written from the paper: one shot after the other, one forward pass each.
std::optional<Winner> by_definition(Policy const& policy, Walk const& walk, std::size_t step,
                                    CounterfactualOptions const& options) {
    Cell const& cell = walk.cells[step];
    auto const all_actions = walk.actions();
    bool const frozen = options.state == StateMode::frozen;
    Features const from = frozen ? cell.state->features() : walk.instance->reset()->features();
    auto const movable = frozen ? std::vector<std::vector<std::uint8_t>>{} : walk.instance->adjustable();
    Perturbation const noise(*walk.instance, from, movable, options.perturbation);
    std::optional<Winner> best;
    for (std::size_t s = 0; s < options.shots; ++s) {
        Features const change = noise.shot(cell.instance, step, s);
        std::optional<Observation> seen;
        if (frozen) {
            Features values = from;
            for (std::size_t k = 0; k < values.size(); ++k) {
                for (std::size_t i = 0; i < values[k].values.size(); ++i) {
                    values[k].values[i] = static_cast<float>(values[k].values[i] + change[k].values[i]);
                }
            }
            if (!cell.state->envelope_violation(values)) seen = cell.state->observe(values);
        } else if (auto const changed = walk.instance->changed(change)) {
            auto const state = replay(**changed, std::span(all_actions).first(step));
            bool const open = state && std::ranges::count((*state)->action_mask(), 1) > 0 && !(*state)->done();
            if (open && !(*state)->envelope_violation((*state)->features())) seen = (*state)->observe();
        }
        if (!seen) continue;
        std::size_t const action = most_probable(policy.log_probs({&*seen, 1}).front());
        double l1 = 0;
        for (Feature const& tensor : change) {
            for (double const value : tensor.values) l1 += std::fabs(value);
        }
        if (action != cell.action && (!best || l1 < best->l1)) best = {s, action, l1};
    }
    return best;
}

TEST_P(Counterfactuals, AreTheSmallestFlipsOfThePlainLoop) {
    for (StateMode const mode : {StateMode::replay, StateMode::frozen}) {
        CounterfactualOptions options = uncertified(24);
        options.state = mode;
        std::size_t flips = 0;
        for (Counterfactual const& found : all(options)) {
            auto const expected = by_definition(*policy_, walks_[found.instance], found.step, options);
            ASSERT_EQ(found.best() != nullptr, expected.has_value());
            if (!expected) continue;
            ++flips;
            EXPECT_EQ(*found.best()->shot, expected->shot);
            EXPECT_EQ(found.best()->new_action, expected->action);
            EXPECT_NEAR(found.best()->l1, expected->l1, 1e-9 * expected->l1);
        }
        EXPECT_GT(flips, 0) << name_of(mode);
    }
}

TEST_P(Counterfactuals, AreTheSameSortedAndInAPlainLoopOnAThousandCells) {
    std::size_t cells = 0;
    std::size_t flips = 0;
    std::size_t sorted_passes = 0;
    std::size_t plain_passes = 0;
    for (std::uint64_t seed = 1; cells < 1000; ++seed) {
        walk_instances(20, seed);
        CounterfactualOptions options = uncertified(32);
        options.perturbation.seed = seed;
        auto const sorted = all(options);
        options.plain_loop = true;
        auto const plain = all(options);
        ASSERT_EQ(sorted.size(), plain.size());
        for (std::size_t c = 0; c < sorted.size(); ++c) {
            ASSERT_EQ(sorted[c].sampled.size(), plain[c].sampled.size());
            EXPECT_EQ(sorted[c].best_margin, plain[c].best_margin);
            EXPECT_EQ(sorted[c].passing, plain[c].passing);
            EXPECT_LE(sorted[c].forward_passes, plain[c].forward_passes);
            sorted_passes += sorted[c].forward_passes;
            plain_passes += plain[c].forward_passes;
            if (sorted[c].sampled.empty()) continue;
            ++flips;
            EXPECT_EQ(sorted[c].best()->shot, plain[c].best()->shot);
            EXPECT_EQ(sorted[c].best()->new_action, plain[c].best()->new_action);
            EXPECT_EQ(sorted[c].best()->l1, plain[c].best()->l1);
        }
        cells += sorted.size();
    }
    EXPECT_GT(flips, cells / 20);
    EXPECT_LT(sorted_passes, plain_passes);
}

void expect_same(std::vector<Counterfactual> const& a, std::vector<Counterfactual> const& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t c = 0; c < a.size(); ++c) {
        EXPECT_EQ(a[c].status, b[c].status);
        EXPECT_EQ(a[c].best_margin, b[c].best_margin);
        ASSERT_EQ(a[c].sampled.size(), b[c].sampled.size());
        ASSERT_EQ(a[c].refined.size(), b[c].refined.size());
        if (a[c].best() == nullptr) continue;
        EXPECT_EQ(a[c].best()->shot, b[c].best()->shot);
        EXPECT_EQ(a[c].best()->margin, b[c].best()->margin);
        for (std::size_t k = 0; k < a[c].best()->change.size(); ++k) {
            EXPECT_EQ(a[c].best()->change[k].values, b[c].best()->change[k].values);
        }
    }
}

TEST_P(Counterfactuals, DependNeitherOnThreadsNorOnBatches) {
    CounterfactualOptions options = uncertified();
    options.refine = true;
    options.threads = 1;
    auto const alone = all(options);
    options.threads = 3;
    expect_same(alone, all(options));
    options.batch = 1;
    expect_same(alone, all(options));
    options.batch = 64;
    expect_same(alone, all(options));
}

TEST_P(Counterfactuals, DependOnTheSeedAndTheNumberOfTheInstanceAlone) {
    CounterfactualOptions options = uncertified();
    options.first_instance = 2;
    auto const shifted = find_counterfactual(*policy_, walks_[0], 1, options);
    ASSERT_TRUE(shifted);
    Walk moved = walks_[0];
    for (Cell& cell : moved.cells) cell.instance = 2;
    options.first_instance = 0;
    auto const same = find_counterfactual(*policy_, moved, 1, options);
    ASSERT_TRUE(same);
    expect_same({*shifted}, {*same});
    options.perturbation.seed = 1;
    auto const other = find_counterfactual(*policy_, moved, 1, options);
    ASSERT_TRUE(other);
    EXPECT_NE(other->best_margin, same->best_margin);
}

TEST_P(Counterfactuals, StayInsideTheEnvelopeAndTheirBudgets) {
    for (StateMode const mode : {StateMode::replay, StateMode::frozen}) {
        CounterfactualOptions options = uncertified();
        options.state = mode;
        options.refine = true;
        for (Counterfactual const& found : all(options)) {
            if (found.best() == nullptr) continue;
            Walk const& walk = walks_[found.instance];
            auto const actions = walk.actions();
            for (Flip const* flip : {&found.sampled.front(), &found.refined.front()}) {
                for (std::size_t k = 0; k < flip->change.size(); ++k) {
                    for (double const value : flip->change[k].values) {
                        EXPECT_LE(std::fabs(value), info().tensors[k].budget * (1 + 1e-6));
                    }
                }
                if (mode == StateMode::frozen) continue;
                auto const instance = walk.instance->changed(flip->change);
                ASSERT_TRUE(instance) << instance.error().message;
                auto const state = replay(**instance, std::span(actions).first(found.step));
                ASSERT_TRUE(state) << state.error().message;
                EXPECT_FALSE((*state)->envelope_violation((*state)->features()));
                Observation const seen = (*state)->observe();
                EXPECT_EQ(most_probable(policy_->log_probs({&seen, 1}).front()), flip->new_action);
                EXPECT_NE(flip->new_action, found.action);
            }
        }
    }
}

TEST_P(Counterfactuals, ListTheEntriesThatDiffer) {
    for (Counterfactual const& found : all(uncertified())) {
        Flip const* const flip = found.best();
        if (flip == nullptr) continue;
        auto const changed = walks_[found.instance].instance->changed(flip->change);
        ASSERT_TRUE(changed);
        Features const before = walks_[found.instance].instance->reset()->features();
        Features after = (*changed)->reset()->features();
        std::size_t listed = 0;
        auto const adjustable = walks_[found.instance].instance->adjustable();
        for (std::size_t k = 0; k < after.size(); ++k) {
            for (std::size_t i = 0; i < after[k].values.size(); ++i) {
                if (adjustable[k][i] == 0 || after[k].values[i] == before[k].values[i]) continue;
                ASSERT_LT(listed, flip->changes.size());
                EntryChange const& entry = flip->changes[listed++];
                EXPECT_EQ(entry.tensor, k);
                EXPECT_EQ(entry.index, i);
                EXPECT_EQ(entry.from, before[k].values[i]);
                EXPECT_NEAR(entry.to, after[k].values[i], 1e-5 * std::max(1.0, std::fabs(entry.to)));
                EXPECT_NE(entry.words.find(" -> "), std::string::npos);
            }
        }
        EXPECT_EQ(listed, flip->changes.size());
    }
}

TEST_P(Counterfactuals, KnowTheFamilyOfTheTensorThatMoved) {
    for (Counterfactual const& found : all(uncertified())) {
        Flip const* const flip = found.best();
        if (flip == nullptr) continue;
        std::size_t const tensor = *flip->shot % info().tensors.size();
        EXPECT_EQ(flip->tensor, tensor);
        EXPECT_EQ(flip->family, info().tensors[tensor].family);
        EXPECT_NEAR(flip->family_mass[*flip->family], flip->l1, 1e-12 * flip->l1);
    }
}

TEST_P(Counterfactuals, LeadToTheActionThatIsAskedFor) {
    CounterfactualOptions options = uncertified(64);
    std::size_t flips = 0;
    for (Walk const& walk : walks_) {
        Cell const& cell = walk.cells.front();
        if (!cell.runner_up()) continue;
        options.towards = cell.runner_up();
        auto const found = find_counterfactual(*policy_, walk, 0, options);
        ASSERT_TRUE(found) << found.error().message;
        if (found->best() == nullptr) continue;
        ++flips;
        EXPECT_EQ(found->best()->new_action, *options.towards);
    }
    EXPECT_GT(flips, 0);
}

TEST_P(Counterfactuals, DifferInActionOrFamilyWhenSeveralAreAskedFor) {
    CounterfactualOptions options = uncertified(400);
    options.count = 3;
    std::size_t several = 0;
    for (Counterfactual const& found : all(options)) {
        several += found.sampled.size() > 1 ? 1 : 0;
        for (std::size_t i = 1; i < found.sampled.size(); ++i) {
            EXPECT_GE(found.sampled[i].l1, found.sampled[i - 1].l1);
            for (std::size_t j = 0; j < i; ++j) {
                bool const same = found.sampled[i].new_action == found.sampled[j].new_action &&
                                  found.sampled[i].family == found.sampled[j].family;
                EXPECT_FALSE(same);
            }
        }
    }
    EXPECT_GT(several, 0);
}

TEST_P(Counterfactuals, FindNothingWhereNothingMayMove) {
    CounterfactualOptions options = uncertified();
    options.perturbation.budgets.assign(info().tensors.size(), 0.0);
    for (Counterfactual const& found : all(options)) {
        EXPECT_EQ(found.status, CounterfactualStatus::no_flip);
        EXPECT_EQ(found.forward_passes, 0);
        EXPECT_EQ(found.best_margin, walks_[found.instance].cells[found.step].margin());
    }
    options.perturbation.budgets.clear();
    options.perturbation.fixed.assign(info().tensors.size(), 1);
    for (Counterfactual const& found : all(options)) EXPECT_EQ(found.status, CounterfactualStatus::no_flip);
}

TEST_P(Counterfactuals, RefuseWhatMakesNoSense) {
    CounterfactualOptions options = uncertified();
    EXPECT_EQ(refusal(options), "it was accepted");
    EXPECT_NE(refusal(options, 1000).find("step 1001"), std::string::npos);
    options.shots = 0;
    EXPECT_EQ(refusal(options), "0 shots: at least one is needed");
    options = uncertified();
    options.count = 0;
    EXPECT_EQ(refusal(options), "0 answers: at least one is needed");
    options = uncertified();
    options.towards = 12345;
    EXPECT_NE(refusal(options).find("towards action 12345"), std::string::npos);
    options.towards = walks_.front().cells.front().action;
    EXPECT_NE(refusal(options).find("that is what the policy chooses"), std::string::npos);
    options = uncertified();
    options.perturbation.budgets = {-1.0};
    EXPECT_NE(refusal(options).find("1 budgets for"), std::string::npos);
    options.perturbation.budgets.assign(info().tensors.size(), -1.0);
    EXPECT_NE(refusal(options).find("is -1: expected 0 or more"), std::string::npos);
    options.perturbation.budgets.assign(info().tensors.size(), std::nan(""));
    EXPECT_NE(refusal(options).find("expected 0 or more"), std::string::npos);
    options = uncertified();
    options.perturbation.boxes.assign(info().tensors.size(), Box{2, 1});
    EXPECT_NE(refusal(options).find("it holds nothing"), std::string::npos);
    options = uncertified();
    options.certify = Certification::bound;
    EXPECT_NE(refusal(options).find("needs one"), std::string::npos);
    options.bound = -1;
    EXPECT_NE(refusal(options).find("expected 0 or more"), std::string::npos);
    options = uncertified();
    options.kind = ChangeKind::primitive;
    options.state = StateMode::frozen;
    EXPECT_NE(refusal(options).find("primitive"), std::string::npos);
}

TEST_P(Counterfactuals, OfPrimitiveKindMoveFewEntriesAndDeriveTheRest) {
    CounterfactualOptions options = uncertified(64);
    options.kind = ChangeKind::primitive;
    options.perturbation.sparse = 3;
    options.perturbation.toggles = true;
    std::size_t flips = 0;
    for (Counterfactual const& found : all(options)) {
        Flip const* const flip = found.best();
        if (flip == nullptr) continue;
        ++flips;
        EXPECT_LE(flip->entries, 3);
        auto const changed = walks_[found.instance].instance->changed(flip->change, ChangeKind::primitive);
        ASSERT_TRUE(changed);
        Features const before = walks_[found.instance].instance->reset()->features();
        Features const after = (*changed)->reset()->features();
        auto const own = walks_[found.instance].instance->adjustable(ChangeKind::primitive);
        for (std::size_t k = 0; k < after.size(); ++k) {
            for (std::size_t i = 0; i < after[k].values.size(); ++i) {
                double const moved = own[k][i] != 0 ? after[k].values[i] - before[k].values[i] : 0;
                EXPECT_NEAR(flip->change[k].values[i], moved, 1e-5);
            }
        }
    }
    EXPECT_GT(flips, 0);
}

TEST_P(Counterfactuals, EvaluateEveryShotOnRequest) {
    CounterfactualOptions options = uncertified();
    for (StateMode const mode : {StateMode::replay, StateMode::frozen}) {
        options.state = mode;
        auto const outcomes = evaluate_shots(*policy_, walks_[1], 1, options);
        auto const found = find_counterfactual(*policy_, walks_[1], 1, options);
        ASSERT_TRUE(outcomes && found);
        ASSERT_EQ(outcomes->size(), options.shots);
        std::optional<std::size_t> winner;
        std::size_t feasible = 0;
        for (ShotOutcome const& outcome : *outcomes) {
            EXPECT_NE(outcome.feasible, !outcome.refusal.empty());
            feasible += outcome.feasible ? 1 : 0;
            bool const better = !winner || outcome.l1 < (*outcomes)[*winner].l1;
            if (outcome.feasible && outcome.flipped && better) winner = outcome.shot;
        }
        EXPECT_EQ(found->passing, feasible);
        EXPECT_EQ(found->best() != nullptr ? found->best()->shot : std::nullopt, winner);
    }
}

TEST_P(Counterfactuals, OfWachterAreCountedWithoutAFilter) {
    CounterfactualOptions options = uncertified(16);
    auto const count = wachter_baseline(*policy_, walks_, options);
    ASSERT_TRUE(count) << count.error().message;
    std::size_t cells = 0;
    std::size_t passing = 0;
    options.perturbation.joint = true;
    options.state = StateMode::frozen;
    for (Walk const& walk : walks_) {
        for (std::size_t step = 0; step < walk.cells.size(); ++step, ++cells) {
            auto const outcomes = evaluate_shots(*policy_, walk, step, options);
            ASSERT_TRUE(outcomes);
            passing += static_cast<std::size_t>(std::ranges::count(*outcomes, true, &ShotOutcome::feasible));
        }
    }
    EXPECT_EQ(count->cells, cells);
    EXPECT_EQ(count->shots, 16 * cells);
    EXPECT_EQ(count->passing, passing);
    EXPECT_LE(count->passing_answers, count->flipped_cells);
    EXPECT_LE(count->flipped_cells, cells);
}

} // namespace
} // namespace cax
