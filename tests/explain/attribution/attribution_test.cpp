#include "cax/explain/attribution.hpp"

#include "attribution/grouping.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace cax {
namespace {

/// A tiny random policy in double precision and the decisions of two small instances, per problem.
class Attribution : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        policy_ = make(0);
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            Rng rng(seed);
            auto instance = GetParam()->generate(info().size_hint == "N" ? "6" : "3x2", {}, rng);
            ASSERT_TRUE(instance) << instance.error().message;
            instances_.push_back(*instance);
        }
        auto episodes = rollout(*policy_, instances_);
        ASSERT_TRUE(episodes) << episodes.error().message;
        decisions_ = all_cells(*episodes);
    }
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] std::unique_ptr<Policy> make(std::size_t threads) const {
        auto made = make_policy(test::random_policy(info().name, 16, 1, 7),
                                {.precision = Precision::float64, .threads = threads, .coupled_batch = false});
        EXPECT_TRUE(made) << made.error().message;
        return *std::move(made);
    }
    [[nodiscard]] std::vector<DecisionAttribution> attributed(AttributionOptions const& options = {}) const {
        auto result = attribute(*policy_, decisions_, options);
        EXPECT_TRUE(result) << result.error().message;
        return result ? *result : std::vector<DecisionAttribution>{};
    }
    [[nodiscard]] std::string refusal(AttributionOptions const& options) const {
        auto const result = attribute(*policy_, decisions_, options);
        return result ? "it was accepted" : result.error().message;
    }
    /// log pi(action | features), or its distance to that of another action.
    [[nodiscard]] double value_at(Decision const& decision, Features const& features, LogProbKind kind = LogProbKind::policy,
                                  std::optional<std::size_t> other = {}) const {
        std::vector<Observation> const observation{decision.state->observe(features)};
        LogProbs const log_probs = policy_->log_probs(observation, kind).front();
        return log_probs[decision.action] - (other ? log_probs[*other] : 0);
    }
    /// Equation 1 by its definition: central differences instead of gradients, no grouping code.
    [[nodiscard]] std::vector<double> masses_by_differences(Decision const& decision, LogProbKind kind,
                                                            std::optional<std::size_t> other = {}) const {
        std::vector<double> masses(info().families.size());
        Features features = decision.state->features();
        for (std::size_t t = 0; t < features.size(); ++t) {
            for (std::size_t i = 0; i < features[t].values.size(); ++i) {
                double& x = features[t].values[i];
                if (is_unit(t, features[t].shape, i)) continue;
                double const before = x, h = 1e-5 * std::max(1.0, std::abs(before));
                if (before == 0) continue; // contributes nothing, and a job shop's 0 means "cannot"
                x = before + h;
                double const up = value_at(decision, features, kind, other);
                x = before - h;
                double const down = value_at(decision, features, kind, other);
                x = before;
                masses[info().tensors[t].family] += std::abs((up - down) / (2 * h) * before);
            }
        }
        return masses;
    }
    /// Does the entry belong to a node that is but the unit of the others? All tensors here have one axis or two.
    [[nodiscard]] bool is_unit(std::size_t t, Shape const& shape, std::size_t i) const {
        return info().tensors[t].unit_node && node_at(t, shape, i) == *info().tensors[t].unit_node;
    }
    [[nodiscard]] std::size_t node_at(std::size_t t, Shape const& shape, std::size_t i) const {
        TensorInfo const& tensor = info().tensors[t];
        std::size_t const index = shape.size() == 1 ? i : (tensor.node_axis == 0 ? i / shape[1] : i % shape[1]);
        return index + tensor.node_offset;
    }
    static void expect_close(std::vector<double> const& found, std::vector<double> const& expected) {
        double const largest = *std::ranges::max_element(expected);
        for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-4 * largest + 1e-9);
    }
    /// The state's features with the entries that `covers(tensor, node)` names set to 0, written without the library.
    [[nodiscard]] Features without(Decision const& decision, auto const& covers) const {
        Features features = decision.state->features();
        for (std::size_t t = 0; t < features.size(); ++t) {
            TensorInfo const& tensor = info().tensors[t];
            Shape const& shape = features[t].shape;
            for (std::size_t i = 0; i < features[t].values.size(); ++i) {
                bool const is_arrival_limit = tensor.name == "max_length" && i > 0; // follows from others
                if (is_arrival_limit || is_unit(t, shape, i)) continue;
                if (covers(t, node_at(t, shape, i))) features[t].values[i] = 0;
            }
        }
        return features;
    }

    std::unique_ptr<Policy> policy_;
    std::vector<InstancePtr> instances_;
    std::vector<Decision> decisions_;
};

