#pragma once
// One way to use all cores: independent tasks, numbered, each writing only its own results. The outcome cannot depend
// on the number of threads because no task can see another.
#include <cstddef>
#include <functional>

namespace cax {

/// Number of threads to use when asked for `requested`; 0 means "all cores".
[[nodiscard]] std::size_t thread_count(std::size_t requested);

/// Calls task(i, worker) for i = 0..count-1 on up to `threads` threads (0 = all cores); `worker` < threads says which
/// thread runs it, so that a task can use that thread's scratch memory. Returns when all are done. The first exception
/// thrown by a task (bad_alloc, too) is rethrown here, after the others have stopped. Called from inside a task of
/// another parallel_for, it runs on that task's thread alone.
void parallel_for(std::size_t count, std::size_t threads,
                  std::function<void(std::size_t task, std::size_t worker)> const& task);

} // namespace cax
