#include "attention.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {

using nn::View;

namespace {

constexpr std::string_view embed_depot_name = "encoder.init_embedding.init_embed_depot";
constexpr std::string_view embed_name = "encoder.init_embedding.init_embed";
constexpr std::string_view layers_name = "encoder.net.layers.";
constexpr std::string_view context_name = "decoder.context_embedding.project_context";
constexpr std::string_view placeholder_name = "decoder.context_embedding.W_placeholder";

std::string weight_of(std::string_view name) { return fmt::format("{}.weight", name); }

template <class R> void copy_row(std::span<double const> from, R* to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<R>(from[i]);
}
template <class R> void add_row(R const* from, std::span<double> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += static_cast<double>(from[i]);
}

} // namespace

// ---- which sizes

template <class R> bool AttentionNetwork<R>::recognises(WeightFile const& file) {
    return file.find(weight_of(embed_name)) != nullptr && file.find(weight_of(context_name)) != nullptr;
}

template <class R>
Result<typename AttentionNetwork<R>::Config> AttentionNetwork<R>::configure(WeightFile const& file,
                                                                            PolicyOptions const&) {
    Config config{.info = file.info(), .norm = file.norm_kind()};
    bool const depot_apart = file.find(weight_of(embed_depot_name)) != nullptr;
    auto const depot = depot_apart ? file.matrix(weight_of(embed_depot_name)) : WeightFile::Extent{};
    auto const customer = file.matrix(weight_of(embed_name));
    auto const context = file.matrix(weight_of(context_name));
    auto const widen = file.matrix(fmt::format("{}0.2.module.lins.0.weight", layers_name));
    for (auto const* const extent : {&depot, &customer, &context, &widen})
        if (!*extent) return extent->error();

    PolicyInfo& info = config.info;
    info.network = name;
    info.embed_dim = customer->rows;
    info.layers = file.count_layers(layers_name);
    config.depot_features = depot->cols;
    config.customer_features = customer->cols;
    config.feed_forward = widen->rows;
    config.free_start = file.find(placeholder_name) != nullptr;
    config.placeless = !config.free_start && context->cols < info.embed_dim;
    if (info.stepwise && (depot_apart || !config.placeless))
        return Error{ErrorCode::unsupported, "metadata stepwise: not for networks that are shown a place"};
    std::size_t const shown = config.nodes_shown() * info.embed_dim;
    if (context->cols < shown)
        return Error{ErrorCode::mismatch, fmt::format("{}: shape [{}, {}], expected at least {} columns",
                                                      weight_of(context_name), context->rows, context->cols, shown)};
    config.context_scalars = context->cols - shown;
    if (std::max({config.depot_features, config.customer_features, config.context_scalars}) > 1024 ||
        config.feed_forward > 65536)
        return Error{ErrorCode::unsupported,
                     fmt::format("{} depot features, {} customer features, {} context scalars and {} hidden units are "
                                 "more than a policy has",
                                 config.depot_features, config.customer_features, config.context_scalars,
                                 config.feed_forward)};
    std::size_t const width = info.embed_dim;
    if (auto ok = check_sizes(file, info, 4 * width * width + 2 * width * config.feed_forward); !ok) return ok.error();
    return config;
}

// ---- which tensors

template <class R>
AttentionNetwork<R>::AttentionNetwork(Config const& config) : config_(config), glimpse_(config.info.heads) {
    std::size_t const width = config.info.embed_dim;
    if (config.depot_features > 0)
        embed_depot_ = {parameters_, std::string(embed_depot_name), config.depot_features, width, true};
    embed_ = {parameters_, std::string(embed_name), config.customer_features, width, true};
    for (std::size_t layer = 0; layer < config.info.layers; ++layer)
        layers_.emplace_back(parameters_, fmt::format("{}{}", layers_name, layer), width, config.info.heads,
                             config.feed_forward, config.norm);
    project_nodes_ = {parameters_, "decoder.project_node_embeddings", width, 3 * width, false};
    project_graph_ = {parameters_, "decoder.project_fixed_context", width, width, false};
    project_context_ = {parameters_, std::string(context_name), shown_width() + config.context_scalars, width, false};
    if (config.free_start) placeholder_ = parameters_.add(std::string(placeholder_name), {shown_width()});
    project_out_ = {parameters_, "decoder.pointer.project_out", width, width, false};
    for (auto const& entry : parameters_.entries())
        if (entry.trained) config_.info.parameters += entry.slice.size;
}

