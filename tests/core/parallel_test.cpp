#include "cax/core/parallel.hpp"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <sys/resource.h>
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

TEST(ParallelFor, CarriesTheEndOfMemoryOverFromAnyThread) {
    for (std::size_t const threads : {1, 2, 5}) {
        std::atomic<int> after{0};
        EXPECT_THROW(parallel_for(1000, threads,
                                  [&](std::size_t task, std::size_t) {
                                      if (task == 20) throw std::bad_alloc();
                                      if (task > 900) ++after;
                                  }),
                     std::bad_alloc);
        EXPECT_LT(after, 100); // the rest was given up
    }
}

TEST(ParallelFor, GoesOnWithTheThreadsThatThereAre) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer has the memory";
#endif
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    // Room for a few stacks of eight megabytes, not for hundreds.
    std::ifstream statm("/proc/self/statm");
    std::size_t pages = 0;
    statm >> pages;
    rlimit const tight{pages * 4096 + (rlim_t{100} << 20), before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
    std::vector<std::atomic<int>> runs(2000);
    parallel_for(runs.size(), 1000, [&](std::size_t task, std::size_t) { ++runs[task]; });
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    for (auto const& count : runs) EXPECT_EQ(count, 1);
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
