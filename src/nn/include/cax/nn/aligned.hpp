#pragma once
// Memory that starts on a cache line, so that a vector load of packed weights never straddles two of them.
#include <cstddef>
#include <new>
#include <vector>

namespace cax::nn {

inline constexpr std::size_t cache_line = 64;

template <class T> struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U> AlignedAllocator(AlignedAllocator<U> const&) {}
    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{cache_line}));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{cache_line}); }
    bool operator==(AlignedAllocator const&) const { return true; }
};

template <class T> using AlignedVector = std::vector<T, AlignedAllocator<T>>;

} // namespace cax::nn
