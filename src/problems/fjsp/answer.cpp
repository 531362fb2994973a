// Does a schedule answer the question? From the definition; shares nothing with the decision model but the environment
// that says what actions mean.
#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

/// Of the larger of two times: what sums of rounded numbers may differ by.
constexpr double answer_tolerance = 1e-9;

/// Where the actions put operations, and how long everything else has to wait. Empty if they are no beginning at all.
struct Opening {
    std::vector<Schedule::Entry> entries;
    double clock = 0;
};

std::optional<Opening> opening_of(Instance const& instance, std::vector<std::size_t> const& actions) {
    // With waiting allowed the clock stands still until somebody waits; without, it runs on by itself.
    for (bool const waiting : {false, true}) {
        Opening opening;
        StatePtr const base = instance.reset({.allow_waiting = waiting});
        auto& state = static_cast<State&>(*base);
        bool allowed = true;
        std::vector<double> end_of_job(instance.job_count(), 0);
        std::vector<double> end_of_machine(instance.machine_count(), 0);
        for (std::size_t const action : actions) {
            allowed = allowed && action < state.action_mask().size() && state.action_mask()[action] != 0;
            if (!allowed) break;
            if (action > 0) {
                std::size_t const job = (action - 1) / instance.machine_count();
                std::size_t const machine = (action - 1) % instance.machine_count();
                std::size_t const operation = state.next_operation(job);
                double const start =
                    std::max({static_cast<double>(state.time()), end_of_job[job], end_of_machine[machine]});
                opening.entries.push_back({operation, machine, start});
                end_of_job[job] = end_of_machine[machine] =
                    start + static_cast<double>(instance.time(machine, operation));
            }
            state.step(action);
        }
        opening.clock = static_cast<double>(state.time());
        if (allowed) return opening;
    }
    return std::nullopt;
}

void check_opening(Instance const& instance, Schedule const& schedule, Opening const& opening, CheckReport& report) {
    double const slack = answer_tolerance * report.cost;
    for (Schedule::Entry const& entry : schedule.entries) {
        auto const fixed = std::ranges::find(opening.entries, entry.operation, &Schedule::Entry::operation);
        if (fixed == opening.entries.end()) {
            if (entry.start >= opening.clock - slack) continue;
            report.violations.push_back(fmt::format("{} starts at {}, before the beginning is over at {}",
                                                    instance.operation_label(entry.operation), entry.start,
                                                    opening.clock));
        } else if (entry.machine != fixed->machine || std::fabs(entry.start - fixed->start) > slack) {
            report.violations.push_back(fmt::format("{} starts on machine {} at {}, but began on machine {} at {}",
                                                    instance.operation_label(entry.operation), entry.machine + 1,
                                                    entry.start, fixed->machine + 1, fixed->start));
        }
    }
}

} // namespace

CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    auto const* schedule = std::get_if<Schedule>(&solution);
    if (schedule == nullptr) return report;
    if (question.bound && !(report.cost <= *question.bound * (1 + answer_tolerance))) {
        report.violations.push_back(
            fmt::format("the schedule ends at {:.9g}, after the horizon {:.9g}", report.cost, *question.bound));
    }
    if (question.prefix.empty()) return report;
    if (auto const opening = opening_of(*this, question.prefix)) {
        check_opening(*this, *schedule, *opening, report);
    } else {
        report.violations.emplace_back("the beginning that is asked for is not allowed");
    }
    return report;
}

} // namespace cax::fjsp
