#include "matnet_decoder.hpp"

#include "row_selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax {

using nn::Arena;
using nn::View;

namespace {

bool is_busy(ScheduleObservation const& state, std::size_t m) { return state.busy_until[m] > state.time; }

template <class R> void add(R const* x, R* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
}

/// For every state of a stack, its share.
template <class Work> void for_each_state(nn::PairSegments const& segments, Work const& work) {
    for (std::size_t i = 0; i < segments.states(); ++i) work(i, segments.state(i));
}

} // namespace

template <class R>
MatnetDecoder<R>::MatnetDecoder(nn::Parameters<R>& parameters, PolicyInfo const& info) : info_(info) {
    std::size_t const width = info.embed_dim;
    busy_ = {parameters, "decoder.context_embedding.proj_busy", 1, width, false};
    node_step_ = {parameters, "decoder.dynamic_embedding.project_node_step", 2, 3 * width, false};
    edge_step_ = parameters.add("decoder.dynamic_embedding.project_edge_step.weight", {3, 1});
    project_nodes_ = {parameters, "decoder.project_node_embeddings", width, 3 * width, false};
    unused_ = {parameters, "decoder.project_fixed_context", width, width, false};
    project_out_ = {parameters, "decoder.pointer.project_out", width, width, false};
    dummy_ = parameters.add("decoder.dummy", {1, width});
}

template <class R> void MatnetDecoder<R>::pack(nn::Parameters<R> const& parameters) {
    for (nn::Linear<R>* const linear : {&busy_, &node_step_, &project_nodes_, &project_out_}) linear->pack(parameters);
    edge_step_values_.assign(parameters.at(edge_step_).begin(), parameters.at(edge_step_).end());
    dummy_values_.assign(parameters.at(dummy_).begin(), parameters.at(dummy_).end());
}

template <class R> R MatnetDecoder<R>::head_scale() const {
    return R{1} / std::sqrt(static_cast<R>(info_.embed_dim / info_.heads));
}

template <class R> R MatnetDecoder<R>::pointer_scale() const {
    return R{1} / std::sqrt(static_cast<R>(info_.embed_dim));
}

template <class R>
void MatnetDecoder<R>::project_backward(View<R const> x, View<R const> dtable, View<R> dx, std::span<R> gradient,
                                        Arena& arena) const {
    // One decoded state reads one operation per job: most rows have no gradient, and cost nothing.
    RowSelection const live = live_rows<R>(dtable, arena);
    View<R> const dlive = gather<R>(dtable, live, arena), dx_live = arena.matrix<R>(live.size(), dx.cols);
    project_nodes_.backward_input(dlive, dx_live);
    scatter<R>(dx_live, live, dx);
    if (!gradient.empty()) project_nodes_.backward_parameters(gather<R>(x, live, arena), dlive, gradient, arena);
}

template <class R>
auto MatnetDecoder<R>::decode(Source const& source, std::span<std::size_t const> rows,
                              std::span<Input const* const> states, LogProbKind kind, Arena& arena) const -> Decoded {
    Decoded decoded;
    decoded.squash = squash(kind);
    lay_out(decoded, rows, states, arena);
    read_machines(source, decoded, arena);
    make_keys(source, decoded, arena);
    make_queries(decoded, arena);
    make_logits(decoded, arena);
    return decoded;
}

/// Copies what backward() looks up, and counts rows.
template <class R>
void MatnetDecoder<R>::lay_out(Decoded& decoded, std::span<std::size_t const> rows,
                               std::span<Input const* const> states, Arena& arena) const {
    std::size_t const count = states.size();
    Input const** const kept = arena.make<Input const*>(count);
    std::copy(states.begin(), states.end(), kept);
    std::size_t* const encoded = arena.make<std::size_t>(count);
    std::copy(rows.begin(), rows.end(), encoded);
    std::size_t* const actions = arena.make<std::size_t>(count + 1);
    std::size_t* const jobs = arena.make<std::size_t>(count + 1);
    std::size_t* const choices = arena.make<std::size_t>(count + 1);
    std::size_t* const machines = arena.make<std::size_t>(count + 1);
    actions[0] = jobs[0] = choices[0] = machines[0] = 0;
    for (std::size_t i = 0; i < count; ++i) {
        actions[i + 1] = actions[i] + states[i]->mask.size();
        jobs[i + 1] = jobs[i] + states[i]->next_op.size();
        choices[i + 1] = choices[i] + states[i]->next_op.size() + 1;
        machines[i + 1] = machines[i] + states[i]->busy_until.size();
    }
    decoded.states = {kept, count};
    decoded.rows = {encoded, count};
    decoded.log_probs.offsets = {actions, count + 1};
    decoded.pairs = nn::make_pairs({jobs, count + 1}, {machines, count + 1}, arena);
    decoded.choices = nn::make_pairs({choices, count + 1}, {machines, count + 1}, arena);
}

