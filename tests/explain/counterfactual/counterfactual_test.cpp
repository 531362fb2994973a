#include "counterfactual_cells.hpp"

#include "cax/problems/changes.hpp"

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
std::optional<Winner> by_definition(Policy const& policy, Episode const& episode, std::size_t step,
                                    CounterfactualOptions const& options) {
    Decision const& decision = episode.decisions[step];
    auto const all_actions = episode.actions();
    bool const frozen = options.fidelity.state == StateMode::frozen;
    Features const from = frozen ? decision.state->features() : episode.instance->reset()->features();
    auto const movable = frozen ? std::vector<std::vector<std::uint8_t>>{} : adjustable(*episode.instance);
    Perturbation const noise(*episode.instance, from, movable, options.perturbation);
    std::optional<Winner> best;
    for (std::size_t s = 0; s < options.shots; ++s) {
        Features const change = noise.shot(decision.instance, step, s);
        std::optional<Observation> seen;
        if (frozen) {
            Features values = from;
            for (std::size_t k = 0; k < values.size(); ++k) {
                for (std::size_t i = 0; i < values[k].values.size(); ++i) {
                    values[k].values[i] = static_cast<float>(values[k].values[i] + change[k].values[i]);
                }
            }
            if (!envelope_violation(*decision.state, values)) seen = decision.state->observe(values);
        } else if (auto const changed = cax::changed(*episode.instance, change)) {
            auto const state = replay_actions(**changed, std::span(all_actions).first(step));
            bool const open = state && std::ranges::count((*state)->action_mask(), 1) > 0 && !(*state)->done();
            if (open && !envelope_violation(**state, (*state)->features())) seen = (*state)->observe();
        }
        if (!seen) continue;
        std::size_t const action = most_probable(policy.log_probs({&*seen, 1}).front());
        double l1 = 0;
        for (Feature const& tensor : change) {
            for (double const value : tensor.values) l1 += std::fabs(value);
        }
        if (action != decision.action && (!best || l1 < best->l1)) best = {s, action, l1};
    }
    return best;
}