TEST_P(Attribution, IsEquationOneByFiniteDifferences) {
    for (LogProbKind const kind : {LogProbKind::policy, LogProbKind::raw}) {
        AttributionOptions options;
        options.fidelity.log_prob = kind;
        auto const found = attributed(options);
        ASSERT_EQ(found.size(), decisions_.size());
        for (std::size_t c = 0; c < decisions_.size(); c += 2) {
            EXPECT_EQ(found[c].instance, decisions_[c].instance);
            EXPECT_EQ(found[c].step, decisions_[c].step);
            EXPECT_EQ(found[c].action, decisions_[c].action);
            EXPECT_NEAR(found[c].log_prob, value_at(decisions_[c], decisions_[c].state->features(), kind), 1e-12);
            expect_close(found[c].mass, masses_by_differences(decisions_[c], kind));
        }
    }
}

TEST_P(Attribution, ExplainsTheDistanceToAnotherAction) {
    std::size_t compared = 0;
    for (Decision const& decision : decisions_) {
        auto const other = decision.runner_up();
        if (!other) continue;
        AttributionOptions options;
        options.why_not = other;
        auto const found = attribute(*policy_, std::span(&decision, 1), options);
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_NEAR(found->front().value, decision.margin(), 1e-12);
        expect_close(found->front().mass, masses_by_differences(decision, LogProbKind::policy, other));
        if (++compared == 3) break;
    }
    EXPECT_EQ(compared, 3U);
}

TEST_P(Attribution, HasNodeScoresThatSumToTheMass) {
    for (auto const method : {AttributionMethod::gradient, AttributionMethod::integrated}) {
        for (auto const mass : {MassKind::entry, MassKind::node}) {
            AttributionOptions options;
            options.method = method;
            options.fidelity.mass = mass;
            options.points = 3;
            for (DecisionAttribution const& each : attributed(options)) {
                ASSERT_EQ(each.mass.size(), info().families.size());
                double total = 0;
                for (std::size_t k = 0; k < each.mass.size(); ++k) {
                    double const sum = std::accumulate(each.nodes[k].begin(), each.nodes[k].end(), 0.0);
                    EXPECT_NEAR(sum, each.mass[k], 1e-12 * (1 + sum));
                    total += sum;
                }
                auto const totals = each.node_totals();
                EXPECT_NEAR(std::accumulate(totals.begin(), totals.end(), 0.0), total, 1e-12 * (1 + total));
            }
        }
    }
}

TEST_P(Attribution, HasNodeMassesThatNeverExceedEntryMasses) {
    AttributionOptions by_node;
    by_node.fidelity.mass = MassKind::node;
    auto const entries = attributed();
    auto const nodes = attributed(by_node);
    bool smaller = false;
    for (std::size_t c = 0; c < decisions_.size(); ++c) {
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            for (std::size_t n = 0; n < nodes[c].nodes[k].size(); ++n) {
                EXPECT_LE(nodes[c].nodes[k][n], entries[c].nodes[k][n] * (1 + 1e-12));
            }
            smaller = smaller || nodes[c].mass[k] < entries[c].mass[k] * (1 - 1e-6);
        }
    }
    // Coordinates cancel somewhere, where nodes have several.
    auto const features = decisions_.front().state->features();
    bool const several = std::ranges::any_of(features, [](Feature const& f) { return f.shape.size() > 1; });
    EXPECT_EQ(smaller, several);
}

TEST_P(Attribution, IntegratedIsCompleteUpToTheErrorItReports) {
    AttributionOptions options;
    options.method = AttributionMethod::integrated;
    options.baseline = MaskingBaseline::mean;
    double coarse_total = 0, fine_total = 0, moved = 0;
    options.points = 2;
    auto const coarse = attributed(options);
    options.points = 256;
    auto const fine = attributed(options);
    for (std::size_t c = 0; c < decisions_.size(); ++c) {
        if (fine[c].status == AttributionStatus::no_choice) continue;
        ASSERT_TRUE(fine[c].completeness_error && fine[c].baseline_value);
        double const difference = fine[c].value - *fine[c].baseline_value;
        EXPECT_NEAR(fine[c].signed_effect.at(0), difference, *fine[c].completeness_error + 1e-12);
        coarse_total += *coarse[c].completeness_error;
        fine_total += *fine[c].completeness_error;
        moved += std::abs(difference);
    }
    EXPECT_GT(moved, 1e-3);
    EXPECT_LE(fine_total, 0.01 * moved);
    EXPECT_LT(fine_total, coarse_total);
}

