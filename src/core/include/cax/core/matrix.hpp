#pragma once
// A dense row-major matrix that owns its values. No arithmetic: that lives in nn.
#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace cax {

template <class T> class Matrix {
public:
    Matrix() = default;
    Matrix(std::size_t rows, std::size_t cols, T fill = T{}) : rows_(rows), cols_(cols), values_(rows * cols, fill) {}

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t cols() const { return cols_; }
    [[nodiscard]] std::size_t size() const { return values_.size(); }

    T& operator()(std::size_t r, std::size_t c) { return assert(r < rows_ && c < cols_), values_[r * cols_ + c]; }
    T const& operator()(std::size_t r, std::size_t c) const {
        return assert(r < rows_ && c < cols_), values_[r * cols_ + c];
    }
    [[nodiscard]] std::span<T> row(std::size_t r) { return {values_.data() + r * cols_, cols_}; }
    [[nodiscard]] std::span<T const> row(std::size_t r) const { return {values_.data() + r * cols_, cols_}; }
    [[nodiscard]] std::span<T> values() { return values_; }
    [[nodiscard]] std::span<T const> values() const { return values_; }
    T* data() { return values_.data(); }
    T const* data() const { return values_.data(); }

    bool operator==(Matrix const&) const = default;

private:
    std::size_t rows_ = 0;
    std::size_t cols_ = 0;
    std::vector<T> values_;
};

} // namespace cax