TEST_P(Counterfactuals, AreTheSmallestFlipsOfThePlainLoop) {
    for (StateMode const mode : {StateMode::replay, StateMode::frozen}) {
        CounterfactualOptions options = with_shots(24);
        options.fidelity.state = mode;
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
    std::size_t decisions = 0;
    std::size_t flips = 0;
    std::size_t sorted_passes = 0;
    std::size_t plain_passes = 0;
    for (std::uint64_t seed = 1; decisions < 1000; ++seed) {
        walk_instances(20, seed);
        CounterfactualOptions options = with_shots(32);
        options.perturbation.seed = seed;
        auto const sorted = all(options);
        options.plain_loop = true;
        auto const plain = all(options);
        ASSERT_EQ(sorted.size(), plain.size());
        for (std::size_t c = 0; c < sorted.size(); ++c) {
            ASSERT_EQ(sorted[c].flips.size(), plain[c].flips.size());
            EXPECT_EQ(sorted[c].report.best_margin, plain[c].report.best_margin);
            EXPECT_EQ(sorted[c].report.passing, plain[c].report.passing);
            EXPECT_LE(sorted[c].report.forward_passes, plain[c].report.forward_passes);
            sorted_passes += sorted[c].report.forward_passes;
            plain_passes += plain[c].report.forward_passes;
            if (sorted[c].flips.empty()) continue;
            ++flips;
            EXPECT_EQ(sorted[c].best()->shot, plain[c].best()->shot);
            EXPECT_EQ(sorted[c].best()->new_action, plain[c].best()->new_action);
            EXPECT_EQ(sorted[c].best()->l1, plain[c].best()->l1);
        }
        decisions += sorted.size();
    }
    EXPECT_GT(flips, decisions / 20);
    EXPECT_LT(sorted_passes, plain_passes);
}

void expect_same(Flip const& a, Flip const& b) {
    EXPECT_EQ(a.shot, b.shot);
    EXPECT_EQ(a.margin, b.margin);
    EXPECT_EQ(a.new_probability, b.new_probability);
    for (std::size_t k = 0; k < a.change.size(); ++k) EXPECT_EQ(a.change[k].values, b.change[k].values);
}

TEST_P(Counterfactuals, DependNeitherOnThreadsNorOnBatches) {
    CounterfactualOptions options = with_shots(32);
    auto const together = all(refined(options));
    for (std::size_t const batch : {1U, 64U}) {
        options.batch = batch;
        std::size_t c = 0;
        for (Episode const& episode : walks_) { // one after the other
            for (std::size_t step = 0; step < episode.decisions.size(); ++step, ++c) {
                auto const alone = answer_counterfactual(*policy_, episode, step, refined(options));
                ASSERT_TRUE(alone) << alone.error().message;
                EXPECT_EQ(alone->status(), together[c].status());
                EXPECT_EQ(alone->report.best_margin, together[c].report.best_margin);
                ASSERT_EQ(alone->sampled.size(), together[c].sampled.size());
                ASSERT_EQ(alone->refined.size(), together[c].refined.size());
                if (alone->best() != nullptr) expect_same(alone->best()->flip, together[c].best()->flip);
            }
        }
    }
}

TEST_P(Counterfactuals, KnowTheNewProbabilityAndTheStateInWhichThePolicyWasAsked) {
    std::size_t flips = 0;
    for (CounterfactualAnswer const& found : all(refined(with_shots(32)))) {
        for (auto const* settled : {&found.sampled, &found.refined}) {
            if (settled->empty()) continue;
            Flip const& flip = settled->front().flip;
            ++flips;
            ASSERT_TRUE(flip.changed && flip.state);
            EXPECT_EQ(&flip.state->instance(), flip.changed.get());
            Observation const seen = flip.state->observe();
            LogProbs const log_probs = policy_->log_probs({&seen, 1}).front();
            EXPECT_EQ(most_probable(log_probs), flip.new_action);
            ASSERT_TRUE(flip.new_probability);
            EXPECT_EQ(*flip.new_probability, std::exp(log_probs[flip.new_action]));
        }
    }
    EXPECT_GT(flips, 0);
}

TEST_P(Counterfactuals, AreFoundAmongGivenChanges) {
    CounterfactualOptions const options = with_shots(24);
    Episode const& episode = walks_.front();
    Perturbation const noise(*episode.instance, episode.instance->reset()->features(), adjustable(*episode.instance),
                             options.perturbation);
    auto const given = [&](std::size_t shot) { return noise.shot(0, 1, shot); };
    auto const drawn = find_counterfactual(*policy_, episode, 1, options);
    auto const same = find_counterfactual(*policy_, episode, 1, given, options);
    ASSERT_TRUE(drawn && same);
    EXPECT_EQ(drawn->report.best_margin, same->report.best_margin);
    ASSERT_EQ(drawn->best() != nullptr, same->best() != nullptr);
    if (drawn->best() != nullptr) expect_same(*drawn->best(), *same->best());
    auto const nothing = find_counterfactual(
        *policy_, episode, 1, [&](std::size_t) { return zero_change(noise.from()); }, options);
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->best(), nullptr);
}

TEST_P(Counterfactuals, DependOnTheSeedAndTheNumberOfTheInstanceAlone) {
    CounterfactualOptions options = with_shots(32);
    options.first_instance = 2;
    auto const shifted = find_counterfactual(*policy_, walks_[0], 1, options);
    ASSERT_TRUE(shifted);
    Episode moved = walks_[0];
    for (Decision& decision : moved.decisions) decision.instance = 2;
    options.first_instance = 0;
    auto const same = find_counterfactual(*policy_, moved, 1, options);
    ASSERT_TRUE(same);
    EXPECT_EQ(shifted->report.best_margin, same->report.best_margin);
    ASSERT_EQ(shifted->best() != nullptr, same->best() != nullptr);
    if (same->best() != nullptr) expect_same(*shifted->best(), *same->best());
    options.perturbation.seed = 1;
    auto const other = find_counterfactual(*policy_, moved, 1, options);
    ASSERT_TRUE(other);
    EXPECT_NE(other->report.best_margin, same->report.best_margin);
}

