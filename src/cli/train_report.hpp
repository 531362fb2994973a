#pragma once
// What `cax train` tells a person while it runs: a line that moves, a line per validation, a file of JSON lines for
// plots, and how far the policy is from best known costs if somebody has some.
#include "cax/io/solutions.hpp"
#include "cax/train/trainer.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace cax::cli {

/// Instances with known best costs, which training never sees: how good is the policy, in words that others share?
class Yardstick {
public:
    /// The stem of the instance file names the set in the file of best known costs.
    [[nodiscard]] static Yardstick read(Problem const& problem, std::string const& instances,
                                        std::string const& best_known);
    /// Mean gap of greedy decoding, as a fraction.
    [[nodiscard]] Result<double> measure(Policy const& policy, std::size_t threads) const;

private:
    Yardstick(std::vector<InstancePtr> instances, std::vector<io::BestKnown> best)
        : instances_(std::move(instances)), best_(std::move(best)) {}
    std::vector<InstancePtr> instances_;
    std::vector<io::BestKnown> best_;
};

/// Shows and records how training goes.
class TrainReporter {
public:
    /// `log`: where JSON lines are appended; may be empty.
    explicit TrainReporter(std::string log);
    /// Fails if the log cannot be written, which is better known before the first hour than after it.
    void open() const;
    /// Drops what a run that was killed had written after its checkpoint: this one goes on from there and writes these
    /// lines again. So the curve has every point once, however often the run was stopped.
    void go_on_after(std::uint64_t instances) const;
    /// Fails if a line of the log could not be written; training goes on without it, but does not end in success.
    void finished() const;
    /// Has there been a step?
    [[nodiscard]] bool has_reported() const { return first_instances_ > 0; }
    void report(train::Progress const& now);

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] double seconds_left(train::Progress const& now, double elapsed);
    [[nodiscard]] std::string gap_in_words() const;
    [[nodiscard]] std::string last_in_words() const;
    void write_log(train::Progress const& now, double rate, double elapsed);

    std::string log_;
    bool log_lost_ = false;
    bool terminal_;
    Clock::time_point start_;
    std::uint64_t first_instances_ = 0;
    std::optional<double> first_fraction_;
    std::optional<train::Progress::Validation> last_;
};

} // namespace cax::cli
