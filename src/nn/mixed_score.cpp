#include "cax/nn/mixed_score.hpp"

#include <algorithm>
#include <cmath>

namespace cax::nn {

namespace {

/// Sum of term(i), in double whatever the terms are made of: eight sums that do not wait for each other.
template <class Term> double sum_of(std::size_t count, Term const& term) {
    double sums[8]{};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t k = 0; k < 8; ++k) sums[k] += term(i + k);
    for (; i < count; ++i) sums[0] += term(i);
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

} // namespace

template <class R>
MixedScoreAttention<R>::MixedScoreAttention(Parameters<R>& parameters, std::string const& name, std::size_t embed_dim,
                                            std::size_t heads)
    : embed_dim_(embed_dim), heads_(heads) {
    assert(heads > 0 && embed_dim % heads == 0);
    lin1_ = parameters.add(name + ".lin1.weight", {embed_dim, 2 * heads});
    lin2_ = parameters.add(name + ".lin2.weight", {heads, embed_dim});
}

template <class R> void MixedScoreAttention<R>::pack(Parameters<R> const& parameters) {
    // lin1 reads dot_0, C, dot_1, C, ...: its odd columns all meet the same cost, so their sum is one column.
    std::vector<R> folded(embed_dim_ * (heads_ + 1), R{0});
    std::span<R const> const lin1 = parameters.at(lin1_);
    for (std::size_t e = 0; e < embed_dim_; ++e)
        for (std::size_t h = 0; h < heads_; ++h) {
            folded[e * (heads_ + 1) + h] = lin1[(e * heads_ + h) * 2];
            folded[e * (heads_ + 1) + heads_] += lin1[(e * heads_ + h) * 2 + 1];
        }
    View<R const> const w1{folded.data(), embed_dim_, heads_ + 1, heads_ + 1};
    View<R const> const w2{parameters.at(lin2_).data(), heads_, embed_dim_, embed_dim_};
    lin1_forward_.assign_transposed(w1);
    lin1_backward_.assign(w1);
    lin2_forward_.assign_transposed(w2);
    lin2_backward_.assign(w2);
}

template <class R>
auto MixedScoreAttention<R>::forward(View<R const> ops, View<R const> machines, std::span<R const> costs,
                                     PairSegments const& segments, bool coupled, View<R> out_ops, View<R> out_machines,
                                     Arena& arena) const -> Saved {
    assert(ops.cols == 2 * embed_dim_ && machines.cols == 2 * embed_dim_);
    std::size_t const width = embed_dim_, rows = segments.pairs.back();
    View<R> const pairs = arena.matrix<R>(rows, heads_ + 1);
    View<R> const hidden = arena.matrix<R>(rows, width);
    View<R> const mix = arena.matrix<R>(rows, heads_);
    View<R> const over_machines = arena.matrix<R>(rows, heads_);
    View<R> const over_ops = arena.matrix<R>(rows, heads_);

    R const root = R{1} / std::sqrt(static_cast<R>(width / heads_));
    for (std::size_t s = 0; s < segments.states(); ++s)
        pair_dots<R>(segments.state(s), ops.columns(0, width), machines.columns(0, width), root,
                     pairs.columns(0, heads_), arena);
    for (std::size_t r = 0; r < rows; ++r) pairs(r, heads_) = costs[r];
    multiply<R>(pairs, lin1_forward_, hidden, {.relu = true});
    multiply<R>(hidden, lin2_forward_, mix);

    Saved saved{ops, machines, pairs, hidden, mix, over_machines, over_ops, {}, {}, coupled};
    measure_deviation(saved, segments, arena);
    for (std::size_t s = 0; s < segments.states(); ++s) {
        PairState const state = segments.state(s);
        R const scale = saved.inverse_deviation[s];
        if (scale == R{0}) { // scores that do not vary
            std::fill_n(over_machines.row(state.first_pair), state.pairs() * heads_, R{0});
            std::fill_n(over_ops.row(state.first_pair), state.pairs() * heads_, R{0});
        } else {
            softmax_over_right<R>(state, mix, scale, over_machines);
            softmax_over_left<R>(state, mix, scale, over_ops);
        }
        sum_over_right<R>(state, over_machines, machines.columns(width, width), R{1}, out_ops);
        sum_over_left<R>(state, over_ops, ops.columns(width, width), R{1}, out_machines);
    }
    return saved;
}

template <class R>
void MixedScoreAttention<R>::measure_deviation(Saved& saved, PairSegments const& segments, Arena& arena) const {
    std::size_t const states = segments.states();
    R* const mean = arena.make<R>(states);
    R* const inverse = arena.make<R>(states);
    std::size_t const step = saved.coupled ? states : 1;
    for (std::size_t s = 0; s < states; s += step) {
        R const* const mix = saved.mix.row(segments.pairs[s]);
        std::size_t const count = (segments.pairs[s + step] - segments.pairs[s]) * heads_;
        double const centre =
            sum_of(count, [&](std::size_t i) { return static_cast<double>(mix[i]); }) / static_cast<double>(count);
        double const squares = sum_of(count, [&](std::size_t i) {
            double const off = static_cast<double>(mix[i]) - centre;
            return off * off;
        });
        R const factor = static_cast<R>(1.0 / std::sqrt(squares / static_cast<double>(count - 1)));
        std::fill_n(mean + s, step, static_cast<R>(centre));
        std::fill_n(inverse + s, step, std::isfinite(factor) ? factor : R{0});
    }
    saved.mean = {mean, states};
    saved.inverse_deviation = {inverse, states};
}

template <class R>
void MixedScoreAttention<R>::deviation_backward(Saved const& saved, PairSegments const& segments, View<R> dz) const {
    // z_i = mix_i / s and ds/dmix_i = (mix_i - mean) / ((n-1) s).
    std::size_t const step = saved.coupled ? segments.states() : 1;
    for (std::size_t s = 0; s < segments.states(); s += step) {
        R const scale = saved.inverse_deviation[s], mean = saved.mean[s];
        if (scale == R{0}) continue; // the weights were 0, and so is dz
        R const* const mix = saved.mix.row(segments.pairs[s]);
        R* const d = dz.row(segments.pairs[s]);
        std::size_t const count = (segments.pairs[s + step] - segments.pairs[s]) * heads_;
        double const through =
            sum_of(count, [&](std::size_t i) { return static_cast<double>(d[i]) * static_cast<double>(mix[i]); });
        R const pull = static_cast<R>(through) * scale * scale * scale / static_cast<R>(count - 1);
        for (std::size_t i = 0; i < count; ++i) d[i] = scale * d[i] - pull * (mix[i] - mean);
    }
}

template <class R>
void MixedScoreAttention<R>::backward(Saved const& saved, PairSegments const& segments, View<R const> dout_ops,
                                      View<R const> dout_machines, View<R> dops, View<R> dmachines, std::span<R> dcosts,
                                      std::span<R> gradient, Arena& arena) const {
    std::size_t const width = embed_dim_, rows = segments.pairs.back();
    View<R> const dweights = arena.matrix<R>(rows, heads_);
    View<R> const dmix = arena.zeros<R>(rows, heads_);
    View<R> const dhidden = arena.matrix<R>(rows, width);
    View<R> const dpairs = arena.matrix<R>(rows, heads_ + 1);

    View<R const> const op_values = saved.ops.columns(width, width);
    View<R const> const machine_values = saved.machines.columns(width, width);
    for (std::size_t s = 0; s < segments.states(); ++s) {
        PairState const state = segments.state(s);
        pair_dots<R>(state, dout_ops, machine_values, R{1}, dweights, arena);
        softmax_over_right_backward<R>(state, saved.over_machines, dweights, dmix);
        pair_dots<R>(state, op_values, dout_machines, R{1}, dweights, arena);
        softmax_over_left_backward<R>(state, saved.over_ops, dweights, dmix);
        sum_over_left<R>(state, saved.over_machines, dout_ops, R{1}, dmachines.columns(width, width));
        sum_over_right<R>(state, saved.over_ops, dout_machines, R{1}, dops.columns(width, width));
    }
    deviation_backward(saved, segments, dmix);
    multiply<R>(dmix, lin2_backward_, dhidden, {.gate = saved.hidden});
    multiply<R>(dhidden, lin1_backward_, dpairs);

    R const root = R{1} / std::sqrt(static_cast<R>(width / heads_));
    View<R const> const ddots = dpairs.columns(0, heads_);
    for (std::size_t s = 0; s < segments.states(); ++s) {
        PairState const state = segments.state(s);
        sum_over_right<R>(state, ddots, saved.machines.columns(0, width), root, dops.columns(0, width));
        sum_over_left<R>(state, ddots, saved.ops.columns(0, width), root, dmachines.columns(0, width));
    }
    if (!dcosts.empty())
        for (std::size_t r = 0; r < rows; ++r) dcosts[r] += dpairs(r, heads_);
    if (!gradient.empty()) parameters_backward(saved, dmix, dhidden, gradient, arena);
}

template <class R>
void MixedScoreAttention<R>::parameters_backward(Saved const& saved, View<R const> dmix, View<R const> dhidden,
                                                 std::span<R> gradient, Arena& arena) const {
    View<R> const dlin2{gradient_at(gradient, lin2_).data(), heads_, embed_dim_, embed_dim_};
    multiply_transposed<R>(dmix, saved.hidden, dlin2, arena);

    View<R> const folded = arena.zeros<R>(embed_dim_, heads_ + 1);
    multiply_transposed<R>(dhidden, saved.pairs, folded, arena);
    std::span<R> const dlin1 = gradient_at(gradient, lin1_);
    for (std::size_t e = 0; e < embed_dim_; ++e)
        for (std::size_t h = 0; h < heads_; ++h) {
            dlin1[(e * heads_ + h) * 2] += folded(e, h);
            dlin1[(e * heads_ + h) * 2 + 1] += folded(e, heads_); // every odd column saw the same cost
        }
}

template class MixedScoreAttention<float>;
template class MixedScoreAttention<double>;

} // namespace cax::nn