template <class R> void MatnetDecoder<R>::read_machines(Source const& source, Decoded& decoded, Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    View<R> const busy = arena.matrix<R>(decoded.pairs.right.back(), 1);
    View<R> const embedded = arena.matrix<R>(decoded.pairs.right.back(), width);
    View<R> const costs = arena.matrix<R>(decoded.pairs.pairs.back(), 1);
    for_each_state(decoded.pairs, [&](std::size_t i, nn::PairState const& at) {
        Input const& state = *decoded.states[i];
        std::copy_n(source.embedded.row(source.machines[decoded.rows[i]]), at.right * width,
                    embedded.row(at.first_right));
        for (std::size_t m = 0; m < at.right; ++m) {
            busy(at.first_right + m, 0) = (static_cast<R>(state.busy_until[m]) - static_cast<R>(state.time)) / unit();
            for (std::size_t j = 0; j < at.left; ++j)
                costs(at.first_pair + j * at.right + m, 0) =
                    is_busy(state, m) ? R{0} : static_cast<R>(state.proc_times(m, state.next_op[j])) / unit();
        }
    });
    decoded.busy = busy;
    decoded.embedded = embedded;
    decoded.costs = costs;
}

template <class R> void MatnetDecoder<R>::make_keys(Source const& source, Decoded& decoded, Arena& arena) const {
    std::size_t const width = info_.embed_dim, rows = decoded.pairs.left.back();
    View<R> const slack = arena.matrix<R>(rows, 2);
    View<R> const nodes = arena.matrix<R>(rows, 3 * width);
    View<R> const keys = arena.matrix<R>(rows, 3 * width);
    for_each_state(decoded.pairs, [&](std::size_t i, nn::PairState const& at) {
        Input const& state = *decoded.states[i];
        for (std::size_t j = 0; j < at.left; ++j) {
            std::size_t const o = state.next_op[j], row = at.first_left + j;
            R const left = static_cast<R>(state.lower_bounds[o]) - static_cast<R>(state.time);
            slack(row, 0) = std::max(left, R{0}) / unit();
            slack(row, 1) = static_cast<R>(state.is_ready[o]);
            std::copy_n(source.table.row(source.ops[decoded.rows[i]] + o), 3 * width, nodes.row(row));
        }
    });
    node_step_.forward(slack, keys, nodes);
    for_each_state(decoded.pairs, [&](std::size_t, nn::PairState const& at) {
        for (std::size_t block = 0; block < 3; ++block)
            nn::sum_over_right<R>(at, decoded.costs, decoded.embedded, edge_step_values_[block],
                                  keys.columns(block * width, width), nn::Write::add);
    });
    decoded.slack = slack;
    decoded.keys = keys;
}

template <class R> void MatnetDecoder<R>::make_queries(Decoded& decoded, Arena& arena) const {
    std::size_t const width = info_.embed_dim, rows = decoded.pairs.right.back();
    View<R> const asked = arena.matrix<R>(rows, width);
    View<R> const scores = arena.matrix<R>(decoded.pairs.pairs.back(), info_.heads);
    View<R> const attention = arena.matrix<R>(decoded.pairs.pairs.back(), info_.heads);
    View<R> const attended = arena.matrix<R>(rows, width);
    View<R> const queries = arena.matrix<R>(rows, width);
    busy_.forward(decoded.busy, asked, decoded.embedded);
    for_each_state(decoded.pairs, [&](std::size_t, nn::PairState const& at) {
        nn::pair_dots<R>(at, decoded.keys.columns(0, width), asked, head_scale(), scores, arena);
        nn::softmax_over_left<R>(at, scores, R{1}, attention);
        nn::sum_over_left<R>(at, attention, decoded.keys.columns(width, width), R{1}, attended);
    });
    project_out_.forward(attended, queries);
    decoded.asked = asked;
    decoded.attention = attention;
    decoded.attended = attended;
    decoded.queries = queries;
}