TEST_P(Attribution, OcclusionIsTheLossWithoutAFamilyAndWithoutANode) {
    AttributionOptions options;
    options.method = AttributionMethod::occlusion;
    auto const found = attributed(options);
    for (std::size_t c = 0; c < decisions_.size(); c += 3) {
        Decision const& decision = decisions_[c];
        if (found[c].status == AttributionStatus::no_choice) continue;
        auto const spent = decision.state->spent_nodes();
        auto is_spent = [&](std::size_t node) { return !spent.empty() && spent[node] != 0; };
        double const value = value_at(decision, decision.state->features());
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            auto of_family = [&](std::size_t t, std::size_t node) {
                return info().tensors[t].family == k && !is_spent(node);
            };
            double const loss = value - value_at(decision, without(decision, of_family));
            EXPECT_NEAR(found[c].signed_effect[k], loss, 1e-12);
            EXPECT_NEAR(found[c].mass[k], std::abs(loss), 1e-12);
            for (std::size_t n = 0; n < found[c].nodes[k].size(); n += 2) {
                auto of_node = [&](std::size_t t, std::size_t node) { return node == n && of_family(t, node); };
                EXPECT_NEAR(found[c].nodes[k][n], std::abs(value - value_at(decision, without(decision, of_node))), 1e-12);
            }
        }
        auto const all = without(decision, [&](std::size_t, std::size_t node) { return !is_spent(node); });
        EXPECT_NEAR(*found[c].baseline_value, value_at(decision, all), 1e-12);
    }
}

TEST_P(Attribution, IsTheSameForAnyNumberOfThreadsAndAnyBatch) {
    auto const one = make(1), two = make(2);
    for (auto const method :
         {AttributionMethod::gradient, AttributionMethod::integrated, AttributionMethod::occlusion}) {
        AttributionOptions options;
        options.method = method;
        options.points = 3;
        options.threads = 1;
        auto const first = attribute(*one, decisions_, options);
        options.threads = 2;
        options.batch = 5;
        auto const second = attribute(*two, decisions_, options);
        options.batch = 1;
        auto const alone = attribute(*two, std::span(decisions_).last(1), options);
        ASSERT_TRUE(first && second && alone);
        for (std::size_t c = 0; c < decisions_.size(); ++c) {
            EXPECT_EQ((*first)[c].nodes, (*second)[c].nodes);
            EXPECT_EQ((*first)[c].mass, (*second)[c].mass);
            EXPECT_EQ((*first)[c].log_prob, (*second)[c].log_prob);
        }
        EXPECT_EQ(alone->front().nodes, first->back().nodes);
    }
}

TEST_P(Attribution, NamesDecisionsWithoutAChoice) {
    std::size_t forced = 0;
    for (DecisionAttribution const& each : attributed()) {
        if (each.status == AttributionStatus::computed) continue;
        EXPECT_EQ(each.status, AttributionStatus::no_choice);
        EXPECT_EQ(each.log_prob, 0);
        EXPECT_EQ(std::ranges::count(each.mass, 0.0), std::ssize(each.mass));
        ++forced;
    }
    std::size_t expected = 0;
    for (Decision const& decision : decisions_) expected += decision.runner_up() ? 0 : 1;
    EXPECT_EQ(forced, expected);
    EXPECT_GT(forced, 0U);
}

TEST_P(Attribution, SaysWhyAnotherActionMakesNoContrast) {
    Decision const& decision = decisions_.front();
    AttributionOptions options;
    options.why_not = decision.action;
    EXPECT_EQ(attribute(*policy_, std::span(&decision, 1), options)->front().status, AttributionStatus::other_is_chosen);
    Decision const& last = decisions_.back(); // most is forbidden by then
    auto const mask = last.state->action_mask();
    options.why_not = static_cast<std::size_t>(std::ranges::find(mask, 0) - mask.begin());
    ASSERT_LT(*options.why_not, mask.size());
    EXPECT_EQ(attribute(*policy_, std::span(&last, 1), options)->front().status, AttributionStatus::other_not_allowed);
}

