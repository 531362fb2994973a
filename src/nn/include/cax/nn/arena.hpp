#pragma once
// Scratch memory for one thread's forward and backward passes. Allocation is a pointer bump; reset() makes everything
// reusable and keeps the memory, so a steady state allocates nothing. Activations saved for a backward pass simply stay
// in the arena until reset().
#include "cax/nn/view.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace cax::nn {

class Arena {
public:
    /// Uninitialised, 64-byte aligned.
    template <class R> R* make(std::size_t count) { return static_cast<R*>(allocate(count * sizeof(R))); }
    /// Uninitialised rows x cols, stride = cols.
    template <class R> View<R> matrix(std::size_t rows, std::size_t cols) {
        return {make<R>(rows * cols), rows, cols, cols};
    }
    /// Zeroed rows x cols.
    template <class R> View<R> zeros(std::size_t rows, std::size_t cols) {
        View<R> const view = matrix<R>(rows, cols);
        for (std::size_t i = 0; i < rows * cols; ++i) view.data[i] = R{0};
        return view;
    }
    void reset();

    /// A point in the order of allocations; release() makes everything allocated after it reusable, as reset() does for
    /// everything. A forward pass that nobody will go back through keeps one layer's memory warm instead of touching
    /// new memory in every layer.
    struct Mark {
        std::size_t chunk = 0, used = 0;
    };
    [[nodiscard]] Mark mark() const { return {chunk_, used_}; }
    void release(Mark mark) {
        chunk_ = mark.chunk;
        used_ = mark.used;
    }

private:
    void* allocate(std::size_t bytes);
    [[nodiscard]] std::size_t total_size() const;

    struct Free {
        void operator()(std::byte* memory) const;
    };
    struct Chunk {
        std::unique_ptr<std::byte, Free> memory;
        std::size_t size = 0;
    };
    std::vector<Chunk> chunks_;
    std::size_t chunk_ = 0; ///< index of the chunk in use
    std::size_t used_ = 0;  ///< bytes used in it
};

} // namespace cax::nn
