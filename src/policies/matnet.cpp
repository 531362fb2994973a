#include "matnet.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace cax {

using nn::Arena;
using nn::View;

namespace {

using States = std::span<ScheduleObservation const* const>;

constexpr std::string_view embed_ops_name = "encoder.init_embedding.init_ops_embed";
constexpr std::string_view embed_machines_name = "encoder.init_embedding.init_ma_embed";
constexpr std::string_view positions_name = "encoder.init_embedding.pos_encoder.pe";
constexpr std::string_view matnet_layers_name = "encoder.layers.";

/// What an operation's embedding is made of, in this order.
enum Feature : std::size_t { mean_time, is_ready, num_eligible, job, scheduled, feature_count };

std::size_t op_count(ScheduleObservation const& state) { return state.proc_times.cols(); }
std::size_t machine_count(ScheduleObservation const& state) { return state.proc_times.rows(); }

} // namespace

// ---- which sizes

template <class R> bool MatnetNetwork<R>::recognises(WeightFile const& file) {
    return file.find(fmt::format("{}.weight", embed_ops_name)) != nullptr;
}

template <class R>
auto MatnetNetwork<R>::configure(WeightFile const& file, PolicyOptions const& options) -> Result<Config> {
    Config config{.info = file.info(), .norm = file.norm_kind(), .coupled = options.coupled_batch};
    if (config.info.stepwise)
        return Error{ErrorCode::unsupported, "metadata stepwise: not for networks that read schedules"};
    auto const embed = file.matrix(fmt::format("{}.weight", embed_ops_name));
    auto const widen = file.matrix(fmt::format("{}0.op_ffn.ops.ffn.0.weight", matnet_layers_name));
    for (auto const* const extent : {&embed, &widen})
        if (!*extent) return extent->error();
    Tensor const* const positions = file.find(positions_name);
    if (!positions) return Error{ErrorCode::mismatch, fmt::format("{}: missing", positions_name)};
    if (positions->shape().size() != 3 || positions->size() == 0)
        return Error{ErrorCode::mismatch, fmt::format("{}: shape {}, expected [1, positions, {}]", positions_name,
                                                      to_string(positions->shape()), embed->rows)};

    PolicyInfo& info = config.info;
    info.network = name;
    info.embed_dim = embed->rows;
    info.layers = file.count_layers(matnet_layers_name);
    config.feed_forward = widen->rows;
    config.positions = positions->shape()[1];
    std::size_t const width = info.embed_dim;
    if (config.feed_forward > 65536)
        return Error{ErrorCode::unsupported,
                     fmt::format("{} hidden units are more than a policy has", config.feed_forward)};
    if (auto ok = check_sizes(file, info, 14 * width * width + 4 * width * config.feed_forward); !ok) return ok.error();
    return config;
}

// ---- which tensors

template <class R>
MatnetNetwork<R>::MatnetNetwork(Config const& config)
    : config_(config),
      embed_ops_(parameters_, std::string(embed_ops_name), feature_count, config.info.embed_dim, false),
      embed_machines_(parameters_, std::string(embed_machines_name), 1, config.info.embed_dim, false),
      positions_(parameters_.add(std::string(positions_name), {1, config.positions, config.info.embed_dim}, false)),
      layers_([&] {
          MatnetShape const shape{config.info.embed_dim, config.info.heads, config.feed_forward, config.norm};
          std::vector<MatnetLayer<R>> layers;
          for (std::size_t l = 0; l < config.info.layers; ++l)
              layers.emplace_back(parameters_, fmt::format("{}{}.", matnet_layers_name, l), shape);
          return layers;
      }()),
      decoder_(parameters_, config.info) {
    for (auto const& entry : parameters_.entries())
        if (entry.trained) config_.info.parameters += entry.slice.size;
}

template <class R> void MatnetNetwork<R>::pack() {
    embed_ops_.pack(parameters_);
    embed_machines_.pack(parameters_);
    for (MatnetLayer<R>& layer : layers_) layer.pack(parameters_);
    decoder_.pack(parameters_);
}

// ---- which inputs

template <class R> Result<void> MatnetNetwork<R>::accepts(ScheduleObservation const& state) const {
    std::size_t const ops = op_count(state), machines = machine_count(state), jobs = state.next_op.size();
    if (state.encoder) {
        if (auto const ok = accepts(*state.encoder); !ok) return ok.error().within("what the encoder is shown");
        if (op_count(*state.encoder) != ops || machine_count(*state.encoder) != machines)
            return Error{ErrorCode::mismatch, "what the encoder is shown has another size"};
    }
    if (ops == 0 || machines == 0 || jobs == 0)
        return Error{ErrorCode::mismatch,
                     fmt::format("{} jobs with {} operations on {} machines: nothing to decide", jobs, ops, machines)};
    struct Length {
        std::string_view what;
        std::size_t found, expected;
    };
    for (auto const& [what, found, expected] :
         {Length{"num_eligible", state.num_eligible.size(), ops},
          Length{"lower_bounds", state.lower_bounds.size(), ops}, Length{"is_ready", state.is_ready.size(), ops},
          Length{"scheduled", state.scheduled.size(), ops}, Length{"padding", state.padding.size(), ops},
          Length{"job_of", state.job_of.size(), ops}, Length{"position", state.position.size(), ops},
          Length{"busy_until", state.busy_until.size(), machines},
          Length{"mask", state.mask.size(), 1 + jobs * machines}})
        if (found != expected)
            return Error{ErrorCode::mismatch, fmt::format("{} has {} entries, expected {}", what, found, expected)};
    for (std::size_t j = 0; j < jobs; ++j)
        if (state.next_op[j] >= ops)
            return Error{ErrorCode::mismatch,
                         fmt::format("job {}: next operation {} of {} operations", j, state.next_op[j], ops)};
    for (std::size_t o = 0; o < ops; ++o)
        if (state.position[o] >= config_.positions)
            return Error{ErrorCode::mismatch, fmt::format("operation {}: position {}, the policy knows {} positions", o,
                                                          state.position[o], config_.positions)};
    return {};
}