TEST_P(Attribution, RefusesOptionsThatMakeNoSense) {
    AttributionOptions options;
    options.why_not = 4711;
    EXPECT_NE(refusal(options).find("action 4711"), std::string::npos) << refusal(options);
    options = {};
    options.method = AttributionMethod::integrated;
    options.points = 0;
    EXPECT_NE(refusal(options).find("points"), std::string::npos) << refusal(options);
    options = {};
    options.method = AttributionMethod::occlusion;
    options.fidelity.mass = MassKind::node;
    EXPECT_NE(refusal(options).find("mass: node"), std::string::npos) << refusal(options);
    options.fidelity.mass = MassKind::entry;
    options.baseline = MaskingBaseline::depot;
    bool const has_depot = GetParam()->changes()->place_tensor().has_value();
    EXPECT_EQ(refusal(options) == "it was accepted", has_depot);
    options = {};
    options.batch = 0;
    EXPECT_NE(refusal(options).find("batch"), std::string::npos) << refusal(options);
}

INSTANTIATE_TEST_SUITE_P(Problems, Attribution, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

ProblemInfo made_up() {
    ProblemInfo info;
    info.families = {"a", "b"};
    info.tensors.resize(3);
    info.tensors[0] = {"by_row", 0, 0, 0, 1, ""};
    info.tensors[1] = {"by_column", 1, 0, 1, 0, ""};
    info.tensors[2] = {"flat", 0, 0, 0, 0, ""};
    return info;
}

/// Node 0..2; by_row starts at node 1, by_column has its nodes on the second axis.
Features made_up_entries() { return {{{2, 2}, {1, -3, 5, -5}}, {{2, 3}, {1, 2, 3, -4, 5, -6}}, {{3}, {-7, 0, 8}}}; }

TEST(Grouping, PutsEveryEntryToItsNodeAndFamily) {
    DecisionAttribution result;
    group_entries(made_up(), made_up_entries(), MassKind::entry, {}, result);
    EXPECT_EQ(result.nodes, (std::vector<std::vector<double>>{{7, 4, 18}, {5, 7, 9}}));
    EXPECT_EQ(result.mass, (std::vector<double>{29, 21}));
    group_entries(made_up(), made_up_entries(), MassKind::node, {}, result);
    EXPECT_EQ(result.nodes, (std::vector<std::vector<double>>{{7, 2, 8}, {3, 7, 3}}));
}

TEST(Grouping, LeavesSpentNodesOutWhateverTheyHold) {
    Features entries = made_up_entries();
    entries[2].values[2] = std::nan("");
    DecisionAttribution result;
    group_entries(made_up(), entries, MassKind::entry, std::vector<std::uint8_t>{0, 0, 1}, result);
    EXPECT_EQ(result.status, AttributionStatus::computed);
    EXPECT_EQ(result.nodes, (std::vector<std::vector<double>>{{7, 4, 0}, {5, 7, 0}}));
}

TEST(Grouping, NamesWhatIsNotFiniteAndWhatIsAllZero) {
    Features entries = made_up_entries();
    entries[0].values[3] = -std::numeric_limits<double>::infinity();
    DecisionAttribution result;
    group_entries(made_up(), entries, MassKind::entry, {}, result);
    EXPECT_EQ(result.status, AttributionStatus::not_finite);
    EXPECT_EQ(result.mass, (std::vector<double>{0, 0}));
    for (Feature& feature : entries) feature.values.assign(feature.values.size(), 0);
    result.status = AttributionStatus::computed;
    group_entries(made_up(), entries, MassKind::entry, {}, result);
    EXPECT_EQ(result.status, AttributionStatus::no_influence);
}

TEST(AttributionNames, AreReadBack) {
    EXPECT_EQ(*parse_name<AttributionMethod>("method", "occlusion"), AttributionMethod::occlusion);
    EXPECT_EQ(*parse_name<MassKind>("mass", "node"), MassKind::node);
    EXPECT_EQ(*parse_name<MaskingBaseline>("baseline", name_of(MaskingBaseline::depot)), MaskingBaseline::depot);
    EXPECT_EQ(*parse_name<LogProbKind>("log-prob", "raw"), LogProbKind::raw);
    auto const unknown = parse_name<AttributionMethod>("method", "shap");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("gradient, integrated, occlusion"), std::string::npos);
}

} // namespace
} // namespace cax
