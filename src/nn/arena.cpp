#include "cax/nn/arena.hpp"

#include "cax/nn/aligned.hpp"

#include <algorithm>
#include <new>

namespace cax::nn {

namespace {

constexpr std::size_t smallest_chunk = std::size_t{1} << 16;

std::size_t whole_lines(std::size_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }

std::byte* new_memory(std::size_t bytes) {
    return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{cache_line}));
}

} // namespace

void Arena::Free::operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{cache_line}); }

void* Arena::allocate(std::size_t bytes) {
    bytes = whole_lines(bytes);
    while (chunk_ < chunks_.size() && used_ + bytes > chunks_[chunk_].size) {
        ++chunk_;
        used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
        // Doubling keeps the number of chunks, and so the cost of the first pass, logarithmic in the final size.
        std::size_t const size = std::max({bytes, total_size(), smallest_chunk});
        chunks_.push_back({std::unique_ptr<std::byte, Free>(new_memory(size)), size});
    }
    void* const memory = chunks_[chunk_].memory.get() + used_;
    used_ += bytes;
    return memory;
}

void Arena::reset() {
    chunk_ = 0;
    used_ = 0;
    if (chunks_.size() < 2) return;
    std::size_t const total = total_size();
    chunks_.clear();
    chunks_.push_back({std::unique_ptr<std::byte, Free>(new_memory(total)), total});
}

std::size_t Arena::total_size() const {
    std::size_t total = 0;
    for (Chunk const& chunk : chunks_) total += chunk.size;
    return total;
}

} // namespace cax::nn
