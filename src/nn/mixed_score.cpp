#include "cax/nn/mixed_score.hpp"

#include <algorithm>
#include <cmath>

namespace cax::nn {

namespace {

/// The heads of one row: H consecutive blocks of d channels.
struct Heads {
    std::size_t count, dim;

    /// out[h] = factor * <a_h, b_h>
    template <class R> void dot(R const* a, R const* b, R factor, R* out) const {
        for (std::size_t h = 0; h < count; ++h, a += dim, b += dim) {
            R sum{0};
            for (std::size_t i = 0; i < dim; ++i) sum += a[i] * b[i];
            out[h] = factor * sum;
        }
    }
    /// out_h += factor * weights[h] * a_h
    template <class R> void add(R const* weights, R const* a, R factor, R* out) const {
        for (std::size_t h = 0; h < count; ++h, a += dim, out += dim) {
            R const weight = factor * weights[h];
            for (std::size_t i = 0; i < dim; ++i) out[i] += weight * a[i];
        }
    }
};

/// Calls work(o, m, r) for every pair of state s: rows of operation, machine and pair.
template <class Work> void for_each_pair(PairSegments const& segments, std::size_t s, Work&& work) {
    std::size_t r = segments.pairs[s];
    for (std::size_t o = segments.ops[s]; o < segments.ops[s + 1]; ++o)
        for (std::size_t m = segments.machines[s]; m < segments.machines[s + 1]; ++m) work(o, m, r++);
}

/// A set of pairs that share a softmax: `count` rows, `step` rows apart, each head (column) by itself.
struct Group {
    std::size_t first, count, step;

