// AVX2 and FMA: 6 x 2 sums, 2 columns of B and a broadcast fill 15 of 16 registers.
#define CAX_VECTOR_BYTES 32
#define CAX_TILE_ROWS 6
#include "kernels/table.hpp"

namespace cax::nn {

extern KernelSet const avx2_kernels;
constinit KernelSet const avx2_kernels{"avx2", kernel_table<float>, kernel_table<double>};

} // namespace cax::nn
