#include "cax/core/parallel.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace cax {
namespace {

TEST(ParallelFor, RunsEveryTaskExactlyOnce) {
    for (std::size_t const threads : {1, 2, 7}) {
        std::vector<std::atomic<int>> runs(1000);
        parallel_for(runs.size(), threads, [&](std::size_t task, std::size_t worker) {
            EXPECT_LT(worker, threads);
            ++runs[task];
        });
        for (auto const& count : runs) EXPECT_EQ(count, 1);
    }
}

TEST(ParallelFor, NeverGivesOneWorkerTwoTasksAtATime) {
    std::vector<std::atomic<int>> busy(3);
    parallel_for(500, 3, [&](std::size_t, std::size_t worker) {
        EXPECT_EQ(busy[worker].fetch_add(1), 0);
        --busy[worker];
    });
}

TEST(ParallelFor, RethrowsTheExceptionOfATask) {
    EXPECT_THROW(parallel_for(100, 2,
                              [](std::size_t task, std::size_t) {
                                  if (task == 50) throw std::runtime_error("task 50");
                              }),
                 std::runtime_error);
}

TEST(ParallelFor, RunsNestedLoopsOnTheThreadOfTheirTask) {
    parallel_for(4, 2, [](std::size_t, std::size_t) {
        auto const thread = std::this_thread::get_id();
        parallel_for(20, 2, [&](std::size_t, std::size_t worker) {
            EXPECT_EQ(worker, 0);
            EXPECT_EQ(std::this_thread::get_id(), thread);
        });
    });
    std::vector<int> workers(2); // and afterwards the calling thread is free to use all of them again
    std::atomic<int> running{0};
    parallel_for(2, 2, [&](std::size_t task, std::size_t worker) {
        ++running;
        while (running < 2) std::this_thread::yield(); // returns only if both tasks run at the same time
        workers[task] = static_cast<int>(worker);
    });
    EXPECT_NE(workers[0], workers[1]);
}

TEST(ParallelFor, DoesNothingForNoTasks) {
    parallel_for(0, 4, [](std::size_t, std::size_t) { FAIL(); });
}

} // namespace
} // namespace cax
