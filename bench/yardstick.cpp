#include "yardstick.hpp"

#include <algorithm>
#include <cblas.h>
#include <ctime>
#include <limits>
#include <vector>

namespace cax::bench {

void sgemm(std::size_t rows, std::size_t cols, std::size_t inner, float const* a, float const* b, float* c) {
    auto const integer = [](std::size_t n) { return static_cast<blasint>(n); };
    openblas_set_num_threads(1);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, integer(rows), integer(cols), integer(inner), 1.0F, a,
                integer(inner), b, integer(cols), 0.0F, c, integer(cols));
}

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double sgemm_rate() {
    constexpr std::size_t n = 1024;
    static std::vector<float> const a(n * n, 0.5F), b(n * n, 0.25F);
    static std::vector<float> c(n * n);
    static double fastest = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition < 4; ++repetition) {
        double const start = thread_seconds();
        sgemm(n, n, n, a.data(), b.data(), c.data());
        fastest = std::min(fastest, thread_seconds() - start);
    }
    return 2.0 * n * n * n / fastest;
}

} // namespace cax::bench
