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

private:
    void* allocate(std::size_t bytes);

    struct Free {
        void operator()(std::byte* memory) const;
    };
    struct Chunk {
        std::unique_ptr<std::byte, Free> memory;
        std::size_t size = 0;
    };
    std::vector<Chunk> chunks_; ///< the last one is in use; the others are full
    std::size_t used_ = 0;      ///< bytes used in it
};

} // namespace cax::nn
