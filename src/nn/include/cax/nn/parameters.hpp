#pragma once
// All parameters of a network in one flat vector, each a named slice of it. A gradient is a flat vector of the same
// length: an optimiser needs to know nothing else.
#include "cax/core/tensor.hpp"

#include <cassert>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cax::nn {

/// Where a parameter lies in the flat vector. `size` 0 means "there is none" (a linear map without bias).
struct Slice {
    std::size_t offset = 0;
    std::size_t size = 0;
    explicit operator bool() const { return size > 0; }
};

template <class R> class Parameters {
public:
    struct Entry {
        std::string name; ///< rl4co's: "encoder.net.layers.0.0.module.Wqkv.weight"
        Shape shape;
        Slice slice;
        bool trained = true; ///< false: a buffer (running statistics, positional encoding) that no optimiser moves
    };

    /// Appends a parameter; values start at 0.
    Slice add(std::string name, Shape shape, bool trained = true) {
        std::size_t size = 1;
        for (std::size_t const extent : shape) size *= extent;
        Slice const slice{values_.size(), size};
        values_.resize(values_.size() + size);
        entries_.push_back({std::move(name), std::move(shape), slice, trained});
        return slice;
    }
    [[nodiscard]] std::vector<Entry> const& entries() const { return entries_; }
    [[nodiscard]] std::span<R> values() { return values_; }
    [[nodiscard]] std::span<R const> values() const { return values_; }
    [[nodiscard]] std::span<R> at(Slice slice) { return std::span(values_).subspan(slice.offset, slice.size); }
    [[nodiscard]] std::span<R const> at(Slice slice) const {
        return std::span<R const>(values_).subspan(slice.offset, slice.size);
    }

private:
    std::vector<Entry> entries_;
    std::vector<R> values_;
};

/// The part of a flat gradient that belongs to a slice.
template <class R> [[nodiscard]] std::span<R> gradient_at(std::span<R> gradient, Slice slice) {
    return gradient.subspan(slice.offset, slice.size);
}

} // namespace cax::nn