template <class R> void AttentionNetwork<R>::pack() {
    for (TransformerLayer<R>& layer : layers_) layer.pack(parameters_);
    if (config_.depot_features > 0) {
        embed_depot_.pack(parameters_);
        depot_to_qkv_.pack_chain(embed_depot_, layers_.front().qkv(), parameters_);
    }
    to_qkv_.pack_chain(embed_, layers_.front().qkv(), parameters_);
    for (nn::Linear<R>* const linear : {&embed_, &project_nodes_, &project_graph_, &project_context_, &project_out_})
        linear->pack(parameters_);
    if (config_.free_start) nothing_yet_ = parameters_.at(placeholder_);
}

// ---- which inputs

template <class R> Result<void> AttentionNetwork<R>::accepts(GraphObservation const& state) const {
    auto const compare = [&](std::string_view what, std::size_t reads, std::size_t has) -> Result<void> {
        if (reads == has) return {};
        return Error{ErrorCode::mismatch, fmt::format("policy for {} reads {} {}, the observation has {}",
                                                      config_.info.problem, reads, what, has)};
    };
    if (auto ok = compare("features of the depot", config_.depot_features, state.depot.size()); !ok) return ok;
    if (auto ok = compare("features per node", config_.customer_features, state.customers.cols()); !ok) return ok;
    if (auto ok = compare("numbers of the context", config_.context_scalars, state.context.size()); !ok) return ok;
    if (auto ok = compare("first nodes", config_.free_start ? 1 : 0, state.free_start ? 1 : 0); !ok) return ok;
    if (auto ok = compare("places", config_.placeless ? 0 : 1, state.placeless ? 0 : 1); !ok) return ok;
    if (config_.info.stepwise != state.stepwise) {
        return Error{ErrorCode::mismatch,
                     fmt::format("policy for {} reads nodes as {}, the observation shows {}", config_.info.problem,
                                 config_.info.stepwise ? "shares of what is left" : "they were given",
                                 state.stepwise ? "shares of what is left" : "them as they were given")};
    }
    if (auto ok = compare("mask entries", rows_of(state), state.mask.size()); !ok) return ok;
    if (state.current_node < rows_of(state) && state.first_node.value_or(0) < rows_of(state)) return {};
    return Error{ErrorCode::mismatch,
                 fmt::format("current node {} of an observation of {} nodes", state.current_node, rows_of(state))};
}

template <class R> GraphObservation AttentionNetwork<R>::zero_gradient(GraphObservation const& state) {
    return {.depot = std::vector<double>(state.depot.size()),
            .customers = Matrix<double>(state.customers.rows(), state.customers.cols()),
            .context = std::vector<double>(state.context.size()),
            .current_node = 0,
            .mask = {},
            .free_start = state.free_start,
            .first_node = {},
            .lookahead = {},
            .placeless = state.placeless,
            .stepwise = state.stepwise};
}

// ---- which graph

template <class R>
RowSelection AttentionNetwork<R>::seen_rows(std::span<GraphObservation const* const> states, nn::Arena& arena) const {
    std::size_t all = 0;
    for (GraphObservation const* state : states) all += rows_of(*state);
    std::size_t* const rows = arena.make<std::size_t>(all);
    std::size_t count = 0;
    std::size_t first = 0;
    for (GraphObservation const* state : states) {
        ActionMask const& mask = allowed(*state);
        for (std::size_t node = 0; node < mask.size(); ++node)
            if (mask[node] != 0 || node == state->current_node || node == state->first_node)
                rows[count++] = first + node;
        first += rows_of(*state);
    }
    return {rows, count};
}