template <class R> ScheduleObservation MatnetNetwork<R>::zero_gradient(ScheduleObservation const& state) {
    ScheduleObservation gradient;
    gradient.proc_times = Matrix<double>(machine_count(state), op_count(state));
    gradient.num_eligible.resize(op_count(state));
    return gradient;
}

// ---- which graph

template <class R>
auto MatnetNetwork<R>::encode(States given, Arena& keep, Arena& scratch, Tape tape) const -> Encoded {
    std::vector<ScheduleObservation const*> shown;
    for (ScheduleObservation const* const state : given) shown.push_back(state->encoder ? state->encoder.get() : state);
    States const states(shown);
    Encoded encoded;
    lay_out(states, encoded, keep);
    read_features(states, encoded, scratch);

    // x_o = W_ops f_o + pe_position(o), y_m = W_ma (busy_m - time)
    View<R> x = embed_ops(states, encoded, scratch);
    View<R> y = scratch.matrix<R>(encoded.busy.rows, config_.info.embed_dim);
    embed_machines_.forward(encoded.busy, y);

    using Saved = typename MatnetLayer<R>::Saved;
    Saved* const saved = scratch.make<Saved>(layers_.size());
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        bool const all = tape == Tape::parameters;
        View<R> const next_x = all ? scratch.matrix<R>(x.rows, x.cols) : x;
        View<R> const next_y = all ? scratch.matrix<R>(y.rows, y.cols) : y;
        Arena::Mark const mark = scratch.mark();
        new (&saved[l]) Saved(layers_[l].forward(x, y, encoded.batch, next_x, next_y, scratch, tape));
        if (!goes_back(tape)) scratch.release(mark);
        x = next_x;
        y = next_y;
    }
    encoded.layers = {saved, goes_back(tape) ? layers_.size() : 0};
    encoded.x = x;

    // [gk | gv | lk] = W_nodes x
    View<R> const table = keep.matrix<R>(x.rows, 3 * x.cols);
    View<R> const embedded = keep.matrix<R>(y.rows, y.cols);
    decoder_.project(x, table);
    std::copy_n(y.data, y.rows * y.cols, embedded.data);
    encoded.source = {encoded.batch.segments.left, encoded.batch.segments.right, table, embedded};
    return encoded;
}

template <class R> void MatnetNetwork<R>::lay_out(States states, Encoded& encoded, Arena& keep) const {
    std::size_t const count = states.size();
    std::size_t* const ops = keep.make<std::size_t>(count + 1);
    std::size_t* const machines = keep.make<std::size_t>(count + 1);
    ops[0] = machines[0] = 0;
    for (std::size_t s = 0; s < count; ++s) {
        ops[s + 1] = ops[s] + op_count(*states[s]);
        machines[s + 1] = machines[s] + machine_count(*states[s]);
    }
    encoded.batch.segments = nn::make_pairs({ops, count + 1}, {machines, count + 1}, keep);
    encoded.batch.coupled = config_.coupled;
}

/// Observations hold doubles; from here on everything is R, in the order of operations that rl4co has in float32.
template <class R> void MatnetNetwork<R>::read_features(States states, Encoded& encoded, Arena& arena) const {
    nn::PairSegments const& segments = encoded.batch.segments;
    R const unit = static_cast<R>(config_.info.scaling_factor);
    View<R> const features = arena.matrix<R>(segments.left.back(), feature_count);
    View<R> const busy = arena.matrix<R>(segments.right.back(), 1);
    R* const counts = arena.make<R>(segments.left.back());
    R* const costs = arena.make<R>(segments.pairs.back());
    auto* const padding = arena.make<std::uint8_t>(segments.left.back());
    for (std::size_t s = 0; s < states.size(); ++s) {
        ScheduleObservation const& state = *states[s];
        std::size_t const machines = machine_count(state);
        for (std::size_t o = 0, row = segments.left[s]; o < op_count(state); ++o, ++row) {
            R sum{0};
            float eligible = 0;
            for (std::size_t m = 0; m < machines; ++m) {
                R const time = static_cast<R>(state.proc_times(m, o));
                sum += time;
                eligible += static_cast<float>(time > R{0});
                costs[segments.pairs[s] + o * machines + m] = time / unit;
            }
            counts[row] = static_cast<R>(eligible + 1e-9F); // in float whatever R, as a count is in rl4co
            padding[row] = state.padding[o];
            R* const f = features.row(row);
            f[mean_time] = sum / counts[row] / unit;
            f[is_ready] = static_cast<R>(state.is_ready[o]);
            f[num_eligible] = static_cast<R>(state.num_eligible[o]);
            f[job] = static_cast<R>(state.job_of[o]);
            f[scheduled] = static_cast<R>(state.scheduled[o]);
        }
        for (std::size_t m = 0; m < machines; ++m)
            busy(segments.right[s] + m, 0) = (static_cast<R>(state.busy_until[m]) - static_cast<R>(state.time)) / unit;
    }
    encoded.features = features;
    encoded.busy = busy;
    encoded.counts = {counts, segments.left.back()};
    encoded.batch.costs = {costs, segments.pairs.back()};
    encoded.batch.padding = {padding, segments.left.back()};
}