template <class R> void MatnetDecoder<R>::make_logits(Decoded& decoded, Arena& arena) const {
    std::size_t const width = info_.embed_dim, actions = decoded.log_probs.offsets.back();
    View<R> const keys = arena.matrix<R>(decoded.choices.left.back(), width);
    View<R> const pairs = arena.matrix<R>(decoded.choices.pairs.back(), 1); // "wait" on every machine, then actions
    R* const logits = arena.make<R>(actions);
    R* const log_probs = arena.make<R>(actions);
    for_each_state(decoded.choices, [&](std::size_t i, nn::PairState const& at) {
        std::copy_n(dummy_values_.data(), width, keys.row(at.first_left));
        for (std::size_t j = 0; j + 1 < at.left; ++j)
            std::copy_n(decoded.keys.row(decoded.pairs.left[i] + j) + 2 * width, width,
                        keys.row(at.first_left + 1 + j));
        nn::pair_dots<R>(at, keys, decoded.queries, pointer_scale(), pairs, arena);

        R* const own = logits + decoded.log_probs.offsets[i];
        R const* const first = pairs.row(at.first_pair);
        own[0] = std::accumulate(first, first + at.right, R{0});
        std::copy(first + at.right, first + at.pairs(), own + 1);
        ActionMask const& mask = decoded.states[i]->mask;
        nn::log_softmax(own, mask.data(), mask.size(), decoded.squash, log_probs + decoded.log_probs.offsets[i]);
    });
    decoded.choice_keys = keys;
    decoded.logits = {logits, actions};
    decoded.log_probs.values = {log_probs, actions};
}

template <class R>
void MatnetDecoder<R>::backward(Source const& source, Decoded const& decoded, std::span<R const> weights,
                                Cotangent& cotangent, std::span<Input> gradients, std::span<R> parameter_gradient,
                                Arena& arena) const {
    std::size_t const width = info_.embed_dim, machines = decoded.pairs.right.back();
    View<R> const dkeys = arena.matrix<R>(decoded.keys.rows, 3 * width);
    View<R> const dqueries = arena.matrix<R>(machines, width);
    View<R> const dattended = arena.matrix<R>(machines, width);
    View<R> const dasked = arena.matrix<R>(machines, width);

    logits_backward(decoded, weights, dqueries, dkeys, parameter_gradient, arena);
    project_out_.backward_input(dqueries, dattended);
    attention_backward(decoded, dattended, dasked, dkeys, arena);
    if (!parameter_gradient.empty()) {
        project_out_.backward_parameters(decoded.attended, dqueries, parameter_gradient, arena);
        busy_.backward_parameters(decoded.busy, dasked, parameter_gradient, arena);
        node_step_.backward_parameters(decoded.slack, dkeys, parameter_gradient, arena);
    }
    View<R> const dembedded = dasked; // q = y + ...
    edges_backward(decoded, dkeys, dembedded, gradients, parameter_gradient, arena);
    for_each_state(decoded.pairs, [&](std::size_t i, nn::PairState const& at) {
        add(dembedded.row(at.first_right), cotangent.embedded.row(source.machines[decoded.rows[i]]), at.right * width);
        for (std::size_t j = 0; j < at.left; ++j)
            add(dkeys.row(at.first_left + j),
                cotangent.table.row(source.ops[decoded.rows[i]] + decoded.states[i]->next_op[j]), 3 * width);
    });
}

