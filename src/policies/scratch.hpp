#pragma once
// Arenas to borrow. Whoever computes takes one, and gives it back with its memory kept for the next; so there are never
// more arenas than threads computing at once, and a steady state allocates nothing.
#include "cax/nn/arena.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace cax {

class Scratch {
public:
    class Lease {
    public:
        explicit Lease(Scratch& owner) : owner_(owner), arena_(owner.take()) {}
        ~Lease() { owner_.give(std::move(arena_)); }
        Lease(Lease const&) = delete;
        Lease& operator=(Lease const&) = delete;
        nn::Arena& operator*() const { return *arena_; }

    private:
        Scratch& owner_;
        std::unique_ptr<nn::Arena> arena_;
    };
    [[nodiscard]] Lease lease() { return Lease(*this); }

private:
    std::unique_ptr<nn::Arena> take() {
        std::scoped_lock const lock(mutex_);
        if (free_.empty()) return std::make_unique<nn::Arena>();
        std::unique_ptr<nn::Arena> arena = std::move(free_.back());
        free_.pop_back();
        return arena;
    }
    void give(std::unique_ptr<nn::Arena> arena) {
        arena->reset();
        std::scoped_lock const lock(mutex_);
        free_.push_back(std::move(arena));
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<nn::Arena>> free_;
};

} // namespace cax
