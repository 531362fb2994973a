#include "cax/io/tensor_files.hpp"
#include "data.hpp"
#include "fjsp_trace.hpp"
#include "matnet_support.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>

namespace cax::test {
namespace {

struct Golden {
    TensorFile weights, trace;
};

Golden read_golden(std::string const& folder) {
    auto weights = io::read_safetensors(shared_path("rl4co-golden/" + folder + "/weights.safetensors"));
    auto trace = io::read_safetensors(shared_path("rl4co-golden/" + folder + "/trace.safetensors"));
    EXPECT_TRUE(weights && trace);
    return {std::move(*weights), std::move(*trace)};
}

/// One state of a trace with what rl4co says about it.
struct Case {
    std::string name;
    Observation seen;
    std::vector<double> weights; ///< 1 for the action taken
    Tensor log_probs, log_probs64, cached, times64, eligible64;
};

Case make_case(FjspTrace const& trace, std::string name) {
    Case c{std::move(name),
           trace.observe(),
           {},
           trace.of_step("logprobs"),
           trace.of_step("logprobs64"),
           trace.of_step("logprobs_cached"),
           trace.of_step("grad64/proc_times"),
           trace.of_step("grad64/num_eligible")};
    c.weights.assign(action_count(c.seen), 0.0);
    c.weights[static_cast<std::size_t>(trace.of_step("action").as_int(0))] = 1.0;
    return c;
}

/// All steps of one instance of a trace.
std::vector<Case> cases_of(Golden const& golden, std::string const& prefix, std::size_t instance, std::size_t row) {
    std::vector<Case> cases;
    for (FjspTrace trace(golden.trace.tensors, prefix, instance, row); trace.has_step(); trace.advance())
        cases.push_back(make_case(trace, fmt::format("{}instance {} step {}", prefix, instance, cases.size())));
    return cases;
}

std::vector<Observation> observations(std::vector<Case> const& cases) {
    std::vector<Observation> seen;
    for (Case const& c : cases) seen.push_back(c.seen);
    return seen;
}

std::vector<std::vector<double>> weights(std::vector<Case> const& cases) {
    std::vector<std::vector<double>> result;
    for (Case const& c : cases) result.push_back(c.weights);
    return result;
}

void expect_log_probs(LogProbs const& ours, Tensor const& theirs, double tolerance, std::string const& name) {
    ASSERT_EQ(ours.size(), theirs.size()) << name;
    for (std::size_t a = 0; a < ours.size(); ++a) {
        double const expected = theirs.as_double(a);
        if (std::isinf(expected))
            ASSERT_EQ(ours[a], expected) << name << " action " << a;
        else
            ASSERT_NEAR(ours[a], expected, tolerance) << name << " action " << a;
    }
}

/// Largest difference, as a share of the largest entry.
double error_of(std::span<double const> ours, Tensor const& theirs) {
    EXPECT_EQ(ours.size(), theirs.size());
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        largest = std::max(largest, std::abs(theirs.as_double(i)));
        worst = std::max(worst, std::abs(ours[i] - theirs.as_double(i)));
    }
    return worst / largest;
}

double gradient_error(Policy::Gradient const& ours, Case const& theirs) {
    auto const& gradient = std::get<ScheduleObservation>(ours.gradient);
    return std::max(error_of(gradient.proc_times.values(), theirs.times64),
                    error_of(gradient.num_eligible, theirs.eligible64));
}

class MatnetGolden : public testing::Test {
protected:
    void SetUp() override { CAX_REQUIRE_SHARED("rl4co-golden/fjsp/trace.safetensors"); }
    /// Every state of the four instances, each a batch of its own in rl4co.
    static std::vector<Case> singles(Golden const& golden) {
        std::vector<Case> all;
        for (std::size_t b = 0; b < 4; ++b) {
            std::vector<Case> own = cases_of(golden, fmt::format("single{}/", b), b, 0);
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }
    /// by_step[t]: the batch of four at step t.
    static std::vector<std::vector<Case>> batches(Golden const& golden) {
        std::vector<std::vector<Case>> by_step;
        for (std::size_t b = 0; b < 4; ++b) {
            std::vector<Case> const own = cases_of(golden, "", b, b);
            by_step.resize(own.size());
            for (std::size_t t = 0; t < own.size(); ++t) by_step[t].push_back(own[t]);
        }
        return by_step;
    }
};

TEST_F(MatnetGolden, AgreesInDoubleOnStatesTakenByThemselves) {
    Golden const golden = read_golden("fjsp");
    std::vector<Case> const cases = singles(golden);
    ASSERT_EQ(cases.size(), 48U);
    auto const policy = make_matnet_policy<double>(golden.weights);
    auto const ours = policy->gradients(observations(cases), weights(cases));
    for (std::size_t i = 0; i < cases.size(); ++i) {
        expect_log_probs(ours[i].log_probs, cases[i].log_probs64, 1e-9, cases[i].name);
        EXPECT_LE(gradient_error(ours[i], cases[i]), 1e-8) << cases[i].name;
    }
}

TEST_F(MatnetGolden, AgreesInDoubleOnBatchesThatShareADeviation) {
    Golden const golden = read_golden("fjsp");
    auto const policy = make_matnet_policy<double>(golden.weights, {.coupled_batch = true});
    for (std::vector<Case> const& cases : batches(golden)) {
        auto const alone = policy->log_probs(observations(cases));
        auto const ours = policy->gradients(observations(cases), weights(cases));
        for (std::size_t b = 0; b < cases.size(); ++b) {
            EXPECT_EQ(alone[b], ours[b].log_probs);
            expect_log_probs(ours[b].log_probs, cases[b].log_probs64, 1e-9, cases[b].name);
            EXPECT_LE(gradient_error(ours[b], cases[b]), 1e-8) << cases[b].name;
        }
    }
}

TEST_F(MatnetGolden, AgreesInFloat) {
    Golden const golden = read_golden("fjsp");
    std::vector<Case> const cases = singles(golden);
    auto const policy = make_matnet_policy<float>(golden.weights);
    auto const ours = policy->gradients(observations(cases), weights(cases));
    // A few states sit on a kink of a ReLU: a hidden unit within 1e-6 of 0, on the other side of it in float.
    std::size_t kinks = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        expect_log_probs(ours[i].log_probs, cases[i].log_probs64, 5e-5, cases[i].name);
        double const error = gradient_error(ours[i], cases[i]);
        EXPECT_LE(error, 2e-2) << cases[i].name;
        if (error > 1e-4) ++kinks;
    }
    EXPECT_LE(kinks, 5U);
}

TEST_F(MatnetGolden, DecodesLaterStatesWithTheEncodingOfTheFirst) {
    Golden const golden = read_golden("fjsp");
    auto const policy = make_matnet_policy<float>(golden.weights);
    EXPECT_TRUE(policy->encoding_changes());
    for (std::size_t b = 0; b < 4; ++b) {
        std::vector<Case> const cases = cases_of(golden, fmt::format("single{}/", b), b, 0);
        std::vector<Observation> const seen = observations(cases);
        auto const encoding = policy->encode(std::span(seen).first(1));
        auto const ours = policy->decode(*encoding, std::vector<std::size_t>(seen.size(), 0), seen);
        for (std::size_t t = 0; t < cases.size(); ++t) expect_log_probs(ours[t], cases[t].cached, 1e-4, cases[t].name);
    }
}

TEST_F(MatnetGolden, DecodesABatchWithOneDeviation) {
    Golden const golden = read_golden("fjsp");
    auto const policy = make_matnet_policy<float>(golden.weights, {.coupled_batch = true});
    std::vector<std::vector<Case>> const by_step = batches(golden);
    auto const encoding = policy->encode(observations(by_step[0]));
    for (std::vector<Case> const& cases : by_step) {
        auto const ours = policy->decode(*encoding, std::vector<std::size_t>{0, 1, 2, 3}, observations(cases));
        for (std::size_t b = 0; b < 4; ++b) expect_log_probs(ours[b], cases[b].cached, 1e-4, cases[b].name);
    }
}

TEST_F(MatnetGolden, AgreesAtTheWidthAndDepthOfTheClassDefaults) {
    CAX_REQUIRE_SHARED("rl4co-golden/fjsp_default/trace.safetensors");
    Golden const golden = read_golden("fjsp_default");
    std::vector<Case> const cases = cases_of(golden, "", 0, 0);
    ASSERT_EQ(cases.size(), 4U);
    auto const exact = make_matnet_policy<double>(golden.weights);
    EXPECT_EQ(exact->info().embed_dim, 256U);
    EXPECT_EQ(exact->info().layers, 4U);
    auto const ours = exact->gradients(observations(cases), weights(cases));
    auto const rounded = make_matnet_policy<float>(golden.weights)->log_probs(observations(cases));
    for (std::size_t t = 0; t < cases.size(); ++t) {
        expect_log_probs(ours[t].log_probs, cases[t].log_probs64, 1e-9, cases[t].name);
        EXPECT_LE(gradient_error(ours[t], cases[t]), 1e-8) << cases[t].name;
        expect_log_probs(rounded[t], cases[t].log_probs, 1e-4, cases[t].name);
    }
}

/// Five states of different sizes.
std::vector<Observation> mixed_states() {
    return {random_schedule(3, 2, 2, 2, 1), random_schedule(10, 5, 5, 10, 2), random_schedule(1, 1, 3, 0, 3),
            random_schedule(10, 5, 6, 0, 4), random_schedule(4, 7, 3, 5, 5)};
}

std::vector<std::vector<double>> uniform_weights(std::span<Observation const> states) {
    std::vector<std::vector<double>> result;
    for (Observation const& state : states) {
        result.emplace_back();
        for (std::uint8_t const allowed : action_mask(state)) result.back().push_back(allowed ? 0.5 : 0.0);
    }
    return result;
}

TEST(Matnet, GivesTheSameBitsInAnyBatchAndOnAnyNumberOfThreads) {
    TensorFile const file = random_policy("fjsp", {.embed_dim = 32, .layers = 2, .heads = 4}, 3);
    std::vector<Observation> const states = mixed_states();
    auto const state_weights = uniform_weights(states);
    auto const one = make_matnet_policy<float>(file, {.threads = 1});
    auto const two = make_matnet_policy<float>(file, {.threads = 2});
    auto const together = one->gradients(states, state_weights);
    auto const threaded = two->gradients(states, state_weights);
    auto const log_probs = two->log_probs(states);
    for (std::size_t i = 0; i < states.size(); ++i) {
        auto const alone = one->gradients(std::span(states).subspan(i, 1), std::span(state_weights).subspan(i, 1));
        EXPECT_EQ(log_probs[i], alone[0].log_probs);
        for (Policy::Gradient const* const other : {&together[i], &threaded[i]}) {
            EXPECT_EQ(other->log_probs, alone[0].log_probs) << i;
            auto const& a = std::get<ScheduleObservation>(other->gradient);
            auto const& b = std::get<ScheduleObservation>(alone[0].gradient);
            EXPECT_EQ(a.proc_times, b.proc_times) << i;
            EXPECT_EQ(a.num_eligible, b.num_eligible) << i;
        }
    }
}

TEST(Matnet, HasNoGradientWhereThereIsNoChoice) {
    auto const policy = make_matnet_policy<float>(random_policy("fjsp", {.embed_dim = 16, .layers = 2, .heads = 4}, 3));
    ScheduleObservation state = random_schedule(3, 2, 2, 2, 1);
    std::fill(state.mask.begin(), state.mask.end(), std::uint8_t{0});
    state.mask[4] = 1;
    std::vector<Observation> const states{state};
    auto const ours = policy->gradients(states, uniform_weights(states));
    EXPECT_EQ(ours[0].log_probs[4], 0.0);
    auto const& gradient = std::get<ScheduleObservation>(ours[0].gradient);
    EXPECT_EQ(gradient.proc_times, Matrix<double>(2, 8));
    EXPECT_EQ(gradient.num_eligible, std::vector<double>(8, 0.0));
}

TEST(Matnet, LetsStatesOfABatchTouchEachOtherOnlyWhenCoupled) {
    TensorFile const file = random_policy("fjsp", {.embed_dim = 16, .layers = 2, .heads = 4}, 3);
    std::vector<Observation> states = mixed_states();
    auto const alone = make_matnet_policy<float>(file);
    auto const coupled = make_matnet_policy<float>(file, {.coupled_batch = true});
    EXPECT_EQ(alone->log_probs(std::span(states).first(1)), coupled->log_probs(std::span(states).first(1)));
    EXPECT_NE(alone->log_probs(states)[0], coupled->log_probs(states)[0]);
}

TEST(Matnet, LeavesTheClippingOutOfRawLogProbabilities) {
    TensorFile file = random_policy("fjsp", {.embed_dim = 16, .layers = 1, .heads = 4}, 3);
    std::vector<Observation> const states = mixed_states();
    auto const raw = make_matnet_policy<float>(file)->log_probs(states, LogProbKind::raw);
    file.metadata["tanh_clipping"] = "0";
    EXPECT_EQ(raw, make_matnet_policy<float>(file)->log_probs(states, LogProbKind::policy));
    EXPECT_NE(raw, make_matnet_policy<float>(random_policy("fjsp", {.embed_dim = 16, .layers = 1, .heads = 4}, 3))
                       ->log_probs(states));
}

TEST(Matnet, RefusesObservationsThatDoNotHangTogether) {
    auto const policy = make_matnet_policy<float>(random_policy("fjsp", 16, 1, 0));
    ScheduleObservation const good = random_schedule(3, 2, 2, 2, 1);
    EXPECT_TRUE(policy->accepts(good));
    EXPECT_FALSE(policy->accepts(GraphObservation{}));
    EXPECT_FALSE(policy->accepts(ScheduleObservation{}));

    auto const message_after = [&](auto&& spoil) {
        ScheduleObservation bad = good;
        spoil(bad);
        auto const answer = policy->accepts(bad);
        return answer ? std::string("accepted") : answer.error().message;
    };
    EXPECT_EQ(message_after([](auto& s) { s.num_eligible.pop_back(); }), "num_eligible has 7 entries, expected 8");
    EXPECT_EQ(message_after([](auto& s) { s.mask.push_back(1); }), "mask has 8 entries, expected 7");
    EXPECT_EQ(message_after([](auto& s) { s.next_op[1] = 8; }), "job 1: next operation 8 of 8 operations");
    EXPECT_EQ(message_after([](auto& s) { s.position[4] = 1000; }),
              "operation 4: position 1000, the policy knows 1000 positions");
}

TEST(Matnet, NamesTheTensorThatDoesNotFit) {
    auto const message_after = [](auto&& spoil) {
        TensorFile file = random_policy("fjsp", {.embed_dim = 16, .layers = 2, .heads = 4}, 0);
        spoil(file);
        auto const weights = WeightFile::open(file);
        auto const config = MatnetNetwork<float>::configure(*weights, {});
        if (!config) return config.error().message;
        MatnetNetwork<float> net(*config);
        auto const loaded = load_parameters(*weights, net.parameters());
        return loaded ? std::string("loaded") : loaded.error().message;
    };
    EXPECT_EQ(message_after([](TensorFile&) {}), "loaded");
    EXPECT_EQ(message_after([](TensorFile& f) { f.tensors.erase("encoder.init_embedding.pos_encoder.pe"); }),
              "encoder.init_embedding.pos_encoder.pe: missing");
    EXPECT_EQ(message_after([](TensorFile& f) { f.tensors["encoder.init_embedding.pos_encoder.pe"] = Tensor(); }),
              "encoder.init_embedding.pos_encoder.pe: shape [0], expected [1, positions, 16]");
    EXPECT_EQ(message_after([](TensorFile& f) { f.tensors.erase("encoder.layers.1.cross_attn.Wqv1.weight"); }),
              "encoder.layers.1.cross_attn.Wqv1.weight: missing");
    EXPECT_EQ(message_after([](TensorFile& f) { f.metadata["num_heads"] = "2"; }),
              "encoder.layers.0.cross_attn.mixed_scores_layer.lin1.weight: shape [16, 8], expected [16, 4]");
}

} // namespace
} // namespace cax::test
