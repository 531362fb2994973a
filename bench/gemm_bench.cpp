// Matrix products at the shapes of the networks: rows of one state (51) and of a block of states, beside OpenBLAS at
// the same shape. Inputs are a fixed pseudo-random sequence.
#include "cax/nn/gemm.hpp"
#include "yardstick.hpp"

#include <random>

namespace {

using cax::nn::AlignedVector;
using cax::nn::View;

template <class R> AlignedVector<R> noise(std::size_t count) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<R> uniform(-1, 1);
    AlignedVector<R> values(count);
    for (R& value : values) value = uniform(engine);
    return values;
}

struct Shape {
    explicit Shape(benchmark::State const& state)
        : rows(static_cast<std::size_t>(state.range(0))),
          inner(static_cast<std::size_t>(state.range(1))),
          cols(static_cast<std::size_t>(state.range(2))) {}
    [[nodiscard]] double flops() const { return 2.0 * static_cast<double>(rows * inner * cols); }
    std::size_t rows, inner, cols;
};

template <class R> void own(benchmark::State& state) {
    Shape const shape(state);
    auto const a = noise<R>(shape.rows * shape.inner);
    auto const b = noise<R>(shape.inner * shape.cols);
    AlignedVector<R> c(shape.rows * shape.cols);
    cax::nn::PackedMatrix<R> packed;
    packed.assign(View<R const>{b.data(), shape.inner, shape.cols, shape.cols});
    View<R const> const left{a.data(), shape.rows, shape.inner, shape.inner};
    View<R> const out{c.data(), shape.rows, shape.cols, shape.cols};
    cax::bench::report_rate(state, shape.flops(), [&] { cax::nn::multiply(left, packed, out); });
    state.SetLabel(cax::nn::kernel_name());
}

void openblas(benchmark::State& state) {
    Shape const shape(state);
    auto const a = noise<float>(shape.rows * shape.inner);
    auto const b = noise<float>(shape.inner * shape.cols);
    AlignedVector<float> c(shape.rows * shape.cols);
    cax::bench::report_rate(state, shape.flops(), [&] {
        cax::bench::sgemm(shape.rows, shape.cols, shape.inner, a.data(), b.data(), c.data());
    });
}

/// dW [out, in] += dy^T x over many rows, as training does it.
template <class R> void weight_gradient(benchmark::State& state) {
    Shape const shape(state);
    auto const dy = noise<R>(shape.inner * shape.rows);
    auto const x = noise<R>(shape.inner * shape.cols);
    AlignedVector<R> c(shape.rows * shape.cols);
    cax::nn::Arena arena;
    cax::bench::report_rate(state, shape.flops(), [&] {
        arena.reset();
        cax::nn::multiply_transposed(View<R const>{dy.data(), shape.inner, shape.rows, shape.rows},
                                     View<R const>{x.data(), shape.inner, shape.cols, shape.cols},
                                     View<R>{c.data(), shape.rows, shape.cols, shape.cols}, arena);
    });
}

void shapes(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"rows", "inner", "cols"});
    for (std::int64_t const rows : {21, 51, 408, 1024})
        for (auto const& [inner, cols] : {std::pair{128, 128}, {128, 384}, {128, 512}, {512, 128}})
            benchmark->Args({rows, inner, cols});
    benchmark->Args({1024, 1024, 1024});
}
void gradient_shapes(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"out", "rows", "in"});
    for (std::int64_t const rows : {51, 816, 5000})
        for (auto const& [out, in] : {std::pair{512, 128}, {128, 512}, {384, 128}}) benchmark->Args({out, rows, in});
}

BENCHMARK(own<float>)->Apply(shapes)->MinTime(0.1);
BENCHMARK(openblas)->Apply(shapes)->MinTime(0.1);
BENCHMARK(own<double>)->Args({51, 128, 384})->Args({1024, 1024, 1024})->MinTime(0.1);
BENCHMARK(weight_gradient<float>)->Apply(gradient_shapes)->MinTime(0.1);

} // namespace
