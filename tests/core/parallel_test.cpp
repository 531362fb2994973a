#include "cax/core/parallel.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
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

TEST(ParallelFor, DoesNothingForNoTasks) {
    parallel_for(0, 4, [](std::size_t, std::size_t) { FAIL(); });
}

} // namespace
} // namespace cax
