#pragma once
// The kernels of one instruction set, gathered. Included by one source per set, after it has said how wide a vector is
// and how many rows a tile has.
#include "kernels/channels.hpp"
#include "kernels/log_softmax.hpp"
#include "kernels/mixture.hpp"
#include "kernels/pairs.hpp"
#include "kernels/pointer.hpp"
#include "kernels/product.hpp"
#include "kernels/softmax.hpp"

namespace cax::nn {
namespace {

template <class R>
constexpr KernelTable<R> kernel_table{
    .width = width<R>,
    .panel = panel_cols<R>,
    .multiply = &multiply_product<R>,
    .pack = &pack_panels<R>,
    .exponential = &exponential_all<R>,
    .softmax = &softmax_rows<R>,
    .softmax_backward = &softmax_backward_rows<R>,
    .column_sums = &sum_columns<R>,
    .normalise = &normalise_rows<R>,
    .column_squares = &sum_column_squares<R>,
    .normalise_backward = &normalise_rows_backward<R>,
    .softmax_columns = &softmax_columns<R>,
    .softmax_columns_backward = &softmax_columns_backward<R>,
    .log_softmax = &log_softmax_row<R>,
    .log_softmax_backward = &log_softmax_row_backward<R>,
    .add_scaled = &add_scaled_all<R>,
    .hide = &hide_keys<R>,
    .pointer_softmax = &pointer_softmax_rows<R>,
    .pointer_softmax_backward = &pointer_softmax_rows_backward<R>,
    .dot_heads = &dot_heads<R>,
    .mix_heads = &mix_heads<R>,
    .mix_rows = &mix_rows<R>,
    .mix_rows_backward = &mix_rows_backward<R>,
    .compare_rows = &compare_rows<R>,
    .compare_rows_backward = &compare_rows_backward<R>,
};

} // namespace
} // namespace cax::nn
