#include "counterfactual_cells.hpp"

#include "cax/problems/changes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cax {
namespace {

class Refinement : public test::CellsOfAProblem {};
INSTANTIATE_TEST_SUITE_P(AllProblems, Refinement, testing::ValuesIn(all_problems()), test::problem_name);

/// What the policy chooses on the changed instance, asked from scratch.
std::optional<std::size_t> choice(Policy const& policy, Episode const& episode, std::size_t step, Features const& change,
                                  ChangeKind kind = ChangeKind::features) {
    auto const instance = changed(*episode.instance, change, kind);
    if (!instance) return {};
    auto const actions = episode.actions();
    auto const state = replay_actions(**instance, std::span(actions).first(step));
    if (!state) return {};
    Observation const seen = (*state)->observe();
    return most_probable(policy.log_probs({&seen, 1}).front());
}

TEST_P(Refinement, FlipsWithFewerEntriesAndLess) {
    CounterfactualOptions options = with_shots(64);
    std::size_t count = 0;
    for (CounterfactualAnswer const& found : all(refined(options))) {
        ASSERT_EQ(found.refined.size(), found.sampled.size());
        if (found.sampled.empty()) continue;
        ++count;
        Flip const& before = found.sampled.front().flip;
        Flip const& after = found.refined.front().flip;
        EXPECT_EQ(found.best(), &found.refined.front());
        EXPECT_EQ(after.shot, before.shot);
        EXPECT_LE(after.entries, before.entries);
        EXPECT_GT(after.entries, 0);
        EXPECT_EQ(after.family, before.family);
        EXPECT_GT(found.refine_passes, 0);
        EXPECT_EQ(choice(*policy_, walks_[found.instance], found.step, after.change), after.new_action);
        EXPECT_NE(after.new_action, found.action);
        EXPECT_TRUE(before.entries == 1 || after.entries < before.entries);
    }
    EXPECT_GT(count, 0);
}

TEST_P(Refinement, OfOneWholeNumberAsksNoMoreThanWhetherAStepLessFlips) {
    CounterfactualOptions const options = with_shots(64);
    std::size_t again = 0;
    for (CounterfactualAnswer const& found : all(refined(options))) {
        if (found.refined.empty() || found.refined.front().flip.entries != 1) continue;
        Flip const& flip = found.refined.front().flip;
        EntryChange const& entry = flip.changes.front();
        Episode const& episode = walks_[found.instance];
        double const steps = entry.to / units_of(*episode.instance, entry.tensor).grain;
        if (!(std::fabs(steps - std::round(steps)) < 1e-5)) continue;
        auto const twice = refine(*policy_, episode, found.step, flip, options);
        ASSERT_TRUE(twice) << twice.error().message;
        EXPECT_LE(twice->flip.l1, flip.l1);
        if (twice->flip.l1 < flip.l1) continue; // it does
        EXPECT_LE(twice->forward_passes, 1U);
        ++again;
    }
    EXPECT_GT(again, 0U);
}

/// Of a demand of k parts of the capacity: whole parts, unless the next whole one does not flip.
TEST_P(Refinement, LeavesFractionsOfAUnitOnlyWhereWholeUnitsDoNotFlip) {
    std::size_t whole = 0;
    for (CounterfactualAnswer const& found : all(refined(with_shots(64)))) {
        if (found.refined.empty() || found.refined.front().flip.entries != 1) continue;
        Flip const& flip = found.refined.front().flip;
        EntryChange const& entry = flip.changes.front();
        Episode const& episode = walks_[found.instance];
        double const grain = units_of(*episode.instance, entry.tensor).grain;
        if (!(grain > 0)) continue;
        double const steps = entry.to / grain;
        if (std::fabs(steps - std::round(steps)) < 1e-3) {
            ++whole;
            continue;
        }
        double const to = (entry.to > entry.from ? std::ceil(steps) : std::floor(steps)) * grain;
        bool const far = std::fabs(to - entry.from) > std::max(info().tensors[entry.tensor].budget, 1.0001 * grain);
        if (far) continue;
        Features further = zero_change(flip.change);
        further[entry.tensor].values[entry.index] = to - entry.from;
        auto const action = choice(*policy_, episode, found.step, further);
        EXPECT_TRUE(!action || *action == found.action) << entry.words;
    }
    EXPECT_GT(whole, 0U);
}

TEST_P(Refinement, NeedsEveryEntryThatItKeeps) {
    CounterfactualOptions options = with_shots(64);
    std::size_t tried = 0;
    for (CounterfactualAnswer const& found : all(refined(options))) {
        if (found.refined.empty() || found.refined.front().flip.entries < 2) continue;
        for (EntryChange const& entry : found.refined.front().flip.changes) {
            Features without = found.refined.front().flip.change;
            without[entry.tensor].values[entry.index] = 0;
            auto const action = choice(*policy_, walks_[found.instance], found.step, without);
            ++tried;
            EXPECT_TRUE(!action || *action == found.action) << entry.words;
        }
    }
    SUCCEED() << tried << " entries left out";
}

TEST_P(Refinement, EndsAtRoundValuesWhereTheFlipAllowsIt) {
    CounterfactualOptions options = with_shots(64);
    std::size_t round = 0;
    std::size_t total = 0;
    for (CounterfactualAnswer const& found : all(refined(options))) {
        if (found.refined.empty()) continue;
        for (EntryChange const& entry : found.refined.front().flip.changes) {
            double const grain = units_of(*walks_[found.instance].instance, entry.tensor).grain;
            double const steps = entry.to / grain;
            ++total;
            round += std::fabs(steps - std::round(steps)) < 1e-3 ? 1 : 0;
        }
    }
    EXPECT_GT(round, total / 2) << "of " << total;
}

TEST_P(Refinement, KeepsToTheActionThatIsAskedFor) {
    CounterfactualOptions options = with_shots(64);
    std::size_t flips = 0;
    for (Episode const& episode : walks_) {
        options.towards = episode.decisions.front().runner_up();
        if (!options.towards) continue;
        auto const found = answer_counterfactual(*policy_, episode, 0, refined(options));
        ASSERT_TRUE(found) << found.error().message;
        if (found->refined.empty()) continue;
        ++flips;
        EXPECT_EQ(choice(*policy_, episode, 0, found->refined.front().flip.change), *options.towards);
    }
    EXPECT_GT(flips, 0);
}

TEST_P(Refinement, WorksOnFrozenStates) {
    CounterfactualOptions options = with_shots(64);
    options.fidelity = CounterfactualFidelity::published();
    std::size_t flips = 0;
    for (CounterfactualAnswer const& found : all(refined(options))) {
        if (found.refined.empty()) continue;
        ++flips;
        Decision const& decision = walks_[found.instance].decisions[found.step];
        Features values = decision.state->features();
        for (EntryChange const& entry : found.refined.front().flip.changes) {
            EXPECT_EQ(values[entry.tensor].values[entry.index], entry.from);
            values[entry.tensor].values[entry.index] = entry.to;
        }
        Observation const seen = decision.state->observe(values);
        EXPECT_EQ(most_probable(policy_->log_probs({&seen, 1}).front()), found.refined.front().flip.new_action);
    }
    EXPECT_GT(flips, 0);
}

TEST_P(Refinement, RanksFamiliesByHowLittleTheyNeed) {
    std::size_t flips = 0;
    // The first reach that flips when the family's tensors alone move, on all entries or on a few.
    auto const first_reach = [&](Episode const& episode, std::size_t family, std::vector<double> const& scales) {
        for (double const reach : {0.125, 0.25, 0.5}) {
            for (std::size_t const sparse : {0U, 4U}) {
                CounterfactualOptions options = with_shots(32);
                options.perturbation.joint = true;
                options.perturbation.sparse = sparse;
                for (std::size_t k = 0; k < scales.size(); ++k) {
                    options.perturbation.budgets.push_back(reach * scales[k]);
                    options.perturbation.fixed.push_back(info().tensors[k].family == family ? 0 : 1);
                }
                auto const found = find_counterfactual(*policy_, episode, 0, options);
                EXPECT_TRUE(found) << found.error().message;
                if (found->best() != nullptr) return std::optional(reach);
            }
        }
        return std::optional<double>();
    };
    for (Episode const& episode : walks_) {
        auto const answers = answer_per_family(*policy_, episode, 0, refined(with_shots(32)));
        ASSERT_TRUE(answers) << answers.error().message;
        ASSERT_EQ(answers->size(), info().families.size());
        std::vector<double> const scales = tensor_scales(*episode.instance);
        for (FamilyAnswer const& answer : *answers) {
            auto const expected = first_reach(episode, answer.family, scales);
            EXPECT_EQ(answer.flip.has_value(), expected.has_value());
            EXPECT_EQ(answer.reach, expected.value_or(0.5));
            if (!answer.flip) continue;
            ++flips;
            EXPECT_NEAR(answer.relative_size, relative_size(answer.flip->flip.change, scales), 1e-12);
            for (EntryChange const& entry : answer.flip->flip.changes) {
                EXPECT_EQ(info().tensors[entry.tensor].family, answer.family);
                EXPECT_LE(std::fabs(entry.to - entry.from), answer.reach * scales[entry.tensor] * (1 + 1e-5));
            }
            EXPECT_EQ(choice(*policy_, episode, 0, answer.flip->flip.change), answer.flip->flip.new_action);
        }
    }
    EXPECT_GT(flips, 0);
}

TEST_P(Refinement, KeepsWholeGrainsWhenTheyAreAskedFor) {
    CounterfactualOptions options = with_shots(64);
    options.perturbation.integer = true;
    std::size_t entries = 0;
    for (CounterfactualAnswer const& found : all(refined(options))) {
        if (found.refined.empty()) continue;
        for (EntryChange const& entry : found.refined.front().flip.changes) {
            double const grain = units_of(*walks_[found.instance].instance, entry.tensor).grain;
            if (!(grain > 0)) continue;
            double const steps = (entry.to - entry.from) / grain;
            EXPECT_NEAR(steps, std::round(steps), 1e-3) << entry.words;
            ++entries;
        }
    }
    EXPECT_GT(entries, 0);
}

} // namespace
} // namespace cax