/// From log-probabilities to u and lk.
template <class R>
void MatnetDecoder<R>::logits_backward(Decoded const& decoded, std::span<R const> weights, View<R> dqueries,
                                       View<R> dkeys, std::span<R> gradient, Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    View<R> const dpairs = arena.matrix<R>(decoded.choices.pairs.back(), 1);
    View<R> const dchoices = arena.matrix<R>(decoded.choices.left.back(), width);
    R* const dlogits = arena.make<R>(decoded.logits.size());
    for_each_state(decoded.choices, [&](std::size_t i, nn::PairState const& at) {
        std::size_t const first = decoded.log_probs.offsets[i];
        ActionMask const& mask = decoded.states[i]->mask;
        nn::log_softmax_backward(decoded.logits.data() + first, decoded.log_probs.values.data() + first,
                                 weights.data() + first, mask.data(), mask.size(), decoded.squash, dlogits + first);
        R* const own = dpairs.row(at.first_pair);
        std::fill_n(own, at.right, dlogits[first]);
        std::copy_n(dlogits + first + 1, at.pairs() - at.right, own + at.right);
        nn::sum_over_left<R>(at, dpairs, decoded.choice_keys, pointer_scale(), dqueries);
        nn::sum_over_right<R>(at, dpairs, decoded.queries, pointer_scale(), dchoices);
        for (std::size_t j = 0; j + 1 < at.left; ++j)
            std::copy_n(dchoices.row(at.first_left + 1 + j), width, dkeys.row(decoded.pairs.left[i] + j) + 2 * width);
        if (!gradient.empty()) add(dchoices.row(at.first_left), nn::gradient_at(gradient, dummy_).data(), width);
    });
}

/// Through softmax(q . gk / sqrt(d)) gv.
template <class R>
void MatnetDecoder<R>::attention_backward(Decoded const& decoded, View<R const> dattended, View<R> dasked,
                                          View<R> dkeys, Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    View<R> const dweights = arena.matrix<R>(decoded.attention.rows, decoded.attention.cols);
    View<R> const dscores = arena.zeros<R>(decoded.attention.rows, decoded.attention.cols);
    View<R const> const glimpse_keys = decoded.keys.columns(0, width), values = decoded.keys.columns(width, width);
    for_each_state(decoded.pairs, [&](std::size_t, nn::PairState const& at) {
        nn::sum_over_right<R>(at, decoded.attention, dattended, R{1}, dkeys.columns(width, width));
        nn::pair_dots<R>(at, values, dattended, R{1}, dweights, arena);
        nn::softmax_over_left_backward<R>(at, decoded.attention, dweights, dscores);
        nn::sum_over_right<R>(at, dscores, decoded.asked, head_scale(), dkeys.columns(0, width));
        nn::sum_over_left<R>(at, dscores, glimpse_keys, head_scale(), dasked);
    });
}

/// Through w (x) sum_m c_jm y_m, to y (added), times and w.
template <class R>
void MatnetDecoder<R>::edges_backward(Decoded const& decoded, View<R const> dkeys, View<R> dembedded,
                                      std::span<Input> gradients, std::span<R> gradient, Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    View<R> const dots = arena.matrix<R>(decoded.costs.rows, 1);
    View<R> const dcosts = arena.zeros<R>(decoded.costs.rows, 1);
    for (std::size_t block = 0; block < 3; ++block) {
        R const w = edge_step_values_[block];
        View<R const> const dblock = dkeys.columns(block * width, width);
        for_each_state(decoded.pairs, [&](std::size_t, nn::PairState const& at) {
            nn::sum_over_left<R>(at, decoded.costs, dblock, w, dembedded, nn::Write::add);
            nn::pair_dots<R>(at, dblock, decoded.embedded, R{1}, dots, arena);
        });
        for (std::size_t r = 0; r < dots.rows; ++r) dcosts.data[r] += w * dots.data[r];
        if (!gradient.empty())
            nn::gradient_at(gradient, edge_step_)[block] +=
                std::inner_product(dots.data, dots.data + dots.rows, decoded.costs.data, R{0});
    }
    if (gradients.empty()) return;
    for_each_state(decoded.pairs, [&](std::size_t i, nn::PairState const& at) {
        Input const& state = *decoded.states[i];
        for (std::size_t j = 0; j < at.left; ++j)
            for (std::size_t m = 0; m < at.right; ++m)
                if (!is_busy(state, m))
                    gradients[i].proc_times(m, state.next_op[j]) +=
                        static_cast<double>(dcosts(at.first_pair + j * at.right + m, 0) / unit());
    });
}

template class MatnetDecoder<float>;
template class MatnetDecoder<double>;

} // namespace cax
