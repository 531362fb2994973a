// Is this schedule valid? Judged from the definition in double precision, sharing nothing with the state's transitions.
#include "cax/problems/fjsp/instance.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <tuple>

namespace cax::fjsp {
namespace {

/// An entry of the schedule that names an existing operation, an eligible machine and a real start.
struct Run {
    std::size_t operation;
    std::size_t machine;
    double start;
    double end;
};

/// Why an entry cannot be looked at any further, or nothing.
std::optional<std::string> entry_violation(Instance const& instance, Schedule::Entry const& entry) {
    auto const& [operation, machine, start] = entry;
    if (operation >= instance.operation_count()) {
        return fmt::format("operation index {} does not exist (there are {})", operation, instance.operation_count());
    }
    if (machine >= instance.machine_count()) {
        return fmt::format("{}: machine index {} does not exist (there are {})", instance.operation_label(operation),
                           machine, instance.machine_count());
    }
    auto const ways = instance.alternatives(operation);
    if (std::ranges::find(ways, machine, &Alternative::machine) == ways.end()) {
        return fmt::format("{}: machine {} cannot do it", instance.operation_label(operation), machine + 1);
    }
    if (!std::isfinite(start))
        return fmt::format("{}: start {} is not a time", instance.operation_label(operation), start);
    return std::nullopt;
}

void check_once_each(Instance const& instance, std::vector<Schedule::Entry> const& entries, CheckReport& report) {
    std::vector<std::size_t> times_scheduled(instance.operation_count());
    for (auto const& entry : entries) {
        if (entry.operation < times_scheduled.size()) ++times_scheduled[entry.operation];
    }
    for (std::size_t o = 0; o < times_scheduled.size(); ++o) {
        if (times_scheduled[o] == 0) report.violations.push_back(instance.operation_label(o) + " is not scheduled");
        if (times_scheduled[o] > 1) {
            report.violations.push_back(
                fmt::format("{} is scheduled {} times", instance.operation_label(o), times_scheduled[o]));
        }
    }
}

/// In order of operations, so that those of a job follow each other.
void check_precedence(Instance const& instance, std::vector<Run> runs, double tolerance, CheckReport& report) {
    std::ranges::stable_sort(runs, {}, &Run::operation);
    for (std::size_t i = 1; i < runs.size(); ++i) {
        Run const& before = runs[i - 1];
        Run const& after = runs[i];
        if (before.operation == after.operation) continue; // reported as scheduled twice
        if (instance.job_of(before.operation) != instance.job_of(after.operation)) continue;
        if (after.start >= before.end - tolerance) continue;
        report.violations.push_back(fmt::format("{} starts at {}, before {} ends at {}",
                                                instance.operation_label(after.operation), after.start,
                                                instance.operation_label(before.operation), before.end));
    }
}

/// Two runs overlap if each starts before the other has ended. One that takes no time in double precision (1e-12 beside
/// 1e5) may therefore stand at either end of another, in whatever order they are listed.
void check_machines(Instance const& instance, std::vector<Run> runs, double tolerance, CheckReport& report) {
    std::ranges::stable_sort(runs, [](Run const& a, Run const& b) {
        return std::tuple(a.machine, a.start, a.end) < std::tuple(b.machine, b.start, b.end);
    });
    Run const* latest = nullptr; // of the runs so far on this machine, the one that ends last
    for (Run const& run : runs) {
        if (latest == nullptr || latest->machine != run.machine) {
            latest = &run;
            continue;
        }
        if (run.start < latest->end - tolerance && latest->start < run.end - tolerance) {
            report.violations.push_back(fmt::format("machine {}: {} starts at {}, while {} runs until {}",
                                                    run.machine + 1, instance.operation_label(run.operation), run.start,
                                                    instance.operation_label(latest->operation), latest->end));
        }
        if (run.end > latest->end) latest = &run;
    }
}

double time_of(Instance const& instance, std::size_t operation, std::size_t machine) {
    auto const ways = instance.alternatives(operation);
    return std::ranges::find(ways, machine, &Alternative::machine)->time;
}

} // namespace

/// Every operation exactly once, on an eligible machine, not before 0, after the operation before it in its job, and no
/// two at a time on one machine. Times may be off by 1e-9 of the makespan. Lists every violation; cost = makespan.
CheckReport Instance::check(Solution const& solution, DistanceRule) const {
    Instance const& instance = *this;
    CheckReport report;
    auto const* schedule = std::get_if<Schedule>(&solution);
    if (schedule == nullptr) {
        report.violations.emplace_back("the solution is a set of routes, not a schedule");
        return report;
    }
    std::vector<Run> runs;
    for (std::size_t i = 0; i < schedule->entries.size(); ++i) {
        auto const& [operation, machine, start] = schedule->entries[i];
        if (auto const violation = entry_violation(instance, schedule->entries[i])) {
            report.violations.push_back(fmt::format("entry {}: {}", i + 1, *violation));
            continue;
        }
        runs.push_back({operation, machine, start, start + time_of(instance, operation, machine)});
        report.cost = std::max(report.cost, runs.back().end);
    }
    double const tolerance = 1e-9 * report.cost;
    for (Run const& run : runs) {
        if (run.start >= -tolerance) continue;
        report.violations.push_back(
            fmt::format("{} starts at {}, before 0", instance.operation_label(run.operation), run.start));
    }
    check_once_each(instance, schedule->entries, report);
    check_precedence(instance, runs, tolerance, report);
    check_machines(instance, runs, tolerance, report);
    return report;
}

} // namespace cax::fjsp
