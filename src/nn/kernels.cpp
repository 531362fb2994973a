#include "kernels.hpp"

#include "cax/nn/gemm.hpp"

#include <cstdlib>
#include <cstring>

namespace cax::nn {

extern KernelSet const generic_kernels;
#ifdef CAX_X86_KERNELS
extern KernelSet const avx2_kernels;
extern KernelSet const avx512_kernels;
#endif

KernelSets supported_kernels() {
    KernelSets found{};
#ifdef CAX_X86_KERNELS
    __builtin_cpu_init();
    bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool const avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (avx512) found.sets[found.count++] = &avx512_kernels;
    if (avx2) found.sets[found.count++] = &avx2_kernels;
#endif
    found.sets[found.count++] = &generic_kernels;
    return found;
}

KernelSet const& kernel_set() {
    static KernelSet const& chosen = []() -> KernelSet const& {
        KernelSets const found = supported_kernels();
        char const* const wanted = std::getenv("CAX_KERNEL");
        for (std::size_t i = 0; wanted && i < found.count; ++i)
            if (std::strcmp(found.sets[i]->name, wanted) == 0) return *found.sets[i];
        return *found.sets[0];
    }();
    return chosen;
}

char const* kernel_name() { return kernel_set().name; }

} // namespace cax::nn