TEST_P(Counterfactuals, StayInsideTheEnvelopeAndTheirBudgets) {
    for (StateMode const mode : {StateMode::replay, StateMode::frozen}) {
        CounterfactualOptions options = with_shots(32);
        options.fidelity.state = mode;
        for (CounterfactualAnswer const& found : all(refined(options))) {
            if (found.best() == nullptr) continue;
            Episode const& episode = walks_[found.instance];
            auto const actions = episode.actions();
            for (Flip const* flip : {&found.sampled.front().flip, &found.refined.front().flip}) {
                bool const snapped = flip == &found.refined.front().flip; // to a whole unit at least
                for (std::size_t k = 0; k < flip->change.size(); ++k) {
                    double const unit = snapped ? units_of(*episode.instance, k).grain : 0;
                    double const most = std::max(info().tensors[k].budget, unit);
                    for (double const value : flip->change[k].values) {
                        EXPECT_LE(std::fabs(value), most * (1 + 1e-5));
                    }
                }
                if (mode == StateMode::frozen) continue;
                auto const instance = changed(*episode.instance, flip->change);
                ASSERT_TRUE(instance) << instance.error().message;
                auto const state = replay_actions(**instance, std::span(actions).first(found.step));
                ASSERT_TRUE(state) << state.error().message;
                EXPECT_FALSE(envelope_violation(**state, (*state)->features()));
                Observation const seen = (*state)->observe();
                EXPECT_EQ(most_probable(policy_->log_probs({&seen, 1}).front()), flip->new_action);
                EXPECT_NE(flip->new_action, found.action);
            }
        }
    }
}

