// What the policy sees, and the words in which a problem describes itself.
#include "contract.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <cmath>
#include <set>

namespace cax::test {
namespace {

/// The differentiable members of an observation, one after the other; `visit` sees each as a span.
template <class Visit> void for_each_differentiable(Observation& observation, Visit visit) {
    if (auto* graph = std::get_if<GraphObservation>(&observation)) {
        visit(std::span<double>(graph->depot));
        visit(graph->customers.values());
        visit(std::span<double>(graph->context));
    } else {
        auto& schedule = std::get<ScheduleObservation>(observation);
        visit(schedule.proc_times.values());
        visit(std::span<double>(schedule.num_eligible));
    }
}

std::vector<double> differentiable(Observation observation) {
    std::vector<double> values;
    for_each_differentiable(observation,
                            [&](std::span<double> part) { values.insert(values.end(), part.begin(), part.end()); });
    return values;
}

TEST_P(ProblemContract, NamesFamiliesAndTensorsConsistently) {
    EXPECT_FALSE(info().name.empty() || info().title.empty() || info().cost_word.empty() || info().node_word.empty());
    std::set<std::string_view> const families(info().families.begin(), info().families.end());
    EXPECT_EQ(families.size(), info().families.size());
    std::set<std::string_view> names;
    std::set<std::size_t> used;
    for (TensorInfo const& tensor : info().tensors) {
        EXPECT_TRUE(names.insert(tensor.name).second) << tensor.name;
        ASSERT_LT(tensor.family, info().families.size()) << tensor.name;
        used.insert(tensor.family);
        EXPECT_GE(tensor.budget, 0) << tensor.name;
        EXPECT_FALSE(tensor.unit.empty()) << tensor.name;
    }
    EXPECT_EQ(used.size(), families.size()); // a family without a tensor could never be blamed
}

TEST_P(ProblemContract, GivesFeaturesTheShapesAndValuesOfTheStatesTensors) {
    Rng rng(1);
    auto const state = generated(1)->reset();
    while (!state->done()) {
        auto const tensors = tensors_of(*state);
        Features const features = state->features();
        ASSERT_EQ(features.size(), info().tensors.size());
        for (std::size_t k = 0; k < features.size(); ++k) {
            TensorInfo const& tensor = info().tensors[k];
            auto const place = tensors.find(tensor.name);
            ASSERT_NE(place, tensors.end()) << tensor.name;
            EXPECT_EQ(place->second.shape(), features[k].shape) << tensor.name;
            EXPECT_EQ(place->second.to_doubles(), features[k].values) << tensor.name;
            EXPECT_LT(tensor.node_axis, features[k].shape.size()) << tensor.name;
        }
        random_steps(*state, rng, 1);
    }
}

TEST_P(ProblemContract, CountsTheSameNodesAlongEveryTensorsNodeAxis) {
    Features const features = generated(2)->reset()->features();
    std::set<std::size_t> ends;
    for (std::size_t k = 0; k < features.size(); ++k) {
        TensorInfo const& tensor = info().tensors[k];
        ends.insert(features[k].shape.at(tensor.node_axis) + tensor.node_offset);
    }
    EXPECT_EQ(ends.size(), 1);
}

TEST_P(ProblemContract, ShowsThePolicyAMaskLikeTheStates) {
    Rng rng(2);
    auto const state = generated(3)->reset();
    random_steps(*state, rng, 4);
    Observation const seen = state->observe();
    EXPECT_EQ(action_count(seen), state->action_mask().size());
    EXPECT_TRUE(std::equal(state->action_mask().begin(), state->action_mask().end(), action_mask(seen).begin()));
    EXPECT_EQ(differentiable(seen), differentiable(state->observe(state->features())));
}

TEST_P(ProblemContract, ShowsADecoderTheSameMaskPlaceAndContext) {
    Rng rng(5);
    auto const state = generated(5)->reset();
    random_steps(*state, rng, 4);
    Observation const whole = state->observe();
    Observation const brief = state->observe_for_decoding();
    ASSERT_EQ(whole.index(), brief.index());
    EXPECT_EQ(action_mask(whole), action_mask(brief));
    if (auto const* graph = std::get_if<GraphObservation>(&whole)) {
        EXPECT_EQ(graph->context, std::get<GraphObservation>(brief).context);
        EXPECT_EQ(graph->current_node, std::get<GraphObservation>(brief).current_node);
    }
}

void expect_transpose(Instance const& instance) {
    Rng rng(3);
    auto const state = instance.reset();
    random_steps(*state, rng, 5);
    Features const base = state->features();
    for (int trial = 0; trial < 5; ++trial) {
        Features moved = base;
        for (Feature& feature : moved) {
            for (double& value : feature.values) value += 1e-6 * rng.normal(); // not all of observing is linear
        }
        Observation gradient = state->observe();
        for_each_differentiable(gradient, [&](std::span<double> part) {
            for (double& value : part) value = rng.normal();
        });
        auto const before = differentiable(state->observe(base));
        auto const after = differentiable(state->observe(moved));
        auto const weights = differentiable(gradient);
        double outside = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) outside += weights[i] * (after[i] - before[i]);
        Features const pulled = state->pull_back(gradient);
        ASSERT_EQ(pulled.size(), base.size());
        double inside = 0;
        for (std::size_t k = 0; k < base.size(); ++k) {
            ASSERT_EQ(pulled[k].shape, base[k].shape);
            for (std::size_t i = 0; i < base[k].values.size(); ++i) {
                inside += pulled[k].values[i] * (moved[k].values[i] - base[k].values[i]);
            }
        }
        EXPECT_NEAR(inside, outside, 1e-10);
    }
}

TEST_P(ProblemContract, ShowsItsTensorsWithOtherFeatureValuesAndTheRestAsItIs) {
    Rng rng(6);
    auto const state = generated(6)->reset();
    random_steps(*state, rng, 3);
    NamedTensors own = tensors_of(*state);
    own.erase("action_mask");
    TensorObservation const seen = observe_tensors(*state, state->features());
    EXPECT_TRUE(std::ranges::equal(seen.mask, state->action_mask()));
    ASSERT_EQ(seen.tensors.size(), own.size());
    for (auto const& [name, tensor] : own) {
        auto const shown = seen.tensors.find(name);
        ASSERT_NE(shown, seen.tensors.end()) << name;
        EXPECT_EQ(shown->second.shape(), tensor.shape()) << name;
        EXPECT_EQ(shown->second.to_doubles(), tensor.to_doubles()) << name;
    }
    Features moved = state->features();
    for (Feature& feature : moved) {
        for (double& value : feature.values) value += 0.25;
    }
    TensorObservation const other = observe_tensors(*state, moved);
    for (std::size_t k = 0; k < moved.size(); ++k) {
        Tensor const& shown = other.tensors.find(info().tensors[k].name)->second;
        EXPECT_EQ(shown.dtype(), Dtype::f64);
        EXPECT_EQ(shown.to_doubles(), moved[k].values) << info().tensors[k].name;
    }
    std::set<std::string_view> may_move;
    for (TensorInfo const& tensor : info().tensors) may_move.insert(tensor.name);
    for (TensorCopy const& copy : problem().exchange().copies(*state)) may_move.insert(copy.name);
    for (auto const& [name, tensor] : own) {
        bool const stays = other.tensors.find(name)->second.to_doubles() == tensor.to_doubles();
        EXPECT_EQ(stays, !may_move.contains(name)) << name;
    }
}

TEST_P(ProblemContract, PullsGradientsOfTensorsBackByTheTransposeOfObserving) {
    Rng rng(7);
    auto const state = generated(7)->reset();
    random_steps(*state, rng, 5);
    Features const base = state->features();
    Features moved = base;
    for (Feature& feature : moved) {
        for (double& value : feature.values) value += 1e-3 * rng.normal();
    }
    TensorObservation const before = observe_tensors(*state, base);
    TensorObservation const after = observe_tensors(*state, moved);
    TensorObservation gradient;
    double outside = 0;
    for (auto const& [name, tensor] : before.tensors) {
        if (tensor.dtype() != Dtype::f64) continue; // features and their copies
        std::vector<double> slopes(tensor.size());
        for (std::size_t i = 0; i < slopes.size(); ++i) {
            slopes[i] = rng.normal();
            outside += slopes[i] * (after.tensors.at(name).as_double(i) - tensor.as_double(i));
        }
        gradient.tensors[name] = Tensor::from_doubles(Dtype::f64, tensor.shape(), slopes);
    }
    double inside = 0;
    Features const pulled = pull_back_tensors(*state, gradient);
    for (std::size_t k = 0; k < base.size(); ++k) {
        ASSERT_EQ(pulled[k].shape, base[k].shape);
        for (std::size_t i = 0; i < base[k].values.size(); ++i) {
            inside += pulled[k].values[i] * (moved[k].values[i] - base[k].values[i]);
        }
    }
    EXPECT_NEAR(inside, outside, 1e-9);
}

TEST_P(ProblemContract, PullsGradientsBackByTheTransposeOfObserving) {
    expect_transpose(*generated(4));
    if (problem().changes() == nullptr) GTEST_SKIP() << info().name << " cannot be changed";
    // Ten times as large: shown in other units.
    auto change = generated(4)->reset()->features();
    for (std::size_t k = 0; k < change.size(); ++k) {
        auto const unit = info().tensors[k].unit;
        bool const grows = unit == "distance" || unit == "time" || unit == "value";
        for (double& value : change[k].values) value *= grows ? 9 : 0;
    }
    auto const large = changed(*generated(4), change);
    ASSERT_TRUE(large) << large.error().message;
    auto const fitted = problem().presentation().into_domain(*large);
    ASSERT_TRUE(fitted) << fitted.error().message;
    expect_transpose(*fitted->instance);
}

TEST_P(ProblemContract, FindsItsOwnStatesInsideTheArithmeticEnvelope) {
    Rng rng(4);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        auto const state = generated(seed)->reset();
        while (!state->done()) {
            auto const violation = envelope_violation(*state, state->features());
            EXPECT_FALSE(violation) << *violation;
            random_steps(*state, rng, 1);
        }
    }
}

} // namespace
} // namespace cax::test