template <class R>
typename AttentionNetwork<R>::Encoded AttentionNetwork<R>::encode(std::span<GraphObservation const* const> states,
                                                                  nn::Arena& keep, nn::Arena& scratch,
                                                                  Tape tape) const {
    Encoded encoded;
    std::size_t const width = config_.info.embed_dim;
    std::size_t* const segments = keep.make<std::size_t>(states.size() + 1);
    segments[0] = 0;
    for (std::size_t s = 0; s < states.size(); ++s) segments[s + 1] = segments[s] + rows_of(*states[s]);
    encoded.segments = {segments, states.size() + 1};
    std::size_t const rows = segments[states.size()];

    // h_0 = W_depot [features of the depot] if it stands apart, h_i = W [features of node i]
    std::size_t const apart = config_.depot_features > 0 ? 1 : 0;
    View<R> const depot = apart ? scratch.matrix<R>(states.size(), config_.depot_features) : View<R>{};
    View<R> const customers = scratch.matrix<R>(rows - apart * states.size(), config_.customer_features);
    View<R> h = (tape == Tape::parameters ? scratch : keep).template matrix<R>(rows, width);
    View<R> const qkv = scratch.matrix<R>(rows, 3 * width); // of the first layer
    for (std::size_t s = 0; s < states.size(); ++s) {
        std::size_t const count = rows_of(*states[s]) - apart;
        View<R> const own = customers.middle_rows(segments[s] - apart * s, count);
        copy_row(states[s]->customers.values(), own.data);
        embed_.forward(own, h.middle_rows(segments[s] + apart, count));
        to_qkv_.forward(own, qkv.middle_rows(segments[s] + apart, count));
        if (!apart) continue;
        copy_row(states[s]->depot, depot.row(s));
        embed_depot_.forward(depot.middle_rows(s, 1), h.middle_rows(segments[s], 1));
        depot_to_qkv_.forward(depot.middle_rows(s, 1), qkv.middle_rows(segments[s], 1));
    }
    encoded.depot = depot;
    encoded.customers = customers;

    // h <- Norm(h + MHA(h)), h <- Norm(h + FF(h)), L times; a glance needs few rows of the last and their mean
    bool const graph_context = config_.info.graph_context, cheap_means = layers_.back().gives_means();
    bool const few = tape == Tape::glance && cheap_means;
    typename TransformerLayer<R>::Wanted const everything{};
    typename TransformerLayer<R>::Wanted seen{};
    if (tape == Tape::glance) seen.rows = seen_rows(states, scratch);
    View<R> const mean = graph_context ? scratch.matrix<R>(states.size(), width) : View<R>{};
    typename TransformerLayer<R>::Wanted last_wanted{};
    if (few) last_wanted.rows = seen.rows;
    if (cheap_means) last_wanted.means = mean;
    auto* const saved = scratch.make<typename TransformerLayer<R>::Saved>(layers_.size());
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        bool const last = l + 1 == layers_.size();
        View<R> const next = tape != Tape::parameters ? h : (last ? keep : scratch).template matrix<R>(rows, width);
        nn::Arena::Mark const before = scratch.mark();
        new (&saved[l]) typename TransformerLayer<R>::Saved(layers_[l].forward(
            h, l == 0 ? qkv : View<R>{}, encoded.segments, next, scratch, tape, last ? last_wanted : everything));
        if (!goes_back(tape)) scratch.release(before);
        h = next;
    }
    encoded.layers = {saved, goes_back(tape) ? layers_.size() : 0};
    encoded.nodes = h;

    // [gk | gv | lk] = W_nodes h, g = W_graph mean(h)
    View<R> const projected = keep.matrix<R>(rows, 3 * width);
    if (seen.rows) {
        View<R> const keys = scratch.matrix<R>(seen.rows->size(), 3 * width);
        project_nodes_.forward(gather<R>(h, *seen.rows, scratch), keys);
        scatter<R>(keys, *seen.rows, projected);
    } else {
        project_nodes_.forward(h, projected);
    }
    encoded.projected = projected;
    if (!graph_context) return encoded;
    if (!cheap_means) nn::segment_means<R>(h, encoded.segments, mean);
    View<R> const graph = keep.matrix<R>(states.size(), width);
    project_graph_.forward(mean, graph);
    encoded.mean = mean;
    encoded.graph = graph;
    return encoded;
}

