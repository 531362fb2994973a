#include "cax/nn/mixed_score.hpp"

#include "cax/core/rng.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

namespace cax::nn {
namespace {

struct StateSize {
    std::size_t ops, machines;
};

/// A stack of states with random projections and costs, the block, and where everything is.
template <class R> struct ScoreStack {
    std::size_t embed_dim, heads;
    std::vector<std::size_t> op_rows{0}, machine_rows{0}, pair_rows{0};
    std::vector<R> ops, machines, costs;
    Parameters<R> parameters;
    MixedScoreAttention<R> block;
    bool coupled = false;

    ScoreStack(std::vector<StateSize> const& sizes, std::size_t width, std::size_t head_count, std::uint64_t seed = 7)
        : embed_dim(width), heads(head_count), block(parameters, "mixed", width, head_count) {
        for (StateSize const size : sizes) {
            op_rows.push_back(op_rows.back() + size.ops);
            machine_rows.push_back(machine_rows.back() + size.machines);
            pair_rows.push_back(pair_rows.back() + size.ops * size.machines);
        }
        ops.resize(op_rows.back() * 2 * width);
        machines.resize(machine_rows.back() * 2 * width);
        costs.resize(pair_rows.back());
        Rng rng(seed);
        for (std::vector<R>* const values : {&ops, &machines, &costs})
            for (R& value : *values) value = static_cast<R>(rng.normal());
        for (R& value : parameters.values()) value = static_cast<R>(rng.normal());
        block.pack(parameters);
    }
    PairSegments segments() const { return {op_rows, machine_rows, pair_rows}; }
    View<R const> ops_view() const { return {ops.data(), op_rows.back(), 2 * embed_dim, 2 * embed_dim}; }
    View<R const> machines_view() const { return {machines.data(), machine_rows.back(), 2 * embed_dim, 2 * embed_dim}; }
};

struct Output {
    std::vector<double> ops, machines;
};

template <class R> Output run(ScoreStack<R> const& stack) {
    Arena arena;
    View<R> const out_ops = arena.matrix<R>(stack.op_rows.back(), stack.embed_dim);
    View<R> const out_machines = arena.matrix<R>(stack.machine_rows.back(), stack.embed_dim);
    stack.block.forward(stack.ops_view(), stack.machines_view(), stack.costs, stack.segments(), stack.coupled, out_ops,
                        out_machines, arena);
    return {{out_ops.data, out_ops.data + out_ops.rows * out_ops.cols},
            {out_machines.data, out_machines.data + out_machines.rows * out_machines.cols}};
}

/// The scores of one state from the definition: [h][o][m], before division.
std::vector<double> naive_mix(ScoreStack<double> const& stack, std::size_t s) {
    std::size_t const width = stack.embed_dim, heads = stack.heads, dim = width / heads;
    std::size_t const ops = stack.op_rows[s + 1] - stack.op_rows[s];
    std::size_t const machines = stack.machine_rows[s + 1] - stack.machine_rows[s];
    double const* const lin1 = stack.parameters.values().data();
    double const* const lin2 = lin1 + width * 2 * heads;
    std::vector<double> mix(heads * ops * machines);
    for (std::size_t o = 0; o < ops; ++o)
        for (std::size_t m = 0; m < machines; ++m) {
            std::vector<double> input(2 * heads), hidden(width, 0.0);
            for (std::size_t h = 0; h < heads; ++h) {
                double dot = 0;
                for (std::size_t i = 0; i < dim; ++i)
                    dot += stack.ops_view()(stack.op_rows[s] + o, h * dim + i) *
                           stack.machines_view()(stack.machine_rows[s] + m, h * dim + i);
                input[2 * h] = dot / std::sqrt(static_cast<double>(dim));
                input[2 * h + 1] = stack.costs[stack.pair_rows[s] + o * machines + m];
            }
            for (std::size_t e = 0; e < width; ++e) {
                for (std::size_t c = 0; c < 2 * heads; ++c) hidden[e] += lin1[e * 2 * heads + c] * input[c];
                hidden[e] = std::max(hidden[e], 0.0);
            }
            for (std::size_t h = 0; h < heads; ++h)
                for (std::size_t e = 0; e < width; ++e)
                    mix[(h * ops + o) * machines + m] += lin2[h * width + e] * hidden[e];
        }
    return mix;
}

double naive_deviation(std::vector<double> const& values) {
    double const n = static_cast<double>(values.size());
    double const mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (double const value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (n - 1));
}

Output naive(ScoreStack<double> const& stack) {
    std::size_t const width = stack.embed_dim, heads = stack.heads, dim = width / heads;
    Output out{std::vector<double>(stack.op_rows.back() * width),
               std::vector<double>(stack.machine_rows.back() * width)};
    std::vector<double> all;
    for (std::size_t s = 0; s + 1 < stack.pair_rows.size(); ++s) {
        std::vector<double> const mix = naive_mix(stack, s);
        all.insert(all.end(), mix.begin(), mix.end());
    }
    for (std::size_t s = 0; s + 1 < stack.pair_rows.size(); ++s) {
        std::vector<double> mix = naive_mix(stack, s);
        double const deviation = naive_deviation(stack.coupled ? all : mix);
        for (double& value : mix) value = std::exp(value / deviation);
        std::size_t const ops = stack.op_rows[s + 1] - stack.op_rows[s];
        std::size_t const machines = stack.machine_rows[s + 1] - stack.machine_rows[s];
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t o = 0; o < ops; ++o)
                for (std::size_t m = 0; m < machines; ++m) {
                    double row = 0, column = 0;
                    for (std::size_t k = 0; k < machines; ++k) row += mix[(h * ops + o) * machines + k];
                    for (std::size_t k = 0; k < ops; ++k) column += mix[(h * ops + k) * machines + m];
                    double const e = mix[(h * ops + o) * machines + m];
                    for (std::size_t c = h * dim; c < (h + 1) * dim; ++c) {
                        std::size_t const op = stack.op_rows[s] + o, machine = stack.machine_rows[s] + m;
                        out.ops[op * width + c] += e / row * stack.machines_view()(machine, width + c);
                        out.machines[machine * width + c] += e / column * stack.ops_view()(op, width + c);
                    }
                }
    }
    return out;
}

void expect_near(std::vector<double> const& a, std::vector<double> const& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << "entry " << i;
}

std::vector<StateSize> const three_states{{5, 3}, {2, 4}, {7, 1}};

TEST(MixedScoreAttention, EqualsItsDefinition) {
    for (std::size_t const heads : {1u, 2u, 4u, 8u})
        for (bool const coupled : {false, true}) {
            ScoreStack<double> stack(three_states, 16, heads);
            stack.coupled = coupled;
            Output const ours = run(stack), theirs = naive(stack);
            expect_near(ours.ops, theirs.ops, 1e-12);
            expect_near(ours.machines, theirs.machines, 1e-12);
        }
}

TEST(MixedScoreAttention, ComputesInFloatWhatItComputesInDouble) {
    ScoreStack<double> const exact({{60, 5}}, 128, 8);
    ScoreStack<float> const rounded({{60, 5}}, 128, 8);
    Output const a = run(exact), b = run(rounded);
    expect_near(a.ops, b.ops, 1e-4);
    expect_near(a.machines, b.machines, 1e-4);
}

TEST(MixedScoreAttention, GivesAStateTheSameBitsAloneAndInAStack) {
    ScoreStack<float> stack({{5, 3}, {9, 5}, {7, 1}}, 16, 4);
    ScoreStack<float> alone({{9, 5}}, 16, 4);
    alone.ops.assign(stack.ops.begin() + 5 * 32, stack.ops.begin() + 14 * 32);
    alone.machines.assign(stack.machines.begin() + 3 * 32, stack.machines.begin() + 8 * 32);
    alone.costs.assign(stack.costs.begin() + 15, stack.costs.begin() + 60);
    std::copy_n(stack.parameters.values().begin(), stack.parameters.values().size(), alone.parameters.values().begin());
    alone.block.pack(alone.parameters);
    Output const many = run(stack), one = run(alone);
    EXPECT_EQ(one.ops, std::vector<double>(many.ops.begin() + 5 * 16, many.ops.begin() + 14 * 16));
    EXPECT_EQ(one.machines, std::vector<double>(many.machines.begin() + 3 * 16, many.machines.begin() + 8 * 16));
    stack.coupled = true;
    EXPECT_NE(run(stack).ops, many.ops);
}

TEST(MixedScoreAttention, GivesNoWeightToScoresThatDoNotVary) {
    ScoreStack<float> stack({{3, 2}}, 8, 2);
    std::fill(stack.parameters.values().begin(), stack.parameters.values().end(), 0.0F);
    stack.block.pack(stack.parameters);
    Output const out = run(stack);
    EXPECT_EQ(out.ops, std::vector<double>(3 * 8, 0.0));
    EXPECT_EQ(out.machines, std::vector<double>(2 * 8, 0.0));
}

/// d(sum of out * weights) by the block's backward.
struct Gradients {
    std::vector<double> ops, machines, costs, parameters;
};

Gradients backward(ScoreStack<double> const& stack, std::vector<double> const& weights) {
    Arena arena;
    std::size_t const width = stack.embed_dim, op_rows = stack.op_rows.back(), machine_rows = stack.machine_rows.back();
    View<double> const out_ops = arena.matrix<double>(op_rows, width);
    View<double> const out_machines = arena.matrix<double>(machine_rows, width);
    auto const saved = stack.block.forward(stack.ops_view(), stack.machines_view(), stack.costs, stack.segments(),
                                           stack.coupled, out_ops, out_machines, arena);
    Gradients g{std::vector<double>(stack.ops.size()), std::vector<double>(stack.machines.size()),
                std::vector<double>(stack.costs.size()), std::vector<double>(stack.parameters.values().size())};
    stack.block.backward(saved, stack.segments(), {weights.data(), op_rows, width, width},
                         {weights.data() + op_rows * width, machine_rows, width, width},
                         {g.ops.data(), op_rows, 2 * width, 2 * width},
                         {g.machines.data(), machine_rows, 2 * width, 2 * width}, g.costs, g.parameters, arena);
    return g;
}

double objective(ScoreStack<double> const& stack, std::vector<double> const& weights) {
    Output const out = run(stack);
    double const first = std::inner_product(out.ops.begin(), out.ops.end(), weights.begin(), 0.0);
    return std::inner_product(out.machines.begin(), out.machines.end(),
                              weights.begin() + static_cast<std::ptrdiff_t>(out.ops.size()), first);
}

TEST(MixedScoreAttention, HasTheDerivativesThatDifferencesShow) {
    for (bool const coupled : {false, true}) {
        ScoreStack<double> stack(three_states, 8, 2, 11);
        stack.coupled = coupled;
        std::vector<double> weights((stack.op_rows.back() + stack.machine_rows.back()) * stack.embed_dim);
        Rng rng(5);
        for (double& weight : weights) weight = rng.normal();
        Gradients const g = backward(stack, weights);

        auto const check = [&](std::span<double> values, std::vector<double> const& gradient, char const* what) {
            ASSERT_EQ(values.size(), gradient.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                double const kept = values[i], h = 1e-6;
                auto const at = [&](double value) {
                    values[i] = value;
                    stack.block.pack(stack.parameters);
                    return objective(stack, weights);
                };
                double const difference = (at(kept + h) - at(kept - h)) / (2 * h);
                values[i] = kept;
                EXPECT_NEAR(gradient[i], difference, 1e-6) << what << ' ' << i << (coupled ? " coupled" : "");
            }
            stack.block.pack(stack.parameters);
        };
        check(stack.ops, g.ops, "operation");
        check(stack.machines, g.machines, "machine");
        check(stack.costs, g.costs, "cost");
        check(stack.parameters.values(), g.parameters, "parameter");
    }
}

} // namespace
} // namespace cax::nn
