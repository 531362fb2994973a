#pragma once
// Some rows of a matrix, worked on as a matrix of their own. On the way back through the last encoder layer only the
// rows that a decoder has read carry a gradient.
#include "cax/nn/arena.hpp"
#include "cax/nn/view.hpp"

#include <algorithm>
#include <span>

namespace cax {

using RowSelection = std::span<std::size_t const>;

/// Rows with an entry other than 0.
template <class R> [[nodiscard]] RowSelection live_rows(nn::View<R const> x, nn::Arena& arena) {
    std::size_t* const rows = arena.make<std::size_t>(x.rows);
    std::size_t count = 0;
    for (std::size_t r = 0; r < x.rows; ++r)
        if (std::any_of(x.row(r), x.row(r) + x.cols, [](R value) { return value != R{0}; })) rows[count++] = r;
    return {rows, count};
}

template <class R> [[nodiscard]] nn::View<R> gather(nn::View<R const> from, RowSelection rows, nn::Arena& arena) {
    nn::View<R> const to = arena.matrix<R>(rows.size(), from.cols);
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(from.row(rows[i]), from.cols, to.row(i));
    return to;
}

/// The rows that are not selected become 0.
template <class R> void scatter(nn::View<R const> from, RowSelection rows, nn::View<R> to) {
    for (std::size_t r = 0; r < to.rows; ++r) std::fill_n(to.row(r), to.cols, R{0});
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(from.row(i), from.cols, to.row(rows[i]));
}

} // namespace cax
