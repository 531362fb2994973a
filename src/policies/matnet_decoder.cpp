#include "matnet_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax {

using nn::Arena;
using nn::View;

namespace {

template <class R> R dot(R const* a, R const* b, std::size_t n) { return std::inner_product(a, a + n, b, R{0}); }

template <class R> void add_scaled(R factor, R const* x, R* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

} // namespace

template <class R>
MatnetDecoder<R>::MatnetDecoder(nn::Parameters<R>& parameters, PolicyInfo const& info)
    : info_(info), glimpse_(info.heads) {
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

template <class R> R MatnetDecoder<R>::edge(Input const& state, std::size_t j, std::size_t m) const {
    if (state.busy_until[m] > state.time) return R{0};
    return static_cast<R>(state.proc_times(m, state.next_op[j])) / static_cast<R>(info_.scaling_factor);
}

template <class R> R MatnetDecoder<R>::pointer_scale() const {
    return R{1} / std::sqrt(static_cast<R>(info_.embed_dim));
}

template <class R>
void MatnetDecoder<R>::project_backward(View<R const> x, View<R const> dtable, View<R> dx, std::span<R> gradient,
                                        Arena& arena) const {
    // One decoded state reads one operation per job: most rows have no gradient, and cost nothing.
    std::size_t* const read = arena.make<std::size_t>(dtable.rows);
    std::size_t count = 0;
    for (std::size_t row = 0; row < dtable.rows; ++row)
        if (std::any_of(dtable.row(row), dtable.row(row) + dtable.cols, [](R d) { return d != R{0}; }))
            read[count++] = row;
    View<R> const dread = arena.matrix<R>(count, dtable.cols), dx_read = arena.matrix<R>(count, dx.cols);
    for (std::size_t i = 0; i < count; ++i) std::copy_n(dtable.row(read[i]), dtable.cols, dread.row(i));
    project_nodes_.backward_input(dread, dx_read);
    for (std::size_t row = 0; row < dx.rows; ++row) std::fill_n(dx.row(row), dx.cols, R{0});
    for (std::size_t i = 0; i < count; ++i) std::copy_n(dx_read.row(i), dx.cols, dx.row(read[i]));
    if (gradient.empty()) return;
    View<R> const x_read = arena.matrix<R>(count, x.cols);
    for (std::size_t i = 0; i < count; ++i) std::copy_n(x.row(read[i]), x.cols, x_read.row(i));
    project_nodes_.backward_parameters(x_read, dread, gradient, arena);
}

template <class R>
auto MatnetDecoder<R>::decode(Source const& source, std::span<std::size_t const> rows,
                              std::span<Input const* const> states, LogProbKind kind, Arena& arena) const -> Decoded {
    Decoded decoded;
    decoded.squash = {static_cast<R>(kind == LogProbKind::policy ? info_.tanh_clipping : 0.0),
                      static_cast<R>(info_.temperature)};
    lay_out(decoded, rows, states, arena);
    make_keys(source, decoded, arena);
    make_queries(source, decoded, arena);
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
    std::size_t* const machines = arena.make<std::size_t>(count + 1);
    actions[0] = jobs[0] = machines[0] = 0;
    for (std::size_t i = 0; i < count; ++i) {
        actions[i + 1] = actions[i] + states[i]->mask.size();
        jobs[i + 1] = jobs[i] + states[i]->next_op.size();
        machines[i + 1] = machines[i] + states[i]->busy_until.size();
    }
    std::size_t* const owner = arena.make<std::size_t>(machines[count]);
    for (std::size_t i = 0; i < count; ++i) std::fill(owner + machines[i], owner + machines[i + 1], i);

    decoded.states = {kept, count};
    decoded.rows = {encoded, count};
    decoded.log_probs.offsets = {actions, count + 1};
    decoded.jobs = {jobs, count + 1};
    decoded.machines = {machines, count + 1};
    decoded.owner = {owner, machines[count]};
}

template <class R> void MatnetDecoder<R>::make_keys(Source const& source, Decoded& decoded, Arena& arena) const {
    std::size_t const width = info_.embed_dim, rows = decoded.jobs.back();
    R const unit = static_cast<R>(info_.scaling_factor);
    View<R> const slack = arena.matrix<R>(rows, 2);
    View<R> const nodes = arena.matrix<R>(rows, 3 * width);
    View<R> const edges = arena.zeros<R>(rows, width);
    View<R> const keys = arena.matrix<R>(rows, 3 * width);
    for (std::size_t i = 0; i < decoded.states.size(); ++i) {
        Input const& state = *decoded.states[i];
        std::size_t const first_op = source.ops[decoded.rows[i]], first_machine = source.machines[decoded.rows[i]];
        for (std::size_t j = 0; j < state.next_op.size(); ++j) {
            std::size_t const o = state.next_op[j], row = decoded.jobs[i] + j;
            R const left = static_cast<R>(state.lower_bounds[o]) - static_cast<R>(state.time);
            slack(row, 0) = std::max(left, R{0}) / unit;
            slack(row, 1) = static_cast<R>(state.is_ready[o]);
            std::copy_n(source.table.row(first_op + o), 3 * width, nodes.row(row));
            for (std::size_t m = 0; m < state.busy_until.size(); ++m)
                add_scaled(edge(state, j, m), source.embedded.row(first_machine + m), edges.row(row), width);
        }
    }
    node_step_.forward(slack, keys, nodes);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t block = 0; block < 3; ++block)
            add_scaled(edge_step_values_[block], edges.row(row), keys.row(row) + block * width, width);
    decoded.slack = slack;
    decoded.edges = edges;
    decoded.keys = keys;
}

template <class R> void MatnetDecoder<R>::make_queries(Source const& source, Decoded& decoded, Arena& arena) const {
    std::size_t const width = info_.embed_dim, rows = decoded.machines.back();
    View<R> const busy = arena.matrix<R>(rows, 1);
    View<R> const embedded = arena.matrix<R>(rows, width);
    View<R> const asked = arena.matrix<R>(rows, width);
    View<R> const attended = arena.matrix<R>(rows, width);
    View<R> const queries = arena.matrix<R>(rows, width);
    for (std::size_t i = 0; i < decoded.states.size(); ++i) {
        Input const& state = *decoded.states[i];
        for (std::size_t m = 0; m < state.busy_until.size(); ++m) {
            std::size_t const row = decoded.machines[i] + m;
            busy(row, 0) = (static_cast<R>(state.busy_until[m]) - static_cast<R>(state.time)) /
                           static_cast<R>(info_.scaling_factor);
            std::copy_n(source.embedded.row(source.machines[decoded.rows[i]] + m), width, embedded.row(row));
        }
    }
    busy_.forward(busy, asked, embedded);
    decoded.glimpse = glimpse_.forward(asked, decoded.keys.columns(0, width), decoded.keys.columns(width, width),
                                       sight(decoded), attended, arena);
    project_out_.forward(attended, queries);
    decoded.busy = busy;
    decoded.attended = attended;
    decoded.queries = queries;
}

template <class R> void MatnetDecoder<R>::make_logits(Decoded& decoded, Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    auto const offsets = decoded.glimpse.offsets;
    R* const pairs = arena.make<R>(offsets.back()); // L_mj, machine by machine
    R* const logits = arena.make<R>(decoded.log_probs.offsets.back());
    R* const log_probs = arena.make<R>(decoded.log_probs.offsets.back());
    nn::pointer_logits<R>(decoded.queries, decoded.keys.columns(2 * width, width), sight(decoded), offsets,
                          pointer_scale(), pairs);
    for (std::size_t i = 0; i < decoded.states.size(); ++i) {
        std::size_t const first = decoded.log_probs.offsets[i];
        std::size_t const machines = decoded.machines[i + 1] - decoded.machines[i];
        R wait{0};
        for (std::size_t m = 0; m < machines; ++m) {
            std::size_t const row = decoded.machines[i] + m;
            wait += dot(decoded.queries.row(row), dummy_values_.data(), width);
            for (std::size_t j = 0; j < decoded.jobs[i + 1] - decoded.jobs[i]; ++j)
                logits[first + 1 + j * machines + m] = pairs[offsets[row] + j];
        }
        logits[first] = pointer_scale() * wait;
        ActionMask const& mask = decoded.states[i]->mask;
        nn::log_softmax(logits + first, mask.data(), mask.size(), decoded.squash, log_probs + first);
    }
    decoded.logits = {logits, decoded.log_probs.offsets.back()};
    decoded.log_probs.values = {log_probs, decoded.log_probs.offsets.back()};
}

template <class R>
void MatnetDecoder<R>::backward(Source const& source, Decoded const& decoded, std::span<R const> weights,
                                Cotangent& cotangent, std::span<Input> gradients, std::span<R> parameter_gradient,
                                Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    View<R> const dkeys = arena.zeros<R>(decoded.keys.rows, 3 * width);
    View<R> const dqueries = arena.matrix<R>(decoded.queries.rows, width);
    View<R> const dattended = arena.matrix<R>(decoded.queries.rows, width);
    View<R> const dasked = arena.matrix<R>(decoded.queries.rows, width);

    logits_backward(decoded, weights, dqueries, dkeys.columns(2 * width, width), parameter_gradient, arena);
    project_out_.backward_input(dqueries, dattended);
    glimpse_.backward(decoded.glimpse, sight(decoded), dattended, dasked, dkeys.columns(0, width),
                      dkeys.columns(width, width), arena);
    edges_backward(source, decoded, dkeys, cotangent, gradients, parameter_gradient, arena);
    for (std::size_t i = 0; i < decoded.states.size(); ++i) {
        std::size_t const first_op = source.ops[decoded.rows[i]], first_machine = source.machines[decoded.rows[i]];
        for (std::size_t m = 0; m < decoded.machines[i + 1] - decoded.machines[i]; ++m)
            add_scaled(R{1}, dasked.row(decoded.machines[i] + m), cotangent.embedded.row(first_machine + m), width);
        for (std::size_t j = 0; j < decoded.jobs[i + 1] - decoded.jobs[i]; ++j)
            add_scaled(R{1}, dkeys.row(decoded.jobs[i] + j),
                       cotangent.table.row(first_op + decoded.states[i]->next_op[j]), 3 * width);
    }
    if (parameter_gradient.empty()) return;
    project_out_.backward_parameters(decoded.attended, dqueries, parameter_gradient, arena);
    busy_.backward_parameters(decoded.busy, dasked, parameter_gradient, arena);
    node_step_.backward_parameters(decoded.slack, dkeys, parameter_gradient, arena);
}

/// From log-probabilities to u_m (written) and lk_j (added to).
template <class R>
void MatnetDecoder<R>::logits_backward(Decoded const& decoded, std::span<R const> weights, View<R> dqueries,
                                       View<R> dkeys, std::span<R> gradient, Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    auto const offsets = decoded.glimpse.offsets;
    R* const dpairs = arena.make<R>(offsets.back());
    R* const dwait = arena.make<R>(decoded.states.size());
    R* const dlogits = arena.make<R>(decoded.logits.size());
    for (std::size_t i = 0; i < decoded.states.size(); ++i) {
        std::size_t const first = decoded.log_probs.offsets[i];
        std::size_t const machines = decoded.machines[i + 1] - decoded.machines[i];
        ActionMask const& mask = decoded.states[i]->mask;
        nn::log_softmax_backward(decoded.logits.data() + first, decoded.log_probs.values.data() + first,
                                 weights.data() + first, mask.data(), mask.size(), decoded.squash, dlogits + first);
        dwait[i] = pointer_scale() * dlogits[first];
        for (std::size_t m = 0; m < machines; ++m)
            for (std::size_t j = 0; j < decoded.jobs[i + 1] - decoded.jobs[i]; ++j)
                dpairs[offsets[decoded.machines[i] + m] + j] = dlogits[first + 1 + j * machines + m];
    }
    nn::pointer_logits_backward<R>(decoded.queries, decoded.keys.columns(2 * width, width), sight(decoded), offsets,
                                   pointer_scale(), dpairs, dqueries, dkeys);
    for (std::size_t row = 0; row < decoded.owner.size(); ++row) {
        R const factor = dwait[decoded.owner[row]];
        if (factor == R{0}) continue; // waiting is rarely allowed
        add_scaled(factor, dummy_values_.data(), dqueries.row(row), width);
        if (!gradient.empty())
            add_scaled(factor, decoded.queries.row(row), nn::gradient_at(gradient, dummy_).data(), width);
    }
}

/// From keys to y_m and processing times through w (x) sum_m c_jm y_m.
template <class R>
void MatnetDecoder<R>::edges_backward(Source const& source, Decoded const& decoded, View<R const> dkeys,
                                      Cotangent& cotangent, std::span<Input> gradients, std::span<R> parameter_gradient,
                                      Arena& arena) const {
    std::size_t const width = info_.embed_dim;
    R* const dedge = arena.make<R>(width);
    for (std::size_t i = 0; i < decoded.states.size(); ++i) {
        Input const& state = *decoded.states[i];
        std::size_t const first_machine = source.machines[decoded.rows[i]];
        for (std::size_t j = 0; j < state.next_op.size(); ++j) {
            std::size_t const row = decoded.jobs[i] + j;
            std::fill_n(dedge, width, R{0});
            for (std::size_t block = 0; block < 3; ++block) {
                R const* const dblock = dkeys.row(row) + block * width;
                add_scaled(edge_step_values_[block], dblock, dedge, width);
                if (!parameter_gradient.empty())
                    nn::gradient_at(parameter_gradient, edge_step_)[block] +=
                        dot(dblock, decoded.edges.row(row), width);
            }
            for (std::size_t m = 0; m < state.busy_until.size(); ++m) {
                if (state.busy_until[m] > state.time) continue;
                add_scaled(edge(state, j, m), dedge, cotangent.embedded.row(first_machine + m), width);
                if (!gradients.empty())
                    gradients[i].proc_times(m, state.next_op[j]) +=
                        static_cast<double>(dot(dedge, source.embedded.row(first_machine + m), width) /
                                            static_cast<R>(info_.scaling_factor));
            }
        }
    }
}

template class MatnetDecoder<float>;
template class MatnetDecoder<double>;

} // namespace cax