template <class R>
typename AttentionNetwork<R>::Decoded
AttentionNetwork<R>::decode(Encoded const& encoded, std::span<std::size_t const> rows,
                            std::span<GraphObservation const* const> states, LogProbKind kind, nn::Arena& arena) const {
    Decoded decoded;
    std::size_t const count = states.size(), width = config_.info.embed_dim;
    auto* const own_rows = arena.make<std::size_t>(count);
    auto* const current = arena.make<std::size_t>(count);
    auto* const first = arena.make<std::size_t>(count);
    auto** const masks = arena.make<std::uint8_t const*>(count);
    for (std::size_t i = 0; i < count; ++i) {
        own_rows[i] = rows[i];
        current[i] = encoded.segments[rows[i]] + states[i]->current_node;
        first[i] = states[i]->first_node ? encoded.segments[rows[i]] + *states[i]->first_node : nowhere;
        masks[i] = allowed(*states[i]).data();
    }
    decoded.sight = {encoded.segments, {own_rows, count}, {masks, count}};
    decoded.current = {current, count};
    decoded.first = {first, count};
    decoded.squash = {static_cast<R>(kind == LogProbKind::raw ? 0 : config_.info.tanh_clipping),
                      static_cast<R>(config_.info.temperature)};

    // q = W_context [h_current, scalars] + g; with a free start W_context [h_first, h_current, scalars] + g, and the
    // placeholder in place of both before it; where there is nowhere to be, W_context [scalars] + g
    std::size_t const shown = shown_width();
    View<R> const context = arena.matrix<R>(count, shown + config_.context_scalars);
    View<R> const graph = encoded.graph.data ? arena.matrix<R>(count, width) : View<R>{};
    for (std::size_t i = 0; i < count; ++i) {
        if (config_.free_start && first[i] == nowhere) {
            std::ranges::copy(nothing_yet_, context.row(i));
        } else if (!config_.placeless) {
            if (config_.free_start) std::copy_n(encoded.nodes.row(first[i]), width, context.row(i));
            std::copy_n(encoded.nodes.row(current[i]), width, context.row(i) + shown - width);
        }
        copy_row(states[i]->context, context.row(i) + shown);
        if (graph.data) std::copy_n(encoded.graph.row(rows[i]), width, graph.row(i));
    }
    View<R> const query = arena.matrix<R>(count, width);
    project_context_.forward(context, query, graph);
    decoded.context = context;

    // u = W_out glimpse(q; gk, gv), over allowed nodes
    View<R> const attended = arena.matrix<R>(count, width);
    decoded.glimpse = glimpse_.forward(query, encoded.projected.columns(0, width),
                                       encoded.projected.columns(width, width), decoded.sight, attended, arena);
    decoded.attended = attended;
    View<R> const pointer = arena.matrix<R>(count, width);
    project_out_.forward(attended, pointer);
    decoded.pointer = pointer;

    // logit_j = u . lk_j / sqrt(E), then clipped, masked, normalised
    std::span<std::size_t const> const offsets = decoded.glimpse.offsets;
    R* const logits = arena.make<R>(offsets.back());
    R* const log_probs = arena.make<R>(offsets.back());
    nn::pointer_logits<R>(pointer, encoded.projected.columns(2 * width, width), decoded.sight, offsets,
                          R{1} / std::sqrt(static_cast<R>(width)), logits, arena);
    for (std::size_t i = 0; i < count; ++i)
        nn::log_softmax(logits + offsets[i], masks[i], decoded.sight.count(i), decoded.squash, log_probs + offsets[i]);
    decoded.logits = {logits, offsets.back()};
    decoded.log_probs = {offsets, {log_probs, offsets.back()}};
    return decoded;
}

// ---- and back

template <class R>
typename AttentionNetwork<R>::Cotangent AttentionNetwork<R>::zero_cotangent(Encoded const& encoded,
                                                                            nn::Arena& arena) const {
    auto const like = [&](View<R const> view) { return view.data ? arena.zeros<R>(view.rows, view.cols) : View<R>{}; };
    return {like(encoded.nodes), like(encoded.projected), like(encoded.graph)};
}

