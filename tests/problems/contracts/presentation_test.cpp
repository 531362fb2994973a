// What a problem shows to people.
#include "contract.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <cmath>
#include <set>

namespace cax::test {
namespace {

std::set<std::size_t> nodes_of(Json const& scene) {
    std::set<std::size_t> nodes;
    for (Json const& node : scene.contains("nodes") ? scene["nodes"] : scene["operations"]) {
        nodes.insert(node["node"].get<std::size_t>());
        EXPECT_FALSE(node["label"].get<std::string>().empty());
        EXPECT_TRUE(node["facts"].is_array());
    }
    return nodes;
}

/// Every number of the drawing that names a node.
std::vector<std::size_t> drawn_nodes(Json const& drawing) {
    std::vector<std::size_t> nodes;
    if (drawing.contains("paths")) {
        for (Json const& path : drawing["paths"]) nodes.insert(nodes.end(), path.begin(), path.end());
    } else if (drawing.contains("packed")) {
        nodes.insert(nodes.end(), drawing["packed"].begin(), drawing["packed"].end());
    } else {
        for (Json const& bar : drawing["bars"]) nodes.push_back(bar["node"].get<std::size_t>());
    }
    return nodes;
}

TEST_P(ProblemContract, HasWordsForEveryFamily) {
    Presentation const& shown = problem().presentation();
    ASSERT_EQ(shown.families().size(), info().families.size());
    for (auto const& [label, hint, data] : shown.families()) {
        EXPECT_FALSE(label.empty());
        EXPECT_EQ(label.find('_'), std::string_view::npos) << label;
        EXPECT_GT(hint.size(), 10u) << label;
        EXPECT_EQ(data.find('_'), std::string_view::npos) << data;
    }
}

TEST_P(ProblemContract, DrawsEveryMomentOfAnEpisodeWithNodesOfItsScene) {
    Presentation const& shown = problem().presentation();
    InstancePtr const instance = generated(5);
    Json const scene = shown.scene(*instance);
    auto const nodes = nodes_of(scene);
    EXPECT_EQ(nodes.size(), shown.node_count(*instance));
    EXPECT_EQ(*nodes.rbegin() + 1, nodes.size());
    for (Json const& node : scene.contains("nodes") ? scene["nodes"] : scene["operations"]) {
        EXPECT_EQ(node["short"], shown.node_short(*instance, node["node"].get<std::size_t>()));
        EXPECT_EQ(node["label"], shown.node_label(*instance, node["node"].get<std::size_t>()));
    }

    Rng rng(3);
    StatePtr const state = instance->reset();
    std::vector<std::size_t> actions;
    while (!state->done()) {
        Json const moment = shown.moment(*state, actions);
        for (std::size_t const node : drawn_nodes(moment)) EXPECT_TRUE(nodes.contains(node)) << node;
        for (std::size_t const action : allowed_actions(*state)) {
            Json const mark = shown.mark(*state, action);
            auto const node = shown.node_of(*state, action);
            ASSERT_EQ(mark["node"].is_null(), !node.has_value());
            if (!node) continue;
            EXPECT_EQ(mark["node"].get<std::size_t>(), *node);
            EXPECT_FALSE(shown.node_label(*instance, *node).empty());
        }
        auto const taken = random_steps(*state, rng, 1);
        actions.insert(actions.end(), taken.begin(), taken.end());
    }
    auto const solution = instance->solution_of(actions);
    ASSERT_TRUE(solution) << solution.error().message;
    for (std::size_t const node : drawn_nodes(shown.drawing(*instance, *solution))) {
        EXPECT_TRUE(nodes.contains(node)) << node;
    }
}

TEST_P(ProblemContract, LeavesGeneratedInstancesInTheirUnits) {
    auto const same = problem().presentation().into_domain(generated(8));
    ASSERT_TRUE(same);
    EXPECT_EQ(to_json(*same->instance), to_json(*generated(8)));
    EXPECT_EQ(same->note, "");
    EXPECT_EQ(same->scale, 1);
}

TEST_P(ProblemContract, SaysEveryChangeWithItsNumbersAndNoTwoAlike) {
    Presentation const& shown = problem().presentation();
    InstancePtr const instance = generated(6);
    auto const features = instance->reset()->features();
    std::set<std::string> phrases;
    std::size_t entries = 0;
    auto const adjustable = cax::adjustable(*instance);
    for (std::size_t t = 0; t < features.size(); ++t) {
        for (std::size_t i = 0; i < adjustable[t].size(); ++i) {
            if (adjustable[t][i] == 0) continue;
            std::string const phrase = shown.change_words(*instance, t, i, "FROM", "TO");
            EXPECT_LT(phrase.find("TO"), phrase.find("FROM")) << phrase;
            EXPECT_NE(phrase.find("FROM"), std::string::npos) << phrase;
            phrases.insert(phrase);
            ++entries;
        }
    }
    EXPECT_EQ(phrases.size(), entries);
}

/// What a policy reads of an observation; the context is last.
std::vector<double> numbers_of(Observation const& observation) {
    std::vector<double> numbers;
    auto const add = [&](auto const& part) { numbers.insert(numbers.end(), part.begin(), part.end()); };
    if (auto const* graph = std::get_if<GraphObservation>(&observation)) {
        add(graph->depot);
        add(graph->customers.values());
        add(graph->context);
    } else {
        auto const& schedule = std::get<ScheduleObservation>(observation);
        add(schedule.proc_times.values());
        add(schedule.num_eligible);
        add(schedule.lower_bounds);
        add(schedule.busy_until);
        numbers.push_back(schedule.time);
    }
    return numbers;
}

/// Is this a number that files may have in other units than policies know?
bool stretches(std::string_view unit) { return unit == "distance" || unit == "time" || unit == "value"; }

/// The same by arrays, where a change could not move everything.
InstancePtr stretched_arrays(Instance const& instance, double factor) {
    Exchange const& exchange = instance.problem().exchange();
    auto arrays = exchange.to_tensors(std::array{instance.shared_from_this()});
    EXPECT_TRUE(arrays) << arrays.error().message;
    for (TensorInfo const& tensor : instance.problem().info().tensors) {
        if (!stretches(tensor.unit)) continue;
        Tensor& array = arrays->at(std::string(tensor.name));
        auto values = array.to_floats();
        for (float& value : values) value *= static_cast<float>(factor);
        array = Tensor::from_floats(array.shape(), values);
    }
    auto read = exchange.from_tensors(*arrays);
    EXPECT_TRUE(read) << read.error().message;
    return read ? read->front() : nullptr;
}

/// Multiplies every number of an instance that is a length, a time or a value; which those are, the units say.
InstancePtr stretched(Instance const& instance, double factor) {
    for (TensorInfo const& tensor : instance.problem().info().tensors) {
        if (tensor.unit_node) return stretched_arrays(instance, factor);
    }
    auto change = instance.reset()->features();
    for (std::size_t t = 0; t < change.size(); ++t) {
        auto const unit = instance.problem().info().tensors[t].unit;
        double const by = stretches(unit) ? factor - 1 : 0;
        for (double& value : change[t].values) value *= by;
    }
    auto changed = cax::changed(instance, change);
    EXPECT_TRUE(changed) << changed.error().message;
    return changed ? *changed : nullptr;
}

TEST_P(ProblemContract, ShowsInstancesOfOtherUnitsAsPoliciesKnowThemAndKeepsTheirNumbers) {
    if (problem().changes() == nullptr) GTEST_SKIP() << info().name << " cannot be changed";
    Presentation const& shown = problem().presentation();
    InstancePtr const large = stretched(*generated(8), 64);
    InstancePtr const larger = stretched(*large, 2);
    ASSERT_TRUE(large != nullptr && larger != nullptr);
    auto const fitted = shown.into_domain(large);
    ASSERT_TRUE(fitted) << fitted.error().message;
    EXPECT_LT(fitted->scale, 0.2);
    EXPECT_FALSE(fitted->note.empty());
    EXPECT_EQ(to_json(*fitted->instance), to_json(*large));
    auto const other = shown.into_domain(larger);
    ASSERT_TRUE(other) << other.error().message;

    // Twice as large, and the policy sees the same, as long as the same actions are taken.
    Rng rng(4);
    StatePtr const state = fitted->instance->reset();
    StatePtr const plain = large->reset();
    StatePtr const twice = other->instance->reset();
    while (!state->done()) {
        ASSERT_EQ(state->features()[0].values, plain->features()[0].values);
        auto const seen = numbers_of(state->observe());
        auto const again = numbers_of(twice->observe());
        ASSERT_EQ(seen.size(), again.size());
        for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_NEAR(seen[i], again[i], 1e-4 * (1 + std::fabs(seen[i])));
        auto const brief = numbers_of(state->observe_for_decoding());
        EXPECT_TRUE(std::equal(brief.rbegin(), brief.rend(), seen.rbegin())); // the context stands at the end
        auto const taken = random_steps(*state, rng, 1);
        for (std::size_t const action : taken) {
            plain->step(action);
            twice->step(action);
        }
    }
    EXPECT_EQ(state->cost(), plain->cost());
}

TEST_P(ProblemContract, ChangedInstancesAreShownInTheUnitsOfTheFirst) {
    if (problem().changes() == nullptr) GTEST_SKIP() << info().name << " cannot be changed";
    auto const fitted = problem().presentation().into_domain(stretched(*generated(8), 64));
    ASSERT_TRUE(fitted) << fitted.error().message;
    auto change = fitted->instance->reset()->features();
    for (Feature& feature : change) {
        for (double& value : feature.values) value *= 0;
    }
    auto const changed = cax::changed(*fitted->instance, change);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(numbers_of((*changed)->reset()->observe()), numbers_of(fitted->instance->reset()->observe()));
    for (std::size_t k = 0; k < info().tensors.size(); ++k) {
        auto const unit = info().tensors[k].unit;
        if (!stretches(unit)) continue;
        EXPECT_GT(units_of(*fitted->instance, k).stretch, 5) << unit;
    }
}

} // namespace
} // namespace cax::test