template <class R> View<R> MatnetNetwork<R>::embed_ops(States states, Encoded const& encoded, Arena& arena) const {
    std::size_t const width = config_.info.embed_dim, rows = encoded.features.rows;
    View<R> const x = arena.matrix<R>(rows, width), places = arena.matrix<R>(rows, width);
    std::span<R const> const known = parameters_.at(positions_);
    for (std::size_t s = 0, row = 0; s < states.size(); ++s)
        for (std::size_t const position : states[s]->position)
            std::copy_n(known.data() + position * width, width, places.row(row++));
    embed_ops_.forward(encoded.features, x, places);
    for (std::size_t row = 0; row < rows; ++row)
        if (encoded.batch.padding[row]) std::fill_n(x.row(row), width, R{0});
    return x;
}

// ---- and back

template <class R> auto MatnetNetwork<R>::zero_cotangent(Encoded const& encoded, Arena& arena) const -> Cotangent {
    auto const like = [&](View<R const> view) { return arena.zeros<R>(view.rows, view.cols); };
    return {like(encoded.source.table), like(encoded.source.embedded)};
}

template <class R>
void MatnetNetwork<R>::encode_backward(Encoded const& encoded, Cotangent& cotangent,
                                       std::span<ScheduleObservation> inputs, std::span<R> gradient,
                                       Arena& arena) const {
    assert(encoded.layers.size() == layers_.size()); // recorded
    View<R> const dx = arena.matrix<R>(encoded.x.rows, encoded.x.cols);
    View<R> const dy = cotangent.embedded;
    View<R> const dcosts = arena.zeros<R>(1, encoded.batch.costs.size());
    decoder_.project_backward(encoded.x, cotangent.table, dx, gradient, arena);
    for (std::size_t l = layers_.size(); l-- > 0;) {
        Arena::Mark const mark = arena.mark();
        layers_[l].backward(encoded.layers[l], encoded.batch, dx, dy, {dcosts.data, dcosts.cols}, gradient, arena);
        arena.release(mark);
    }
    embedding_backward(encoded, dx, dy, {dcosts.data, dcosts.cols}, inputs, gradient, arena);
}

template <class R>
void MatnetNetwork<R>::embedding_backward(Encoded const& encoded, View<R> dx, View<R const> dy,
                                          std::span<R const> dcosts, std::span<ScheduleObservation> inputs,
                                          std::span<R> gradient, Arena& arena) const {
    nn::PairSegments const& segments = encoded.batch.segments;
    for (std::size_t row = 0; row < dx.rows; ++row)
        if (encoded.batch.padding[row]) std::fill_n(dx.row(row), dx.cols, R{0}); // overwritten on the way in
    if (!gradient.empty()) {
        embed_ops_.backward_parameters(encoded.features, dx, gradient, arena);
        embed_machines_.backward_parameters(encoded.busy, dy, gradient, arena);
    }
    if (inputs.empty()) return;
    View<R> const dfeatures = arena.matrix<R>(dx.rows, feature_count);
    embed_ops_.backward_input(dx, dfeatures);
    R const unit = static_cast<R>(config_.info.scaling_factor);
    for (std::size_t s = 0; s < inputs.size(); ++s) {
        Matrix<double>& dtimes = inputs[s].proc_times;
        for (std::size_t o = 0, row = segments.left[s]; o < dtimes.cols(); ++o, ++row) {
            // The count is a constant, and a machine that is not eligible has as much weight as one that is.
            R const by_mean = dfeatures(row, mean_time) / unit / encoded.counts[row];
            for (std::size_t m = 0; m < dtimes.rows(); ++m) {
                R const by_cost = dcosts[segments.pairs[s] + o * dtimes.rows() + m] / unit;
                dtimes(m, o) += static_cast<double>(by_mean + by_cost);
            }
            inputs[s].num_eligible[o] += static_cast<double>(dfeatures(row, num_eligible));
        }
    }
}

template class MatnetNetwork<float>;
template class MatnetNetwork<double>;

} // namespace cax
