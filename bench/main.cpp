// Runs the benchmarks with OpenBLAS's fastest kernels. It falls back to its slowest ones on processors that are younger
// than it is, which would make the yardstick too short; the choice is made when the library is loaded, so the program
// starts itself anew with the right name in the environment.
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <unistd.h>

int main(int argc, char** argv) {
#ifdef __x86_64__
    if (!std::getenv("OPENBLAS_CORETYPE") && __builtin_cpu_supports("avx512vl")) {
        setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
        execv("/proc/self/exe", argv);
    }
#endif
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
