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
    for (Json const& node : scene["kind"] == "routes" ? scene["nodes"] : scene["operations"]) {
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
    } else {
        for (Json const& bar : drawing["bars"]) nodes.push_back(bar["node"].get<std::size_t>());
    }
    return nodes;
}

TEST_P(ProblemContract, HasWordsForEveryFamily) {
    Presentation const& shown = problem().presentation();
    ASSERT_EQ(shown.families().size(), info().families.size());
    for (auto const& [label, hint] : shown.families()) {
        EXPECT_FALSE(label.empty());
        EXPECT_EQ(label.find('_'), std::string_view::npos) << label;
        EXPECT_GT(hint.size(), 10u) << label;
    }
}

TEST_P(ProblemContract, DrawsEveryMomentOfAnEpisodeWithNodesOfItsScene) {
    Presentation const& shown = problem().presentation();
    InstancePtr const instance = generated(5);
    Json const scene = shown.scene(*instance);
    auto const nodes = nodes_of(scene);
    EXPECT_EQ(nodes.size(), shown.node_count(*instance));
    EXPECT_EQ(*nodes.rbegin() + 1, nodes.size());
    for (Json const& node : scene["kind"] == "routes" ? scene["nodes"] : scene["operations"]) {
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

/// Multiplies every number of an instance that is a length or a time; which those are, the units say.
InstancePtr stretched(Instance const& instance, double factor) {
    auto change = instance.reset()->features();
    for (std::size_t t = 0; t < change.size(); ++t) {
        auto const unit = instance.problem().info().tensors[t].unit;
        double const by = unit == "distance" || unit == "time" ? factor - 1 : 0;
        for (double& value : change[t].values) value *= by;
    }
    auto changed = cax::changed(instance, change);
    EXPECT_TRUE(changed) << changed.error().message;
    return changed ? *changed : nullptr;
}

TEST_P(ProblemContract, ScalesInstancesOfOtherUnitsSoThatTheirSolutionsStayValid) {
    Presentation const& shown = problem().presentation();
    InstancePtr const large = stretched(*generated(8), 64);
    ASSERT_NE(large, nullptr);
    auto const scaled = shown.into_domain(large);
    ASSERT_TRUE(scaled) << scaled.error().message;
    EXPECT_LT(scaled->scale, 0.2);
    EXPECT_FALSE(scaled->note.empty());
    auto const again = shown.into_domain(scaled->instance);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->scale, 1);

    Rng rng(4);
    StatePtr const state = large->reset();
    auto const actions = random_episode(*state, rng);
    auto const before = large->check(*large->solution_of(actions));
    auto const solution = scaled->instance->solution_of(actions);
    ASSERT_TRUE(solution) << solution.error().message;
    auto const after = scaled->instance->check(*solution);
    ASSERT_TRUE((before.valid() && after.valid()) || info().may_be_unsolvable);
    if (info().objective == Objective::minimise) { // costs are lengths or times
        EXPECT_NEAR(after.cost, scaled->scale * before.cost, 1e-4 * after.cost);
    } else {
        EXPECT_NEAR(after.cost, before.cost, 1e-4 * before.cost);
    }
}

} // namespace
} // namespace cax::test
