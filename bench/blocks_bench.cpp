// The encoder of the attention model (three layers, 128 channels, 8 heads, feed-forward 512), built from the blocks:
// forward and input gradient at batches of one and many, with the share of the sgemm rate that its FLOPs reach.
#include "cax/nn/blocks.hpp"
#include "yardstick.hpp"

#include <random>
#include <vector>

namespace {

using namespace cax::nn;

constexpr std::size_t width = 128, hidden = 512, heads = 8, layers = 3;

struct Layer {
    Linear<float> qkv, out, up, down;
    SelfAttention<float> attention{heads};
    Norm<float> norm1, norm2;

    struct Saved {
        View<float> x, qkv, mixed, t, activated;
        SelfAttention<float>::Saved attention;
        Norm<float>::Saved norm1, norm2;
    };

    Saved forward(View<float> x, View<float> y, Segments segments, Arena& arena, bool save) const {
        Saved saved{.x = x,
                    .qkv = arena.matrix<float>(x.rows, 3 * width),
                    .mixed = arena.matrix<float>(x.rows, width),
                    .t = arena.matrix<float>(x.rows, width),
                    .activated = arena.matrix<float>(x.rows, hidden),
                    .attention = {},
                    .norm1 = {},
                    .norm2 = {}};
        qkv.forward(x, saved.qkv);
        saved.attention = attention.forward(saved.qkv, segments, {}, saved.mixed, arena);
        out.forward(saved.mixed, saved.t, x);
        saved.norm1 = norm1.forward(saved.t, segments, saved.t, arena, save);
        up.forward(saved.t, saved.activated, {}, true);
        down.forward(saved.activated, y, saved.t);
        saved.norm2 = norm2.forward(y, segments, y, arena, save);
        return saved;
    }

    void backward(Saved const& saved, Segments segments, View<float> dy, Arena& arena) const {
        Arena::Mark const mark = arena.mark();
        norm2.backward(saved.norm2, segments, dy, dy, {});
        View<float> const dhidden = arena.matrix<float>(dy.rows, hidden);
        down.backward_input(dy, dhidden, false, saved.activated);
        up.backward_input(dhidden, dy, true);
        norm1.backward(saved.norm1, segments, dy, dy, {});
        View<float> const dmixed = arena.matrix<float>(dy.rows, width);
        View<float> const dqkv = arena.matrix<float>(dy.rows, 3 * width);
        out.backward_input(dy, dmixed);
        attention.backward(saved.attention, segments, dmixed, dqkv, arena);
        qkv.backward_input(dqkv, dy, true);
        arena.release(mark);
    }
};

class Encoder {
public:
    Encoder() {
        for (std::size_t l = 0; l < layers; ++l) {
            Layer& layer = layers_.emplace_back();
            layer.qkv = Linear<float>(parameters_, "qkv", width, 3 * width, true);
            layer.out = Linear<float>(parameters_, "out", width, width, true);
            layer.up = Linear<float>(parameters_, "up", width, hidden, true);
            layer.down = Linear<float>(parameters_, "down", hidden, width, true);
            layer.norm1 = Norm<float>(parameters_, "norm1", NormKind::batch, width);
            layer.norm2 = Norm<float>(parameters_, "norm2", NormKind::batch, width);
        }
        std::mt19937 engine(1);
        std::uniform_real_distribution<float> uniform(-0.1F, 0.1F);
        for (float& value : parameters_.values()) value = uniform(engine);
        for (auto const& entry : parameters_.entries())
            if (entry.name.ends_with("running_var") || entry.name.ends_with("normalizer.weight"))
                for (float& value : parameters_.at(entry.slice)) value = 1;
        for (Layer& layer : layers_) {
            for (Linear<float>* linear : {&layer.qkv, &layer.out, &layer.up, &layer.down}) linear->pack(parameters_);
            layer.norm1.pack(parameters_);
            layer.norm2.pack(parameters_);
        }
    }

    void run(View<float> input, Segments segments, Arena& arena, bool gradient) const {
        arena.reset();
        std::vector<Layer::Saved> saved;
        View<float> x = input;
        View<float> const outputs[2] = {arena.matrix<float>(x.rows, width), arena.matrix<float>(x.rows, width)};
        for (std::size_t l = 0; l < layers; ++l) {
            Arena::Mark const mark = arena.mark();
            View<float> const y = gradient ? arena.matrix<float>(x.rows, width) : outputs[l % 2];
            saved.push_back(layers_[l].forward(x, y, segments, arena, gradient));
            if (!gradient) arena.release(mark);
            x = y;
        }
        if (!gradient) return;
        for (std::size_t l = layers; l-- > 0;) layers_[l].backward(saved[l], segments, x, arena);
    }

private:
    Parameters<float> parameters_;
    std::vector<Layer> layers_;
};

/// `states` states of `nodes` rows, taken in blocks of up to `most_rows` that stay in the cache, as the policies do.
struct Batch {
    Batch(std::size_t states, std::size_t nodes, std::size_t most_rows) {
        std::size_t const block = std::min(states, std::max<std::size_t>(most_rows / nodes, 1));
        blocks = states / block;
        for (std::size_t s = 0; s <= block; ++s) segments.push_back(s * nodes);
        values.resize(block * nodes * width);
        std::mt19937 engine(2);
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (float& value : values) value = uniform(engine);
    }
    View<float> input() { return {values.data(), segments.back(), width, width}; }
    std::size_t blocks;
    std::vector<std::size_t> segments;
    AlignedVector<float> values;
};

double forward_flops(double states, double nodes) {
    double const weights = width * (3.0 * width + width + 2.0 * hidden);
    return states * layers * (2 * nodes * weights + 4 * nodes * nodes * width);
}

void encoder_forward(benchmark::State& state) {
    Encoder const encoder;
    Batch batch(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)), 104);
    Arena arena;
    cax::bench::report_rate(
        state, forward_flops(static_cast<double>(state.range(0)), static_cast<double>(state.range(1))), [&] {
            for (std::size_t b = 0; b < batch.blocks; ++b) encoder.run(batch.input(), batch.segments, arena, false);
        });
    state.SetLabel(kernel_name());
}

/// Forward and input gradient; `of_forward` says how many forward passes it costs.
void encoder_gradient(benchmark::State& state) {
    Encoder const encoder;
    Batch batch(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)), 64);
    Arena arena;
    double fastest[2] = {1e30, 1e30};
    for (auto _ : state)
        for (bool const gradient : {false, true}) {
            double const start = cax::bench::thread_seconds();
            for (std::size_t b = 0; b < batch.blocks; ++b) encoder.run(batch.input(), batch.segments, arena, gradient);
            fastest[gradient] = std::min(fastest[gradient], cax::bench::thread_seconds() - start);
        }
    state.counters["of_forward"] = fastest[1] / fastest[0];
}

BENCHMARK(encoder_forward)->ArgNames({"states", "nodes"})->Args({1, 51})->Args({64, 51})->Args({1, 21})->Args({64, 21});
BENCHMARK(encoder_gradient)->ArgNames({"states", "nodes"})->Args({1, 51})->Args({64, 51})->Args({64, 21});

} // namespace
