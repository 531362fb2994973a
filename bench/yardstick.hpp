#pragma once
// How fast is fast? Rates are compared, within one run, with what large single-threaded sgemm reaches on the same core.
// Both sides report the processor time of their fastest repetition, which a busy machine disturbs least.
#include <benchmark/benchmark.h>

namespace cax::bench {

/// Floating-point operations per second of OpenBLAS sgemm, 1024 x 1024 x 1024, one thread: the best seen so far in this
/// run, after a few more attempts.
[[nodiscard]] double sgemm_rate();
/// C = A B by OpenBLAS, one thread, row-major without gaps.
void sgemm(std::size_t rows, std::size_t cols, std::size_t inner, float const* a, float const* b, float* c);

/// Processor time of the calling thread.
[[nodiscard]] double thread_seconds();

/// Runs `work` for the state's iterations and reports GFLOP/s of the fastest one (or of the fastest group of
/// repetitions, where one alone is too short to time) and its share of sgemm_rate().
template <class Work> void report_rate(benchmark::State& state, double flops, Work const& work) {
    static_cast<void>(sgemm_rate());
    auto const group = static_cast<int>(1 + 2e7 / flops);
    double fastest = 1e30;
    for (auto _ : state) {
        double const start = thread_seconds();
        for (int i = 0; i < group; ++i) work();
        double const seconds = thread_seconds() - start;
        fastest = seconds < fastest ? seconds : fastest;
    }
    double const rate = group * flops / fastest;
    state.counters["GFLOPS"] = rate / 1e9;
    state.counters["of_sgemm"] = rate / sgemm_rate();
}

} // namespace cax::bench