template <class R>
void AttentionNetwork<R>::decode_backward(Encoded const& encoded, Decoded const& decoded, std::span<R const> weights,
                                          Cotangent& cotangent, std::span<GraphObservation> inputs,
                                          std::span<R> gradient, nn::Arena& arena) const {
    std::size_t const count = decoded.sight.queries(), width = config_.info.embed_dim;
    std::span<std::size_t const> const offsets = decoded.log_probs.offsets;
    R* const dlogits = arena.make<R>(offsets.back());
    for (std::size_t i = 0; i < count; ++i)
        nn::log_softmax_backward(decoded.logits.data() + offsets[i], decoded.log_probs.values.data() + offsets[i],
                                 weights.data() + offsets[i], decoded.sight.mask(i), decoded.sight.count(i),
                                 decoded.squash, dlogits + offsets[i]);

    View<R> const dpointer = arena.matrix<R>(count, width);
    nn::pointer_logits_backward<R>(decoded.pointer, encoded.projected.columns(2 * width, width), decoded.sight, offsets,
                                   R{1} / std::sqrt(static_cast<R>(width)), dlogits, dpointer,
                                   cotangent.projected.columns(2 * width, width), arena);
    View<R> const dattended = arena.matrix<R>(count, width);
    project_out_.backward_input(dpointer, dattended);
    View<R> const dquery = arena.matrix<R>(count, width);
    glimpse_.backward(decoded.glimpse, decoded.sight, dattended, dquery, cotangent.projected.columns(0, width),
                      cotangent.projected.columns(width, width), arena);
    std::size_t const shown = shown_width();
    View<R> const dcontext = arena.matrix<R>(count, shown + config_.context_scalars);
    project_context_.backward_input(dquery, dcontext);
    for (std::size_t i = 0; i < count; ++i) {
        bool const begun = !config_.free_start || decoded.first[i] != nowhere;
        for (std::size_t c = 0; c < width && begun && !config_.placeless; ++c) {
            if (config_.free_start) cotangent.nodes(decoded.first[i], c) += dcontext(i, c);
            cotangent.nodes(decoded.current[i], c) += dcontext(i, shown - width + c);
        }
        for (std::size_t c = 0; c < shown && !begun && !gradient.empty(); ++c)
            nn::gradient_at(gradient, placeholder_)[c] += dcontext(i, c);
        if (!inputs.empty()) add_row(dcontext.row(i) + shown, inputs[i].context);
        if (!cotangent.graph.data) continue;
        for (std::size_t c = 0; c < width; ++c) cotangent.graph(decoded.sight.rows[i], c) += dquery(i, c);
    }
    if (gradient.empty()) return;
    project_out_.backward_parameters(decoded.attended, dpointer, gradient, arena);
    project_context_.backward_parameters(decoded.context, dquery, gradient, arena);
}

template <class R>
void AttentionNetwork<R>::encode_backward(Encoded const& encoded, Cotangent& cotangent,
                                          std::span<GraphObservation> inputs, std::span<R> gradient,
                                          nn::Arena& arena) const {
    assert(encoded.layers.size() == layers_.size()); // recorded
    nn::Segments const segments = encoded.segments;
    std::size_t const count = segments.size() - 1, width = config_.info.embed_dim;
    View<R> const dh = cotangent.nodes;
    project_nodes_.backward_input(cotangent.projected, dh, true);
    if (!gradient.empty()) project_nodes_.backward_parameters(encoded.nodes, cotangent.projected, gradient, arena);
    if (cotangent.graph.data) {
        View<R> const dmean = arena.matrix<R>(count, width);
        project_graph_.backward_input(cotangent.graph, dmean);
        if (!gradient.empty()) project_graph_.backward_parameters(encoded.mean, cotangent.graph, gradient, arena);
        for (std::size_t s = 0; s < count; ++s) {
            R const share = R{1} / static_cast<R>(segments[s + 1] - segments[s]);
            for (std::size_t r = segments[s]; r < segments[s + 1]; ++r)
                for (std::size_t c = 0; c < width; ++c) dh(r, c) += share * dmean(s, c);
        }
    }

    for (std::size_t l = layers_.size(); l-- > 0;) {
        nn::Arena::Mark const before = arena.mark();
        layers_[l].backward(encoded.layers[l], segments, dh, gradient, arena);
        arena.release(before);
    }

    std::size_t const apart = config_.depot_features > 0 ? 1 : 0;
    View<R> const ddepot = apart ? arena.matrix<R>(count, config_.depot_features) : View<R>{};
    View<R> const dcustomers = arena.matrix<R>(encoded.customers.rows, config_.customer_features);
    for (std::size_t s = 0; s < count; ++s) {
        std::size_t const first = segments[s] - apart * s, customers = segments[s + 1] - segments[s] - apart;
        View<R const> const depot_row = dh.middle_rows(segments[s], apart);
        View<R const> const customer_rows = dh.middle_rows(segments[s] + apart, customers);
        if (!inputs.empty()) {
            embed_.backward_input(customer_rows, dcustomers.middle_rows(first, customers));
            add_row(dcustomers.data + first * dcustomers.cols, inputs[s].customers.values());
            if (apart) embed_depot_.backward_input(depot_row, ddepot.middle_rows(s, 1));
            if (apart) add_row(ddepot.row(s), inputs[s].depot);
        }
        if (gradient.empty()) continue;
        if (apart) embed_depot_.backward_parameters(encoded.depot.middle_rows(s, 1), depot_row, gradient, arena);
        embed_.backward_parameters(encoded.customers.middle_rows(first, customers), customer_rows, gradient, arena);
    }
}

template class AttentionNetwork<float>;
template class AttentionNetwork<double>;

} // namespace cax
