// The only file, with gecode_space, that knows Gecode. It translates models, limits, statuses and exceptions.
#include "cax/solvers/csp.hpp"
#include "gecode_space.hpp"

#include <gecode/search.hh>

#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace cax {
namespace {

using Clock = std::chrono::steady_clock;

/// Stops after so many nodes or seconds, and remembers which it was.
class Limits final : public Gecode::Search::Stop {
public:
    explicit Limits(CspLimits const& limits)
        : limits_(limits),
          deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(std::min(limits.seconds, longest_seconds)))) {}

    bool stop(Gecode::Search::Statistics const& statistics, Gecode::Search::Options const&) override {
        if (limits_.work > 0 && statistics.node >= limits_.work) reason_ = CspStatus::budget_spent;
        if (limits_.seconds > 0 && Clock::now() >= deadline_) reason_ = CspStatus::time_limit;
        return reason_.has_value();
    }
    /// Why the search was stopped; nothing if it was not. The engine itself cannot be asked: it also says "stopped"
    /// after a restart whose no-goods finished the proof.
    [[nodiscard]] std::optional<CspStatus> reason() const { return reason_; }

private:
    static constexpr double longest_seconds = 1e9; // what the clock can count to

    CspLimits limits_;
    Clock::time_point deadline_;
    std::optional<CspStatus> reason_;
};

CspAnswer run(ConstraintModel const& model, CspLimits const& limits) {
    constexpr unsigned long restart_scale = 250;
    constexpr unsigned int nogood_depth = 128;
    auto root = std::make_unique<GecodeSpace>(model, limits.seed);
    Limits stop(limits);
    // Nothing to search: an engine with restarts would lose its cutoff and stop object there.
    if (root->status() == Gecode::SS_FAILED) return {.status = CspStatus::unsatisfiable, .assignment = {}, .work = 0};
    Gecode::Search::Options options;
    options.threads = 1;
    options.clone = false;
    options.nogoods_limit = nogood_depth;
    options.cutoff = Gecode::Search::Cutoff::luby(restart_scale);
    options.stop = &stop;
    Gecode::RBS<GecodeSpace, Gecode::DFS> engine(root.release(), options); // which owns it: options.clone is false
    std::unique_ptr<GecodeSpace> const solution(engine.next());

    CspAnswer answer;
    answer.work = engine.statistics().node;
    if (solution) {
        answer.status = CspStatus::satisfiable;
        answer.assignment = solution->assignment();
    } else {
        answer.status = stop.reason().value_or(CspStatus::unsatisfiable);
    }
    return answer;
}

class GecodeSolver final : public CspSolver {
public:
    [[nodiscard]] std::string_view name() const override { return "gecode"; }

    [[nodiscard]] Result<CspAnswer> solve(ConstraintModel const& model, CspLimits const& limits) const override {
        if (auto valid = validate(model); !valid) return valid.error();
        if (limits.seconds < 0) {
            return Error{ErrorCode::invalid_value, fmt::format("seconds is {}: expected at least 0", limits.seconds)};
        }
        try {
            return run(model, limits);
        } catch (std::bad_alloc const&) {
            throw;
        } catch (Gecode::Exception const& error) {
            return Error{ErrorCode::solver_failed, fmt::format("Gecode: {}", error.what())};
        } catch (std::exception const& error) {
            return Error{ErrorCode::solver_failed, fmt::format("Gecode: {}", error.what())};
        }
    }
};

} // namespace

CspSolver const& gecode_solver() {
    static GecodeSolver const solver;
    return solver;
}

} // namespace cax
