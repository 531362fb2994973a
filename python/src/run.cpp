#include "run.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace cax::python {
namespace {

constexpr auto glance = std::chrono::milliseconds(40);

/// Errors of the world that arrive as exceptions.
[[noreturn]] void raise_again(std::exception_ptr const& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (PythonFailure const& own) {
        own.raise();
    } catch (PolicyFailure const& own) {
        raise_policy_error(own.error().message);
    }
}

} // namespace

Progress Watch::progress() {
    return [this](std::size_t finished, std::size_t total) {
        check();
        total_ = total;
        finished_ = finished;
    };
}

std::optional<std::pair<std::size_t, std::size_t>> Watch::news() {
    std::size_t const finished = finished_;
    if (finished == told_) return std::nullopt;
    told_ = finished;
    return std::pair{finished, std::size_t{total_}};
}

void run_work(py::object const& progress, Watch& watch, std::function<void()> const& work) {
    std::mutex mutex;
    std::condition_variable changed;
    bool finished = false;
    std::exception_ptr failure;
    std::exception_ptr interruption;
    std::thread worker([&] {
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        std::scoped_lock const lock(mutex);
        finished = true;
        changed.notify_one();
    });
    bool over = false;
    while (!over) {
        {
            py::gil_scoped_release const unlocked;
            std::unique_lock lock(mutex);
            over = changed.wait_for(lock, glance, [&] { return finished; });
        }
        if (interruption) continue;
        try {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            auto const news = watch.news();
            if (news && !progress.is_none()) progress(news->first, news->second);
        } catch (py::error_already_set& raised) {
            interruption = std::make_exception_ptr(PythonFailure(raised));
            watch.stop();
        }
    }
    {
        py::gil_scoped_release const unlocked;
        worker.join();
    }
    if (interruption) raise_again(interruption);
    if (failure) raise_again(failure);
}

} // namespace cax::python
