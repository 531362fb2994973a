// Policies of anybody's making, on every problem: what they are shown, what is made of their answers, and what is not
// taken from them.
#include "cax/policies/tensor_policy.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

/// score(a) = sin(a + 1) * sum over all feature entries e of cos(a + e) * x_e / 100: knows no problem, depends on all.
class SmoothScorer : public TensorScorer {
public:
    explicit SmoothScorer(Problem const& problem) : problem_(problem) {}

    std::vector<double> scores(TensorBatch const& batch) override {
        batches.push_back(batch.states);
        std::vector<double> result(batch.states * batch.actions);
        for_each(batch,
                 [&](std::size_t row, std::size_t action, Tensor const& tensor, std::string const&, std::size_t i,
                     double slope) { result[row * batch.actions + action] += slope * tensor.as_double(i); });
        return result;
    }
    ScoreGradient differentiate(TensorBatch const& batch, Cotangents const& cotangents) override {
        ScoreGradient result{scores(batch), {}};
        auto const weights = cotangents(result.scores);
        std::map<std::string, std::vector<double>> sums;
        for_each(batch, [&](std::size_t row, std::size_t action, Tensor const& tensor, std::string const& name,
                            std::size_t i, double slope) {
            auto& sum = sums[name];
            sum.resize(tensor.size());
            sum[i] += weights[row * batch.actions + action] * slope;
        });
        for (auto const& [name, values] : sums) {
            result.gradients[name] = Tensor::from_doubles(Dtype::f64, batch.tensors.at(name).shape(), values);
        }
        return result;
    }
    std::vector<std::size_t> batches; ///< states of each call

private:
    template <class Visit> void for_each(TensorBatch const& batch, Visit const& visit) const {
        for (TensorInfo const& info : problem_.info().tensors) {
            std::string const name(info.name);
            Tensor const& tensor = batch.tensors.at(name);
            std::size_t const entries = tensor.size() / batch.states;
            for (std::size_t i = 0; i < tensor.size(); ++i) {
                for (std::size_t a = 0; a < batch.actions; ++a) {
                    auto const place = static_cast<double>(a + i % entries);
                    visit(i / entries, a, tensor, name, i,
                          std::sin(static_cast<double>(a + 1)) * std::cos(place) / 100);
                }
            }
        }
    }
    Problem const& problem_;
};

class AnyPolicy : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] Problem const& problem() const { return *GetParam(); }
    [[nodiscard]] InstancePtr generated(std::uint64_t seed) const {
        Rng rng(seed);
        auto instance = problem().generate(problem().info().default_size, {}, rng);
        EXPECT_TRUE(instance);
        return *instance;
    }
    [[nodiscard]] std::unique_ptr<Policy> smooth(PolicyTraits traits,
                                                 std::vector<std::size_t> const** batches = nullptr) {
        auto scorer = std::make_unique<SmoothScorer>(problem());
        if (batches != nullptr) *batches = &scorer->batches;
        auto policy = make_tensor_policy(
            std::move(scorer), {.problem = std::string(problem().info().name), .name = "smooth", .traits = traits});
        EXPECT_TRUE(policy);
        return *std::move(policy);
    }
    /// States along an episode of the policy.
    [[nodiscard]] std::vector<StatePtr> states(Policy const& policy, std::uint64_t seed) const {
        std::vector<StatePtr> result;
        StatePtr const state = generated(seed)->reset();
        while (!state->done() && result.size() < 6) {
            result.push_back(state->clone());
            std::vector const seen{policy.observe(*state)};
            auto const log_probs = policy.log_probs(seen).front();
            state->step(static_cast<std::size_t>(std::ranges::max_element(log_probs) - log_probs.begin()));
        }
        return result;
    }
};

PolicyTraits const anything_goes{.batch_invariant = true, .thread_safe = true, .differentiable = true};

