// AVX-512: 14 x 2 sums, 2 columns of B and a broadcast fill 31 of 32 registers.
#define CAX_VECTOR_BYTES 64
#define CAX_TILE_ROWS 14
#include "kernels/table.hpp"

namespace cax::nn {

extern KernelSet const avx512_kernels;
constinit KernelSet const avx512_kernels{"avx512", kernel_table<float>, kernel_table<double>};

} // namespace cax::nn
