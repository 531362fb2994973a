#include "allocation_guard.hpp"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<bool> armed = false;
std::atomic<std::size_t> live = 0;

void* allocate(std::size_t size, std::size_t alignment) {
    if (armed && (size > cax::test::largest_allocation || live + size > cax::test::largest_live_total)) {
        throw std::bad_alloc();
    }
    std::size_t const rounded = (size + alignment - 1) / alignment * alignment; // aligned_alloc asks for a multiple
    void* const memory = alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                                : std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    live += malloc_usable_size(memory);
    return memory;
}

void* allocate_or_null(std::size_t size) noexcept {
    try {
        return allocate(size, alignof(std::max_align_t));
    } catch (std::bad_alloc const&) {
        return nullptr;
    }
}

void release(void* memory) {
    if (memory == nullptr) return;
    live -= malloc_usable_size(memory);
    std::free(memory);
}

} // namespace

namespace cax::test {

AllocationGuard::AllocationGuard() { armed = true; }
AllocationGuard::~AllocationGuard() { armed = false; }

} // namespace cax::test

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return allocate_or_null(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return allocate_or_null(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { release(memory); }
void operator delete[](void* memory, std::nothrow_t const&) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
