#pragma once
// Long work away from the interpreter: it runs on a thread of its own without the lock, while the calling thread keeps
// an eye on Ctrl-C and shows the progress. Whatever asks the policy through WatchedPolicy stops at the next question.
#include "convert.hpp"

#include "cax/core/progress.hpp"
#include "cax/policies/watched_policy.hpp"

#include <atomic>
#include <functional>

namespace cax::python {

/// A watch that also carries the progress from the work to the thread that shows it.
class Watch : public cax::Watch {
public:
    /// To be handed to the work.
    [[nodiscard]] Progress progress();
    /// Finished and total, if that has changed since the last call.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> news();

private:
    std::atomic<std::size_t> finished_ = 0;
    std::atomic<std::size_t> total_ = 0;
    std::size_t told_ = 0;
};

/// Runs `work` as said above. `progress` is None or a callable (finished, total). What the work throws is raised here.
void run_work(py::object const& progress, Watch& watch, std::function<void()> const& work);

/// The same for work that has a result, which errors and exceptions leave empty.
template <class T> T run_result(py::object const& progress, std::function<Result<T>(Watch&)> const& work) {
    Watch watch;
    std::optional<Result<T>> result;
    run_work(progress, watch, [&] { result = work(watch); });
    return value_or_raise(*std::move(result));
}

} // namespace cax::python
