// How often the policy is asked for one question about one decision: once an episode is there, its length costs
// nothing.
#include "cax/explain/explanation.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

/// The policy of another, which counts what it is asked.
class CountingPolicy final : public Policy {
public:
    explicit CountingPolicy(Policy const& policy) : policy_(policy) {}

    [[nodiscard]] std::size_t calls() const { return calls_; }   ///< of any kind
    [[nodiscard]] std::size_t states() const { return states_; } ///< that they were about

    [[nodiscard]] PolicyInfo const& info() const override { return policy_.info(); }
    [[nodiscard]] PolicyTraits traits() const override { return policy_.traits(); }
    [[nodiscard]] Observation observe(State const& state, Features const& features) const override {
        return policy_.observe(state, features);
    }
    [[nodiscard]] Observation observe_for_decoding(State const& state) const override {
        return policy_.observe_for_decoding(state);
    }
    [[nodiscard]] Features pull_back(State const& state, Observation const& gradient) const override {
        return policy_.pull_back(state, gradient);
    }
    [[nodiscard]] Result<void> accepts(Observation const& observation) const override {
        return policy_.accepts(observation);
    }
    [[nodiscard]] bool encoding_changes() const override { return policy_.encoding_changes(); }
    [[nodiscard]] std::unique_ptr<Encoding> encode(std::span<Observation const> observations) const override {
        count(observations.size());
        return policy_.encode(observations);
    }
    [[nodiscard]] std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                               std::span<Observation const> observations,
                                               LogProbKind kind) const override {
        count(observations.size());
        return policy_.decode(encoding, rows, observations, kind);
    }
    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                  LogProbKind kind) const override {
        count(observations.size());
        return policy_.log_probs(observations, kind);
    }
    [[nodiscard]] std::vector<Gradient> gradients(std::span<Observation const> observations,
                                                  std::span<std::vector<double> const> weights,
                                                  LogProbKind kind) const override {
        count(observations.size());
        return policy_.gradients(observations, weights, kind);
    }

private:
    void count(std::size_t states) const {
        ++calls_;
        states_ += states;
    }

    Policy const& policy_;
    mutable std::size_t calls_ = 0; // one thread asks
    mutable std::size_t states_ = 0;
};

struct Asked {
    std::size_t calls = 0;
    std::size_t states = 0;
    std::size_t forward_passes = 0; ///< as the result says
};

class PolicyCalls : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        auto made = make_policy(test::random_policy(GetParam()->info().name, 16, 1, 7));
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
    }
    [[nodiscard]] bool jobs() const { return GetParam()->info().size_hint != "N"; }
    [[nodiscard]] InstancePtr instance(std::string const& size) const {
        Rng rng(11);
        return *GetParam()->generate(size, {}, rng);
    }
    [[nodiscard]] Episode episode(InstancePtr const& instance, std::size_t steps = 0) const {
        auto made = rollout(*policy_, instance, {.steps = steps});
        EXPECT_TRUE(made) << made.error().message;
        return *std::move(made);
    }
    /// What one swap about the first decision costs.
    [[nodiscard]] Asked swap_of_first(Episode const& episode) const {
        CountingPolicy const counting(*policy_);
        ExplainOptions options;
        options.parts = ChosenParts::of<parts::Swap>();
        options.threads = 1;
        auto const step = explain_step(counting, episode, 0, options);
        EXPECT_TRUE(step) << step.error().message;
        return {counting.calls(), counting.states(), step->of<parts::Swap>()->swap.forward_passes};
    }

    std::unique_ptr<Policy> policy_;
};

TEST_P(PolicyCalls, ASwapCostsTheSameForAWholeEpisodeAndForOneThatWasCutOff) {
    InstancePtr const one = instance(jobs() ? "4x3" : "14");
    Episode const whole = episode(one);
    Episode const cut = episode(one, 1);
    ASSERT_GT(whole.decisions.size(), 5u);
    ASSERT_EQ(cut.decisions.size(), 1u);
    Asked const of_whole = swap_of_first(whole);
    Asked const of_cut = swap_of_first(cut);
    EXPECT_EQ(of_whole.calls, of_cut.calls);
    EXPECT_EQ(of_whole.states, of_cut.states);
}

TEST_P(PolicyCalls, ASwapAsksForAsManyStatesAsItSaysWhateverTheLength) {
    std::size_t const most = std::size_t{1} << GetParam()->info().families.size();
    std::size_t shortest = 0;
    std::size_t in_all = 0;
    for (std::string const& size :
         jobs() ? std::vector<std::string>{"2x2", "4x3", "8x3"} : std::vector<std::string>{"5", "14", "40"}) {
        Episode const whole = episode(instance(size));
        EXPECT_GT(whole.decisions.size(), shortest) << "longer ones are to be compared";
        shortest = whole.decisions.size();
        Asked const asked = swap_of_first(whole);
        EXPECT_EQ(asked.states, asked.forward_passes) << size;
        EXPECT_LE(asked.states, most) << size;
        EXPECT_LE(asked.calls, 1u) << size << ": all exchanges are one batch";
        in_all += asked.states;
    }
    EXPECT_GT(in_all, 0u) << "there is something to compare somewhere";
}

std::string name(testing::TestParamInfo<Problem const*> const& info) { return std::string(info.param->info().name); }
INSTANTIATE_TEST_SUITE_P(EveryProblem, PolicyCalls, testing::ValuesIn(all_problems()), name);

} // namespace
} // namespace cax
