// Any processor: vectors of 16 bytes, which every 64-bit instruction set has. 6 x 2 sums and 3 operands fill 16
// registers.
#define CAX_VECTOR_BYTES 16
#define CAX_TILE_ROWS 6
#include "kernels/table.hpp"

namespace cax::nn {

extern KernelSet const generic_kernels;
constinit KernelSet const generic_kernels{"generic", kernel_table<float>, kernel_table<double>};

} // namespace cax::nn