TEST_P(Counterfactuals, ListTheEntriesThatDiffer) {
    for (Counterfactual const& found : all(with_shots(32))) {
        Flip const* const flip = found.best();
        if (flip == nullptr) continue;
        auto const changed = cax::changed(*walks_[found.instance].instance, flip->change);
        ASSERT_TRUE(changed);
        Features const before = walks_[found.instance].instance->reset()->features();
        Features after = (*changed)->reset()->features();
        std::size_t listed = 0;
        auto const adjustable = cax::adjustable(*walks_[found.instance].instance);
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
    for (Counterfactual const& found : all(with_shots(32))) {
        Flip const* const flip = found.best();
        if (flip == nullptr) continue;
        std::size_t const tensor = *flip->shot % info().tensors.size();
        EXPECT_EQ(flip->tensor, tensor);
        EXPECT_EQ(flip->family, info().tensors[tensor].family);
        EXPECT_NEAR(flip->family_mass[*flip->family], flip->l1, 1e-12 * flip->l1);
    }
}

TEST_P(Counterfactuals, LeadToTheActionThatIsAskedFor) {
    CounterfactualOptions options = with_shots(64);
    std::size_t flips = 0;
    for (Episode const& episode : walks_) {
        Decision const& decision = episode.decisions.front();
        if (!decision.runner_up()) continue;
        options.towards = decision.runner_up();
        auto const found = find_counterfactual(*policy_, episode, 0, options);
        ASSERT_TRUE(found) << found.error().message;
        if (found->best() == nullptr) continue;
        ++flips;
        EXPECT_EQ(found->best()->new_action, *options.towards);
    }
    EXPECT_GT(flips, 0);
}

TEST_P(Counterfactuals, DifferInActionOrFamilyWhenSeveralAreAskedFor) {
    CounterfactualOptions options = with_shots(400);
    options.count = 3;
    std::size_t several = 0;
    for (Counterfactual const& found : all(options)) {
        several += found.flips.size() > 1 ? 1 : 0;
        for (std::size_t i = 1; i < found.flips.size(); ++i) {
            EXPECT_GE(found.flips[i].l1, found.flips[i - 1].l1);
            for (std::size_t j = 0; j < i; ++j) {
                bool const same = found.flips[i].new_action == found.flips[j].new_action &&
                                  found.flips[i].family == found.flips[j].family;
                EXPECT_FALSE(same);
            }
        }
    }
    EXPECT_GT(several, 0);
}

TEST_P(Counterfactuals, FindNothingWhereNothingMayMove) {
    CounterfactualOptions options = with_shots(32);
    options.perturbation.budgets.assign(info().tensors.size(), 0.0);
    for (Counterfactual const& found : all(options)) {
        EXPECT_EQ(found.best(), nullptr);
        EXPECT_EQ(found.report.forward_passes, 0);
        EXPECT_EQ(found.report.best_margin, walks_[found.instance].decisions[found.step].margin());
    }
    options.perturbation.budgets.clear();
    options.perturbation.fixed.assign(info().tensors.size(), 1);
    for (Counterfactual const& found : all(options)) EXPECT_EQ(found.best(), nullptr);
}

TEST_P(Counterfactuals, RefuseWhatMakesNoSense) {
    CounterfactualOptions options = with_shots(32);
    EXPECT_EQ(refusal(options), "it was accepted");
    EXPECT_NE(refusal(options, 1000).find("step 1001"), std::string::npos);
    options.shots = 0;
    EXPECT_EQ(refusal(options), "0 shots: at least one is needed");
    options = with_shots(32);
    options.count = 0;
    EXPECT_EQ(refusal(options), "0 answers: at least one is needed");
    options = with_shots(32);
    options.towards = 12345;
    EXPECT_NE(refusal(options).find("towards action 12345"), std::string::npos);
    options.towards = walks_.front().decisions.front().action;
    EXPECT_NE(refusal(options).find("that is what the policy chooses"), std::string::npos);
    options = with_shots(32);
    std::size_t const too_many = info().tensors.size() + 1;
    options.perturbation.budgets.assign(too_many, -1.0);
    EXPECT_NE(refusal(options).find(std::to_string(too_many) + " budgets for"), std::string::npos);
    options.perturbation.budgets.assign(info().tensors.size(), -1.0);
    EXPECT_NE(refusal(options).find("is -1: expected 0 or more"), std::string::npos);
    options.perturbation.budgets.assign(info().tensors.size(), std::nan(""));
    EXPECT_NE(refusal(options).find("expected 0 or more"), std::string::npos);
    options = with_shots(32);
    options.perturbation.boxes.assign(info().tensors.size(), Box{2, 1});
    EXPECT_NE(refusal(options).find("it holds nothing"), std::string::npos);
    options = with_shots(32);
    options.kind = ChangeKind::primitive;
    options.fidelity.state = StateMode::frozen;
    EXPECT_NE(refusal(options).find("primitive"), std::string::npos);
}

TEST_P(Counterfactuals, OfPrimitiveKindMoveFewEntriesAndDeriveTheRest) {
    CounterfactualOptions options = with_shots(64);
    options.kind = ChangeKind::primitive;
    options.perturbation.sparse = 3;
    options.perturbation.toggles = true;
    std::size_t flips = 0;
    for (Counterfactual const& found : all(options)) {
        Flip const* const flip = found.best();
        if (flip == nullptr) continue;
        ++flips;
        EXPECT_LE(flip->entries, 3);
        auto const changed = cax::changed(*walks_[found.instance].instance, flip->change, ChangeKind::primitive);
        ASSERT_TRUE(changed);
        Features const before = walks_[found.instance].instance->reset()->features();
        Features const after = (*changed)->reset()->features();
        auto const own = adjustable(*walks_[found.instance].instance, ChangeKind::primitive);
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
    CounterfactualOptions options = with_shots(32);
    for (StateMode const mode : {StateMode::replay, StateMode::frozen}) {
        options.fidelity.state = mode;
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
        EXPECT_EQ(found->report.passing, feasible);
        EXPECT_EQ(found->best() != nullptr ? found->best()->shot : std::nullopt, winner);
    }
}

TEST_P(Counterfactuals, OfWachterAreCountedWithoutAFilter) {
    CounterfactualOptions options = with_shots(16);
    auto const count = count_wachter(*policy_, walks_, options);
    ASSERT_TRUE(count) << count.error().message;
    std::size_t decisions = 0;
    std::size_t passing = 0;
    options.perturbation.joint = true;
    options.fidelity.state = StateMode::frozen;
    for (Episode const& episode : walks_) {
        for (std::size_t step = 0; step < episode.decisions.size(); ++step, ++decisions) {
            auto const outcomes = evaluate_shots(*policy_, episode, step, options);
            ASSERT_TRUE(outcomes);
            passing += static_cast<std::size_t>(std::ranges::count(*outcomes, true, &ShotOutcome::feasible));
        }
    }
    EXPECT_EQ(count->decisions, decisions);
    EXPECT_EQ(count->shots, 16 * decisions);
    EXPECT_EQ(count->passing, passing);
    EXPECT_LE(count->passing_answers, count->flipped_cells);
    EXPECT_LE(count->flipped_cells, decisions);
}

} // namespace
} // namespace cax
