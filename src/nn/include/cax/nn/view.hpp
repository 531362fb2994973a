#pragma once
// Borrowed matrices. A View is rows x cols values, each row contiguous, consecutive rows `stride` values apart, so that
// a block of columns of a wider matrix (the keys inside q|k|v) is a View too.
#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

namespace cax::nn {

template <class R> struct View {
    R* data = nullptr;
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::size_t stride = 0;

    [[nodiscard]] R* row(std::size_t r) const { return assert(r < rows), data + r* stride; }
    R& operator()(std::size_t r, std::size_t c) const { return assert(c < cols), row(r)[c]; }
    /// Columns first .. first+count-1.
    [[nodiscard]] View columns(std::size_t first, std::size_t count) const {
        return assert(first + count <= cols), View{data + first, rows, count, stride};
    }
    /// Rows first .. first+count-1.
    [[nodiscard]] View middle_rows(std::size_t first, std::size_t count) const {
        return assert(first + count <= rows), View{data + first * stride, count, cols, stride};
    }
    operator View<R const>() const requires(!std::is_const_v<R>) { return {data, rows, cols, stride}; }
};

/// Row offsets of the states stacked in one matrix: state s owns rows segments[s] .. segments[s+1]-1.
using Segments = std::span<std::size_t const>;

} // namespace cax::nn