    template <class R> void softmax(View<R const> mix, R scale, View<R> p, R* scratch) const {
        std::size_t const heads = mix.cols;
        R* const top = scratch;
        R* const sum = scratch + heads;
        std::copy_n(mix.row(first), heads, top);
        for (std::size_t i = 1, r = first + step; i < count; ++i, r += step)
            for (std::size_t h = 0; h < heads; ++h) top[h] = std::max(top[h], mix.row(r)[h]);
        std::fill_n(sum, heads, R{0});
        for (std::size_t i = 0, r = first; i < count; ++i, r += step)
            for (std::size_t h = 0; h < heads; ++h) {
                p.row(r)[h] = std::exp((mix.row(r)[h] - top[h]) * scale);
                sum[h] += p.row(r)[h];
            }
        for (std::size_t i = 0, r = first; i < count; ++i, r += step)
            for (std::size_t h = 0; h < heads; ++h) p.row(r)[h] /= sum[h];
    }
    /// dz += p * (dp - <p, dp>)
    template <class R> void softmax_backward(View<R const> p, View<R const> dp, View<R> dz, R* scratch) const {
        std::size_t const heads = p.cols;
        std::fill_n(scratch, heads, R{0});
        for (std::size_t i = 0, r = first; i < count; ++i, r += step)
            for (std::size_t h = 0; h < heads; ++h) scratch[h] += p.row(r)[h] * dp.row(r)[h];
        for (std::size_t i = 0, r = first; i < count; ++i, r += step)
            for (std::size_t h = 0; h < heads; ++h) dz.row(r)[h] += p.row(r)[h] * (dp.row(r)[h] - scratch[h]);
    }
};

Group pairs_of_operation(PairSegments const& segments, std::size_t s, std::size_t o) {
    std::size_t const machines = segments.machines[s + 1] - segments.machines[s];
    return {segments.pairs[s] + o * machines, machines, 1};
}

Group pairs_of_machine(PairSegments const& segments, std::size_t s, std::size_t m) {
    std::size_t const machines = segments.machines[s + 1] - segments.machines[s];
    return {segments.pairs[s] + m, segments.ops[s + 1] - segments.ops[s], machines};
}

std::size_t op_count(PairSegments const& segments, std::size_t s) { return segments.ops[s + 1] - segments.ops[s]; }

std::size_t machine_count(PairSegments const& segments, std::size_t s) {
    return segments.machines[s + 1] - segments.machines[s];
}

template <class R> void fill(View<R> view, R value) {
    for (std::size_t r = 0; r < view.rows; ++r) std::fill_n(view.row(r), view.cols, value);
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
    Heads const heads{heads_, embed_dim_ / heads_};
    R const root = R{1} / std::sqrt(static_cast<R>(heads.dim));
    std::size_t const rows = segments.pairs.back();
    View<R> const pairs = arena.matrix<R>(rows, heads_ + 1);
    View<R> const hidden = arena.matrix<R>(rows, embed_dim_);
    View<R> const mix = arena.matrix<R>(rows, heads_);
    View<R> const over_machines = arena.matrix<R>(rows, heads_);
    View<R> const over_ops = arena.matrix<R>(rows, heads_);

    for (std::size_t s = 0; s < segments.states(); ++s)
        for_each_pair(segments, s, [&](std::size_t o, std::size_t m, std::size_t r) {
            heads.dot(ops.row(o), machines.row(m), root, pairs.row(r));
            pairs(r, heads_) = costs[r];
        });
    multiply<R>(pairs, lin1_forward_, hidden, {.relu = true});
    multiply<R>(hidden, lin2_forward_, mix);

    Saved saved{ops, machines, pairs, hidden, mix, over_machines, over_ops, {}, {}, coupled};
    measure_deviation(saved, segments, arena);

    R* const scratch = arena.make<R>(2 * heads_);
    fill(out_ops, R{0});
    fill(out_machines, R{0});
    for (std::size_t s = 0; s < segments.states(); ++s) {
        R const scale = saved.inverse_deviation[s];
        if (scale == R{0}) {
            fill(over_machines.middle_rows(segments.pairs[s], segments.pairs[s + 1] - segments.pairs[s]), R{0});
            fill(over_ops.middle_rows(segments.pairs[s], segments.pairs[s + 1] - segments.pairs[s]), R{0});
            continue;
        }
        for (std::size_t o = 0; o < op_count(segments, s); ++o)
            pairs_of_operation(segments, s, o).softmax<R>(mix, scale, over_machines, scratch);
        for (std::size_t m = 0; m < machine_count(segments, s); ++m)
            pairs_of_machine(segments, s, m).softmax<R>(mix, scale, over_ops, scratch);
        for_each_pair(segments, s, [&](std::size_t o, std::size_t m, std::size_t r) {
            heads.add(over_machines.row(r), machines.row(m) + embed_dim_, R{1}, out_ops.row(o));
            heads.add(over_ops.row(r), ops.row(o) + embed_dim_, R{1}, out_machines.row(m));
        });
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
        std::size_t const begin = segments.pairs[s] * heads_;
        std::size_t const end = segments.pairs[s + step] * heads_;
        R const* const values = saved.mix.data;
        // Sums in double whatever R: the deviation scales every score.
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(values[i]);
        double const centre = sum / static_cast<double>(end - begin);
        double squares = 0;
        for (std::size_t i = begin; i < end; ++i) {
            double const off = static_cast<double>(values[i]) - centre;
            squares += off * off;
        }
        R const factor = static_cast<R>(1.0 / std::sqrt(squares / static_cast<double>(end - begin - 1)));
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
        R const scale = saved.inverse_deviation[s];
        if (scale == R{0}) continue; // the weights were 0, and so is dz
        std::size_t const begin = segments.pairs[s] * heads_;
        std::size_t const end = segments.pairs[s + step] * heads_;
        R const* const mix = saved.mix.data;
        double through = 0;
        for (std::size_t i = begin; i < end; ++i)
            through += static_cast<double>(dz.data[i]) * static_cast<double>(mix[i]);
        R const pull = static_cast<R>(through) * scale * scale * scale / static_cast<R>(end - begin - 1);
        for (std::size_t i = begin; i < end; ++i) dz.data[i] = scale * dz.data[i] - pull * (mix[i] - saved.mean[s]);
    }
}

template <class R>
void MixedScoreAttention<R>::backward(Saved const& saved, PairSegments const& segments, View<R const> dout_ops,
                                      View<R const> dout_machines, View<R> dops, View<R> dmachines, std::span<R> dcosts,
                                      std::span<R> gradient, Arena& arena) const {
    Heads const heads{heads_, embed_dim_ / heads_};
    R const root = R{1} / std::sqrt(static_cast<R>(heads.dim));
    std::size_t const rows = segments.pairs.back();
    std::size_t const width = embed_dim_;
    View<R> const dover_machines = arena.matrix<R>(rows, heads_);
    View<R> const dover_ops = arena.matrix<R>(rows, heads_);
    View<R> const dmix = arena.zeros<R>(rows, heads_);
    View<R> const dhidden = arena.matrix<R>(rows, width);
    View<R> const dpairs = arena.matrix<R>(rows, heads_ + 1);
    R* const scratch = arena.make<R>(heads_);

    fill(dops, R{0});
    fill(dmachines, R{0});
    for (std::size_t s = 0; s < segments.states(); ++s) {
        for_each_pair(segments, s, [&](std::size_t o, std::size_t m, std::size_t r) {
            heads.dot(dout_ops.row(o), saved.machines.row(m) + width, R{1}, dover_machines.row(r));
            heads.dot(dout_machines.row(m), saved.ops.row(o) + width, R{1}, dover_ops.row(r));
            heads.add(saved.over_machines.row(r), dout_ops.row(o), R{1}, dmachines.row(m) + width);
            heads.add(saved.over_ops.row(r), dout_machines.row(m), R{1}, dops.row(o) + width);
        });
        for (std::size_t o = 0; o < op_count(segments, s); ++o)
            pairs_of_operation(segments, s, o).softmax_backward<R>(saved.over_machines, dover_machines, dmix, scratch);
        for (std::size_t m = 0; m < machine_count(segments, s); ++m)
            pairs_of_machine(segments, s, m).softmax_backward<R>(saved.over_ops, dover_ops, dmix, scratch);
    }
    deviation_backward(saved, segments, dmix);

    multiply<R>(dmix, lin2_backward_, dhidden);
    for (std::size_t i = 0; i < rows * width; ++i)
        if (!(saved.hidden.data[i] > R{0})) dhidden.data[i] = R{0};
    multiply<R>(dhidden, lin1_backward_, dpairs);
    for (std::size_t s = 0; s < segments.states(); ++s)
        for_each_pair(segments, s, [&](std::size_t o, std::size_t m, std::size_t r) {
            heads.add(dpairs.row(r), saved.machines.row(m), root, dops.row(o));
            heads.add(dpairs.row(r), saved.ops.row(o), root, dmachines.row(m));
            if (!dcosts.empty()) dcosts[r] += dpairs(r, heads_);
        });
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
