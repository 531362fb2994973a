#include "cax/problems/fjsp/instance.hpp"

#include "../errors.hpp"
#include "problem.hpp"
#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

/// Far enough below the largest float32 (3.4e38) that no clock can overflow, whichever way its additions round.
constexpr double longest_total = 1e38;

Result<void> check_sizes(Data const& data, std::size_t operations) {
    if (data.machines == 0) return invalid("machines is 0");
    if (data.machines > max_machines) return invalid("machines ({}) exceeds {}", data.machines, max_machines);
    if (data.jobs.empty()) return invalid("jobs is empty");
    if (operations > max_operations) return invalid("{} operations exceed the limit of {}", operations, max_operations);
    std::size_t const padded = data.padded_operations == 0 ? operations : data.padded_operations;
    if (padded < operations) {
        return invalid("padded_operations ({}) is less than the number of operations ({})", padded, operations);
    }
    if (padded > max_operations) return invalid("padded_operations ({}) exceeds {}", padded, max_operations);
    if (data.machines * padded > max_time_entries) {
        return invalid("machines ({}) times operations ({}) exceeds {}", data.machines, padded, max_time_entries);
    }
    return {};
}

/// Precondition: the alternatives are in order of machines.
Result<void> check_operation(Operation const& operation, std::size_t machines) {
    if (operation.empty()) return invalid("no eligible machine");
    for (std::size_t i = 0; i < operation.size(); ++i) {
        auto const& [machine, time] = operation[i];
        if (machine >= machines) return invalid("machine index {} is not below machines ({})", machine, machines);
        if (i > 0 && operation[i - 1].machine == machine) return invalid("machine index {} is listed twice", machine);
        if (!std::isfinite(time) || time <= 0) {
            return invalid("time {} on machine index {} is not a positive number", time, machine);
        }
    }
    return {};
}

float longest_time(Operation const& operation) {
    return std::max_element(operation.begin(), operation.end(),
                            [](auto const& a, auto const& b) { return a.time < b.time; })
        ->time;
}

} // namespace

Result<std::shared_ptr<Instance const>> Instance::make(Data data) {
    std::size_t operations = 0;
    for (Job const& job : data.jobs) operations += job.size();
    if (auto const sizes = check_sizes(data, operations); !sizes) return sizes.error();

    double longest_schedule = 0;
    for (std::size_t j = 0; j < data.jobs.size(); ++j) {
        if (data.jobs[j].empty()) return invalid("job {} has no operation", j + 1);
        for (std::size_t k = 0; k < data.jobs[j].size(); ++k) {
            Operation& operation = data.jobs[j][k];
            std::ranges::stable_sort(operation, {}, &Alternative::machine);
            if (auto const valid = check_operation(operation, data.machines); !valid) {
                return valid.error().within(fmt::format("job {}, operation {}", j + 1, k + 1));
            }
            longest_schedule += longest_time(operation);
        }
    }
    if (longest_schedule > longest_total) {
        return invalid("the longest times add up to {:g}, more than {:g}", longest_schedule, longest_total);
    }
    return std::shared_ptr<Instance const>(new Instance(std::move(data)));
}

Instance::Instance(Data data) : name_(std::move(data.name)), machines_(data.machines), shown_(data.shown) {
    first_operation_.push_back(0);
    first_alternative_.push_back(0);
    for (std::size_t j = 0; j < data.jobs.size(); ++j) {
        for (Operation const& operation : data.jobs[j]) {
            job_of_.push_back(j);
            alternatives_.insert(alternatives_.end(), operation.begin(), operation.end());
            first_alternative_.push_back(alternatives_.size());
        }
        first_operation_.push_back(job_of_.size());
    }
    padded_operations_ = data.padded_operations == 0 ? job_of_.size() : data.padded_operations;
}

float Instance::time(std::size_t machine, std::size_t operation) const {
    for (Alternative const& alternative : alternatives(operation)) {
        if (alternative.machine == machine) return alternative.time;
    }
    return 0;
}

std::string Instance::operation_label(std::size_t operation) const {
    if (is_padding(operation)) return fmt::format("padding operation {}", operation + 1);
    return fmt::format("operation {} of job {}", position_in_job(operation) + 1, job_of(operation) + 1);
}

Data Instance::data() const {
    Data data{.name = name_, .machines = machines_, .padded_operations = padded_operations_, .shown = shown_};
    data.jobs.resize(job_count());
    for (std::size_t o = 0; o < operation_count(); ++o) {
        auto const ways = alternatives(o);
        data.jobs[job_of(o)].emplace_back(ways.begin(), ways.end());
    }
    return data;
}

Problem const& Instance::problem() const { return fjsp::problem(); }

std::string Instance::size() const { return fmt::format("{}x{}", job_count(), machines_); }

std::string Instance::description() const {
    double const flexibility = static_cast<double>(alternatives_.size()) / static_cast<double>(operation_count());
    std::string const padding =
        padded_operations_ == operation_count() ? "" : fmt::format(" (padded to {})", padded_operations_);
    return fmt::format("{} jobs, {} machines, {} operations{}, {:.2f} eligible machines each", job_count(), machines_,
                       operation_count(), padding, flexibility);
}

StatePtr Instance::reset(StateOptions const& options) const {
    return std::make_unique<State>(std::static_pointer_cast<Instance const>(shared_from_this()), options);
}

} // namespace cax::fjsp