TEST_P(AnyPolicy, GivesProbabilitiesOfTheAllowedActions) {
    auto const policy = smooth(anything_goes);
    for (StatePtr const& state : states(*policy, 1)) {
        auto const log_probs = policy->log_probs(std::vector{policy->observe(*state)}).front();
        double sum = 0;
        for (std::size_t a = 0; a < log_probs.size(); ++a) {
            EXPECT_EQ(std::isinf(log_probs[a]), state->action_mask()[a] == 0);
            sum += std::exp(log_probs[a]);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST_P(AnyPolicy, IsAskedAboutOneStateAtATimeUnlessItSaysThatBatchesDoNotMatter) {
    std::vector<std::size_t> const* calls = nullptr;
    for (bool const invariant : {false, true}) {
        auto const policy = smooth({.batch_invariant = invariant}, &calls);
        std::vector<Observation> seen;
        for (std::uint64_t seed = 0; seed < 5; ++seed) seen.push_back(policy->observe(*generated(seed)->reset()));
        auto const together = policy->log_probs(seen);
        EXPECT_EQ(*calls, invariant ? std::vector<std::size_t>{5} : std::vector<std::size_t>(5, 1));
        for (std::size_t i = 0; i < seen.size(); ++i) {
            EXPECT_EQ(together[i], policy->log_probs(std::span(seen).subspan(i, 1)).front());
        }
        EXPECT_TRUE(policy->log_probs({}).empty());
        EXPECT_TRUE(policy->gradients({}, {}).empty());
    }
}

TEST_P(AnyPolicy, DecodesWholeEpisodesWithoutAnEncoder) {
    auto const policy = smooth(anything_goes);
    std::vector const instances{generated(3), generated(4), generated(5)};
    for (EncodeMode const encode : {EncodeMode::once, EncodeMode::each_step}) {
        auto const episodes = decode(*policy, instances, {.threads = 2, .state = {.encode = encode}});
        ASSERT_TRUE(episodes) << episodes.error().message;
        for (std::size_t i = 0; i < instances.size(); ++i) {
            StatePtr const state = instances[i]->reset();
            for (std::size_t t = 0; t < (*episodes)[i].actions.size(); ++t) {
                auto const log_probs = policy->log_probs(std::vector{policy->observe(*state)}).front();
                EXPECT_EQ((*episodes)[i].log_probs[t], *std::ranges::max_element(log_probs));
                state->step((*episodes)[i].actions[t]);
            }
            EXPECT_TRUE(state->done());
        }
    }
}

TEST_P(AnyPolicy, HasTheGradientsOfFiniteDifferences) {
    auto const policy = smooth(anything_goes);
    for (StatePtr const& state : states(*policy, 6)) {
        std::vector const seen{policy->observe(*state)};
        std::vector<double> weights(state->action_mask().size());
        for (std::size_t a = 0; a < weights.size(); ++a) weights[a] = state->action_mask()[a] ? 0.5 + double(a % 3) : 0;
        auto const objective = [&](Features const& features) {
            auto const log_probs = policy->log_probs(std::vector{policy->observe(*state, features)}).front();
            double sum = 0;
            for (std::size_t a = 0; a < weights.size(); ++a) sum += weights[a] != 0 ? weights[a] * log_probs[a] : 0;
            return sum;
        };
        auto const found = policy->gradients(seen, {&weights, 1}).front();
        EXPECT_EQ(found.log_probs, policy->log_probs(seen).front());
        Features const pulled = policy->pull_back(*state, found.gradient);
        Features const base = state->features();
        for (std::size_t k = 0; k < base.size(); ++k) {
            for (std::size_t i = 0; i < base[k].values.size(); i += 7) {
                Features up = base, down = base;
                up[k].values[i] += 1e-4;
                down[k].values[i] -= 1e-4;
                EXPECT_NEAR(pulled[k].values[i], (objective(up) - objective(down)) / 2e-4, 1e-6);
            }
        }
    }
}

TEST_P(AnyPolicy, SeesTheTensorsItAskedFor) {
    std::string const wanted(problem().info().tensors[0].name);
    auto policy =
        make_tensor_policy(std::make_unique<SmoothScorer>(problem()),
                           {.problem = std::string(problem().info().name), .reads = {wanted, "current_node"}});
    if (!policy) { // not every environment has a place
        EXPECT_NE(policy.error().message.find("reads: \"current_node\" is not a tensor of"), std::string::npos);
        policy = make_tensor_policy(std::make_unique<SmoothScorer>(problem()),
                                    {.problem = std::string(problem().info().name), .reads = {wanted}});
    }
    auto const seen = std::get<TensorObservation>((*policy)->observe(*generated(8)->reset()));
    EXPECT_TRUE(seen.tensors.contains(wanted));
    EXPECT_LE(seen.tensors.size(), 2);
}

INSTANTIATE_TEST_SUITE_P(Problems, AnyPolicy, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& each) { return std::string(each.param->info().name); });

/// Answers what the test wants.
class ScriptedScorer final : public TensorScorer {
public:
    explicit ScriptedScorer(std::function<ScoreGradient(TensorBatch const&)> answer) : answer_(std::move(answer)) {}
    std::vector<double> scores(TensorBatch const& batch) override { return answer_(batch).scores; }
    ScoreGradient differentiate(TensorBatch const& batch, Cotangents const&) override { return answer_(batch); }

private:
    std::function<ScoreGradient(TensorBatch const&)> answer_;
};

/// What is said about an answer; empty if it is taken.
std::string refusal(std::function<ScoreGradient(TensorBatch const&)> answer, ScoreKind kind = ScoreKind::logits,
                    LogProbKind asked = LogProbKind::policy, bool differentiable = true) {
    auto const policy = make_tensor_policy(
        std::make_unique<ScriptedScorer>(std::move(answer)),
        {.problem = "op", .name = "liar", .scores = kind, .traits = {.differentiable = differentiable}});
    Rng rng(1);
    auto const state = (*find_problem("op")->generate("5", {}, rng))->reset();
    std::vector const seen{(*policy)->observe(*state)};
    std::vector<double> weights(state->action_mask().size());
    weights[0] = 1;
    try {
        (void)(*policy)->gradients(seen, {&weights, 1}, asked);
    } catch (PolicyFailure const& failure) {
        return failure.error().message;
    }
    return "";
}

ScoreGradient flat(TensorBatch const& batch, double score = 0) {
    return {std::vector<double>(batch.states * batch.actions, score), {}};
}

TEST(TensorPolicyChecks, TakesNumbersForWhatTheyAre) { // five of six actions are allowed
    EXPECT_EQ(refusal([](auto const& batch) { return flat(batch); }), "");
    EXPECT_EQ(refusal([](auto const& batch) { return flat(batch, -std::log(5.0)); }, ScoreKind::log_probs), "");
}

TEST(TensorPolicyChecks, RefusesAnswersThatCannotBe) {
    double const nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refusal([](auto const&) {
                  return ScoreGradient{{1, 2}, {}};
              }),
              "policy liar: 2 scores for 1 states of 6 actions");
    EXPECT_EQ(refusal([&](auto const& batch) { return flat(batch, nan); }),
              "policy liar: the score of action 0 is nan");
    EXPECT_EQ(refusal([&](auto const& batch) { return flat(batch, inf); }),
              "policy liar: the score of action 0 is inf");
    EXPECT_EQ(refusal([&](auto const& batch) { return flat(batch, -inf); }),
              "policy liar: the score of every allowed action is -inf");
    EXPECT_EQ(refusal([](auto const& batch) { return flat(batch, -1); }, ScoreKind::log_probs),
              "policy liar: the probabilities of the allowed actions add up to 1.8394, not 1");
}

TEST(TensorPolicyChecks, RefusesGradientsThatCannotBe) {
    auto const with = [](std::string const& name, Shape const& shape, double value) {
        return [=](TensorBatch const& batch) {
            ScoreGradient answer = flat(batch);
            std::vector<double> const values(*checked_element_count(shape), value);
            answer.gradients[name] = Tensor::from_doubles(Dtype::f64, shape, values);
            return answer;
        };
    };
    EXPECT_EQ(refusal(with("locs", {1, 6, 2}, 0.5)), "");
    EXPECT_EQ(refusal(with("locs", {1, 6, 2}, std::nan(""))), "policy liar: the gradient of locs has an entry nan");
    EXPECT_EQ(refusal(with("locs", {1, 6}, 0.5)),
              "policy liar: the gradient of locs has shape [1, 6], expected [1, 6, 2]");
    EXPECT_EQ(refusal(with("lox", {1}, 0.5)), "policy liar: a gradient of lox, which it was not given");
}

TEST(TensorPolicyChecks, SaysWhatItCannotBeAsked) {
    auto const fine = [](TensorBatch const& batch) { return flat(batch); };
    EXPECT_EQ(refusal(fine, ScoreKind::logits, LogProbKind::policy, false), "policy liar: it has no gradients");
    EXPECT_EQ(refusal(fine, ScoreKind::logits, LogProbKind::raw),
              "policy liar: it has no logits before clipping (--log-prob raw)");
    auto const nobody = make_tensor_policy(std::make_unique<ScriptedScorer>(fine), {.problem = "chess"});
    ASSERT_FALSE(nobody);
    EXPECT_EQ(nobody.error().message.substr(0, 42), "problem: \"chess\" is not a problem of cax (");
}

} // namespace
} // namespace cax
