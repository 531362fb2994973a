#pragma once
// Loops over rows and channels, for the normalisations and bias gradients. Plain loops: channels do not meet, so the
// compiler turns them into vectors by itself. Sums over rows run in row order.
#include "kernels.hpp"

namespace cax::nn {
namespace {

template <class R> void sum_columns(Block<R const> x, R const* y, std::size_t y_stride, R* out) {
    for (std::size_t i = 0; i < x.rows; ++i) {
        R const* const row = x.data + i * x.stride;
        if (y) {
            R const* const other = y + i * y_stride;
            for (std::size_t c = 0; c < x.cols; ++c) out[c] += row[c] * other[c];
        } else {
            for (std::size_t c = 0; c < x.cols; ++c) out[c] += row[c];
        }
    }
}

template <class R> void sum_column_squares(Block<R const> x, R const* mean, R* out) {
    for (std::size_t i = 0; i < x.rows; ++i) {
        R const* const row = x.data + i * x.stride;
        for (std::size_t c = 0; c < x.cols; ++c) out[c] += (row[c] - mean[c]) * (row[c] - mean[c]);
    }
}

template <class R>
void normalise_rows(Block<R const> x, R const* mean, R const* inverse, R const* weight, R const* bias, R* h, R* y,
                    std::size_t y_stride) {
    for (std::size_t i = 0; i < x.rows; ++i) {
        R const* const row = x.data + i * x.stride;
        R* const out = y + i * y_stride;
        if (h) {
            R* const saved = h + i * x.cols;
            for (std::size_t c = 0; c < x.cols; ++c) {
                R const value = (row[c] - mean[c]) * inverse[c];
                saved[c] = value;
                out[c] = value * weight[c] + bias[c];
            }
        } else {
            for (std::size_t c = 0; c < x.cols; ++c) out[c] = (row[c] - mean[c]) * inverse[c] * weight[c] + bias[c];
        }
    }
}

template <class R>
void normalise_rows_backward(Block<R const> dy, R const* h, R const* a, R const* b, R const* c, R* dx,
                             std::size_t dx_stride) {
    for (std::size_t i = 0; i < dy.rows; ++i) {
        R const* const row = dy.data + i * dy.stride;
        R* const out = dx + i * dx_stride;
        if (h) {
            R const* const saved = h + i * dy.cols;
            for (std::size_t j = 0; j < dy.cols; ++j) out[j] = a[j] * row[j] + (b[j] + c[j] * saved[j]);
        } else {
            for (std::size_t j = 0; j < dy.cols; ++j) out[j] = a[j] * row[j];
        }
    }
}

template <class R> void add_scaled_all(R a, R const* x, R* y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) y[i] += x[i] * a;
}

} // namespace
} // namespace cax::nn
