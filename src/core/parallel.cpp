#include "cax/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cax {
namespace {

/// True on threads that are busy with a task: the cores are taken, more threads would only get in each other's way.
thread_local bool inside_task = false;

} // namespace

std::size_t thread_count(std::size_t requested) {
    if (requested > 0) return requested;
    return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t count, std::size_t threads, std::function<void(std::size_t, std::size_t)> const& task) {
    std::size_t const workers = inside_task ? 1 : std::min(thread_count(threads), count);
    if (workers <= 1) {
        for (std::size_t i = 0; i < count; ++i) task(i, 0);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    auto const work = [&](std::size_t worker) {
        inside_task = true;
        try {
            for (std::size_t i = next++; i < count; i = next++) task(i, worker);
        } catch (...) {
            std::scoped_lock const lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next = count;
        }
        inside_task = false;
    };
    {
        std::vector<std::jthread> pool;
        try {
            pool.reserve(workers - 1);
            for (std::size_t worker = 1; worker < workers; ++worker) pool.emplace_back(work, worker);
        } catch (std::exception const&) {
            // No thread or no memory for one more: those that there are do all the work, with the same outcome.
        }
        work(0);
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace cax
