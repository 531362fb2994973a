#include "attention.hpp"
#include "attention_lesson.hpp"
#include "cax/problems/registry.hpp"
#include "matnet_lesson.hpp"
#include "network_lesson.hpp"
#include "stepwise.hpp"

#include <cmath>
#include <deque>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// What a lesson says about a few random episodes of an instance.
struct Account {
    std::vector<std::vector<float>> log_probs;
    std::vector<float> gradient;
};

/// Episodes that take random allowed actions, side by side; the same ones whatever the lesson.
Account attend(Lesson& lesson, Instance const& instance, std::size_t parameters) {
    Rng rng(5);
    StatePtr const reset = instance.reset();
    lesson.begin(reset->observe());
    std::vector<StatePtr> states;
    for (int i = 0; i < 5; ++i) states.push_back(reset->clone());
    std::deque<Observation> kept;
    std::vector<float> weights;
    Account account;
    while (true) {
        std::vector<Observation const*> views;
        std::vector<State*> active;
        for (StatePtr const& state : states) {
            if (state->done()) continue;
            kept.push_back(state->observe_for_decoding());
            views.push_back(&kept.back());
            active.push_back(state.get());
        }
        if (active.empty()) break;
        auto const rows = lesson.decode(views);
        for (std::size_t i = 0; i < active.size(); ++i) {
            account.log_probs.emplace_back(rows[i].begin(), rows[i].end());
            std::vector<std::size_t> allowed;
            for (std::size_t a = 0; a < active[i]->action_mask().size(); ++a) {
                bool const open = active[i]->action_mask()[a] != 0;
                if (open) allowed.push_back(a);
                weights.push_back(open && rng.below(3) == 0 ? static_cast<float>(rng.normal()) : 0.0F);
            }
            active[i]->step(allowed[rng.below(allowed.size())]);
        }
    }
    account.gradient.resize(parameters);
    lesson.backward(weights, 0.3F, account.gradient);
    return account;
}

template <class Net> Net network_for(Problem const& problem, std::string const& size, NetworkDesign const& design) {
    TensorFile const file = *random_weights(problem, size, design, 4);
    auto const weights = WeightFile::open(file);
    EXPECT_TRUE(weights);
    Net net(*Net::configure(*weights, {}));
    EXPECT_TRUE(load_parameters(*weights, net.parameters()));
    net.pack();
    return net;
}

/// The fast lesson against the plain one, on instances of two sizes, one after the other.
template <class Fast, class Net, class Plain = NetworkLesson<Net>>
void expect_same_lesson(std::string_view name, std::vector<std::string> const& sizes, NetworkDesign const& design) {
    Problem const& problem = *find_problem(name);
    Net const net = network_for<Net>(problem, sizes.front(), design);
    Fast fast(net);
    Plain plain(net);
    Rng rng(2);
    for (std::string const& size : sizes) {
        SCOPED_TRACE(size);
        InstancePtr const instance = *problem.generate(size, {}, rng);
        std::size_t const parameters = net.parameters().values().size();
        Account const actual = attend(fast, *instance, parameters), expected = attend(plain, *instance, parameters);
        ASSERT_EQ(actual.log_probs.size(), expected.log_probs.size());
        for (std::size_t i = 0; i < expected.log_probs.size(); ++i)
            for (std::size_t a = 0; a < expected.log_probs[i].size(); ++a) {
                if (std::isinf(expected.log_probs[i][a]))
                    EXPECT_EQ(actual.log_probs[i][a], expected.log_probs[i][a]);
                else
                    EXPECT_NEAR(actual.log_probs[i][a], expected.log_probs[i][a], 2e-4);
            }
        // Parameter by parameter, for a mistake in a small one drowns in the norm of all.
        for (auto const& entry : net.parameters().entries()) {
            double squares = 0, off = 0;
            for (std::size_t i = entry.slice.offset; i < entry.slice.offset + entry.slice.size; ++i) {
                squares += std::pow(double{expected.gradient[i]}, 2);
                off += std::pow(double{expected.gradient[i]} - double{actual.gradient[i]}, 2);
            }
            EXPECT_LE(std::sqrt(off), 2e-3 * std::sqrt(squares) + 3e-5) << entry.name; // biases before a norm: 0
        }
    }
}

TEST(AttentionLesson, TeachesWhatTheStepwiseDecoderTeaches) {
    expect_same_lesson<AttentionLesson, AttentionNetwork<float>>("op", {"12", "5"}, {16, 1, 4});
    expect_same_lesson<AttentionLesson, AttentionNetwork<float>>("cvrptw", {"20", "9"}, {32, 2, 2});
}

/// A stepwise network's lesson, as trainable networks make it.
class Together : public Lesson {
public:
    explicit Together(AttentionNetwork<float> const& net)
        : lesson_(std::make_unique<NetworkLesson<AttentionNetwork<float>>>(net, true)) {}
    void begin(Observation const& reset) override { lesson_.begin(reset); }
    std::vector<std::span<float const>> decode(std::span<Observation const* const> states) override {
        return lesson_.decode(states);
    }
    void backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) override {
        lesson_.backward(weights, entropy_weight, gradient);
    }

private:
    StepwiseLesson lesson_;
};

/// What that must come to: each state is a lesson of its own.
class OneByOne final : public Lesson {
public:
    explicit OneByOne(AttentionNetwork<float> const& net) : net_(net) {}
    void begin(Observation const&) override { lessons_.clear(); }
    std::vector<std::span<float const>> decode(std::span<Observation const* const> states) override {
        std::vector<std::span<float const>> rows;
        for (Observation const* const state : states) {
            lessons_.emplace_back(net_).begin(*state);
            rows.push_back(lessons_.back().decode({&state, 1}).front());
            actions_ = action_count(*state);
        }
        return rows;
    }
    void backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) override {
        for (std::size_t i = 0; i < lessons_.size(); ++i)
            lessons_[i].backward(weights.subspan(i * actions_, actions_), entropy_weight, gradient);
    }

private:
    AttentionNetwork<float> const& net_;
    std::deque<Together> lessons_;
    std::size_t actions_ = 0; ///< of every state
};

TEST(StepwiseLesson, TeachesEveryStateAsItStands) {
    expect_same_lesson<Together, AttentionNetwork<float>, OneByOne>("knapsack", {"15", "6"}, {16, 2, 4});
}

TEST(MatnetLesson, TeachesWhatTheStepwiseDecoderTeaches) {
    expect_same_lesson<MatnetLesson, MatnetNetwork<float>>("fjsp", {"4x3", "6x2"}, {16, 1, 4});
    expect_same_lesson<MatnetLesson, MatnetNetwork<float>>("fjsp", {"5x4"}, {32, 2, 8});
}

} // namespace
} // namespace cax
