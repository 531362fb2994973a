#pragma once
// Long work away from the interpreter: it runs on a thread of its own without the lock, while the calling thread keeps
// an eye on Ctrl-C and shows the progress. Whatever asks the policy through WatchedPolicy stops at the next question.
#include "convert.hpp"

#include "cax/core/progress.hpp"
#include "cax/policies/policy.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>

namespace cax::python {

class Watch {
public:
    void stop() { stop_ = true; }
    [[nodiscard]] bool stopped() const { return stop_; }
    void check() const {
        if (stop_) throw Cancelled();
    }
    /// To be handed to the work.
    [[nodiscard]] Progress progress();
    /// Finished and total, if that has changed since the last call.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> news();

private:
    std::atomic<bool> stop_ = false;
    std::atomic<std::size_t> finished_ = 0;
    std::atomic<std::size_t> total_ = 0;
    std::size_t told_ = 0;
};

/// The same policy, until the watch says stop.
class WatchedPolicy final : public Policy {
public:
    WatchedPolicy(Policy const& policy, Watch const& watch) : policy_(policy), watch_(watch) {}
    PolicyInfo const& info() const override { return policy_.info(); }
    PolicyTraits traits() const override { return policy_.traits(); }
    Observation observe(State const& state, Features const& features) const override {
        return policy_.observe(state, features);
    }
    Observation observe_for_decoding(State const& state) const override { return policy_.observe_for_decoding(state); }
    Features pull_back(State const& state, Observation const& gradient) const override {
        return policy_.pull_back(state, gradient);
    }
    Result<void> accepts(Observation const& observation) const override { return policy_.accepts(observation); }
    bool encoding_changes() const override { return policy_.encoding_changes(); }
    std::unique_ptr<Encoding> encode(std::span<Observation const> observations) const override {
        watch_.check();
        return policy_.encode(observations);
    }
    std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                 std::span<Observation const> observations, LogProbKind kind) const override {
        watch_.check();
        return policy_.decode(encoding, rows, observations, kind);
    }
    std::vector<LogProbs> log_probs(std::span<Observation const> observations, LogProbKind kind) const override {
        // In portions, so that no call is long; a state's answer does not depend on the others.
        constexpr std::size_t portion = 64;
        std::vector<LogProbs> all;
        for (std::size_t first = 0; first < observations.size(); first += portion) {
            watch_.check();
            auto const own = observations.subspan(first, std::min(portion, observations.size() - first));
            auto found = policy_.log_probs(own, kind);
            std::ranges::move(found, std::back_inserter(all));
        }
        return all;
    }
    std::vector<Gradient> gradients(std::span<Observation const> observations,
                                    std::span<std::vector<double> const> weights, LogProbKind kind) const override {
        watch_.check();
        return policy_.gradients(observations, weights, kind);
    }

private:
    Policy const& policy_;
    Watch const& watch_;
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
