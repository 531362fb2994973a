// Changed instances and the words for them: what counterfactuals and attributions ask of every problem.
#include "contract.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>

namespace cax::test {
namespace {

Features no_change(Instance const& instance) {
    Features change = instance.reset()->features();
    for (Feature& feature : change) feature.values.assign(feature.values.size(), 0);
    return change;
}

TEST_P(ProblemContract, BehavesTheSameUnderAChangeOfNothing) {
    if (problem().changes() == nullptr) GTEST_SKIP() << info().name << " cannot be changed";
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        InstancePtr const instance = generated(seed);
        for (ChangeKind const kind : {ChangeKind::features, ChangeKind::primitive}) {
            auto const same = changed(*instance, no_change(*instance), kind);
            ASSERT_TRUE(same) << same.error().message;
            Rng rng(seed);
            expect_same_behaviour(*instance, **same, rng);
        }
    }
}

TEST_P(ProblemContract, MovesExactlyTheEntryThatAChangeNames) {
    if (problem().changes() == nullptr) GTEST_SKIP() << info().name << " cannot be changed";
    InstancePtr const instance = generated(1);
    auto const entry = [&](std::size_t t, std::size_t i) {
        return problem().presentation().describe_entry(*instance, t, i);
    };
    Features const before = instance->reset()->features();
    auto const adjustable = cax::adjustable(*instance);
    ASSERT_EQ(adjustable.size(), before.size());
    std::size_t moved = 0;
    for (std::size_t t = 0; t < before.size(); ++t) {
        ASSERT_EQ(adjustable[t].size(), before[t].values.size()) << info().tensors[t].name;
        double const step = units_of(*instance, t).grain;
        for (std::size_t i = 0; i < adjustable[t].size(); i += 1 + adjustable[t].size() / 12) {
            if (adjustable[t][i] == 0) continue;
            Features change = no_change(*instance);
            change[t].values[i] = step;
            auto const changed = cax::changed(*instance, change);
            if (!changed) continue; // no such instance: a window that would close before it opens
            Features const after = (*changed)->reset()->features();
            for (std::size_t u = 0; u < before.size(); ++u) {
                for (std::size_t j = 0; j < before[u].values.size(); ++j) {
                    if (u == t && j == i) {
                        auto const expected = static_cast<float>(before[u].values[j] + step);
                        EXPECT_EQ(after[u].values[j], double{expected}) << entry(t, i);
                        ++moved;
                    } else if (adjustable[u][j] != 0) { // what is not adjustable may follow from what is
                        EXPECT_EQ(after[u].values[j], before[u].values[j]) << entry(t, i) << " moved " << entry(u, j);
                    }
                }
            }
        }
    }
    EXPECT_GE(moved, before.size());
}

TEST_P(ProblemContract, DoesNotLookAtEntriesThatAreNotAdjustable) {
    if (problem().changes() == nullptr) GTEST_SKIP() << info().name << " cannot be changed";
    InstancePtr const instance = generated(2);
    for (ChangeKind const kind : {ChangeKind::features, ChangeKind::primitive}) {
        auto const adjustable = cax::adjustable(*instance, kind);
        Features change = no_change(*instance);
        for (std::size_t t = 0; t < change.size(); ++t) {
            for (std::size_t i = 0; i < change[t].values.size(); ++i) {
                if (adjustable[t][i] == 0) change[t].values[i] = 3;
            }
        }
        auto const same = changed(*instance, change, kind);
        ASSERT_TRUE(same) << same.error().message;
        Features const before = instance->reset()->features(), after = (*same)->reset()->features();
        for (std::size_t t = 0; t < before.size(); ++t) {
            for (std::size_t i = 0; i < before[t].values.size(); ++i) {
                if (adjustable[t][i] == 0) continue;
                EXPECT_EQ(after[t].values[i], before[t].values[i]);
            }
        }
    }
}

TEST_P(ProblemContract, HasWordsAndUnitsForEveryEntry) {
    if (problem().changes() == nullptr) GTEST_SKIP() << info().name << " cannot be changed";
    InstancePtr const instance = generated(3);
    auto const entry = [&](std::size_t t, std::size_t i) {
        return problem().presentation().describe_entry(*instance, t, i);
    };
    Features const features = instance->reset()->features();
    for (std::size_t t = 0; t < features.size(); ++t) {
        TensorUnits const units = units_of(*instance, t);
        EXPECT_GT(units.grain, 0) << info().tensors[t].name;
        EXPECT_NE(units.scale, 0) << info().tensors[t].name;
        EXPECT_FALSE(units.unit.empty()) << info().tensors[t].name;
        for (std::size_t i = 0; i < features[t].values.size(); ++i) {
            EXPECT_FALSE(entry(t, i).empty()) << info().tensors[t].name << " " << i;
        }
    }
}

TEST_P(ProblemContract, CallsANodeSpentForGood) {
    auto const state = generated(4)->reset();
    Rng rng(4);
    auto earlier = state->spent_nodes();
    while (!state->done()) {
        random_steps(*state, rng, 1);
        auto const now = state->spent_nodes();
        ASSERT_EQ(now.size(), earlier.size());
        for (std::size_t n = 0; n < now.size(); ++n) EXPECT_GE(now[n], earlier[n]) << "node " << n;
        earlier = now;
    }
    EXPECT_EQ(std::ranges::count(earlier, 1), std::ssize(earlier)); // all of them in the end, or there are none
}

} // namespace
} // namespace cax::test
