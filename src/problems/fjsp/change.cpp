// Changed instances: what a counterfactual asks about, and the words for it.
//
// num_eligible follows from the times. A change of kind `features` moves it by an offset that only a policy sees, as
// the paper perturbs it; a change of kind `primitive` moves times alone: a time that falls to 0 or below takes the
// machine away, and a machine that could not do the operation gains it with a time of at least half a unit.
#include "cax/problems/fjsp/instance.hpp"
#include "features.hpp"

#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

/// Changes of a machine that could not do the operation up to here are noise, not a new ability.
constexpr double least_new_time = 0.5;

} // namespace

Result<InstancePtr> Instance::changed(Features const& change, ChangeKind kind) const {
    assert(change.size() == 2);
    auto const& times = change[feature_proc_times].values;
    auto const& counts = change[feature_num_eligible].values;
    assert(times.size() == machine_count() * padded_operation_count() && counts.size() == padded_operation_count());
    Data data = this->data();
    data.padded_operations = padded_operation_count();
    for (std::size_t o = 0; o < operation_count(); ++o) {
        Operation& ways = data.jobs[job_of(o)][position_in_job(o)];
        Operation moved;
        for (std::size_t m = 0; m < machine_count(); ++m) {
            float const before = time(m, o);
            double const after = double{before} + times[m * padded_operation_count() + o];
            bool const keep = kind == ChangeKind::features ? before > 0
                              : before > 0                 ? after > 0
                                                           : after >= least_new_time;
            if (keep) moved.push_back({m, static_cast<float>(after)});
        }
        ways = std::move(moved);
    }
    auto instance = make(std::move(data));
    if (!instance) return instance.error();
    if (kind == ChangeKind::primitive) return InstancePtr(*std::move(instance));
    auto const offset = std::make_shared<Instance>(**instance);
    offset->eligible_offset_.assign(counts.begin(), counts.end());
    return InstancePtr(offset);
}

std::vector<std::vector<std::uint8_t>> Instance::adjustable(ChangeKind kind) const {
    std::vector<std::vector<std::uint8_t>> entries(2);
    entries[feature_proc_times].assign(machine_count() * padded_operation_count(), 0);
    entries[feature_num_eligible].assign(padded_operation_count(), 0);
    for (std::size_t o = 0; o < operation_count(); ++o) {
        if (kind == ChangeKind::features) entries[feature_num_eligible][o] = 1;
        for (std::size_t m = 0; m < machine_count(); ++m) {
            bool const exists = kind == ChangeKind::primitive || time(m, o) > 0;
            entries[feature_proc_times][m * padded_operation_count() + o] = exists ? 1 : 0;
        }
    }
    return entries;
}

TensorUnits Instance::units(std::size_t tensor) const {
    if (tensor == feature_num_eligible) return {.grain = 1, .unit = "machines"};
    double const stretch = 1 / shown_;
    return {.grain = std::pow(10, std::floor(std::log10(stretch))), .unit = "time", .stretch = stretch};
}

std::string Instance::describe_entry(std::size_t tensor, std::size_t index) const {
    if (tensor == feature_num_eligible) return fmt::format("{}: eligible machines", operation_label(index));
    return fmt::format("{}: time on machine {}", operation_label(index % padded_operation_count()),
                       index / padded_operation_count() + 1);
}

} // namespace cax::fjsp
