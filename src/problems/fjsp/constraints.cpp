#include "constraints.hpp"

#include "families.hpp"
#include "features.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

constexpr double least_time = -0.001;
constexpr double least_eligible = 0.5;

Slack slack(std::size_t family, std::string rule, double used, double limit) {
    return {.family = family, .rule = std::move(rule), .used = used, .limit = limit, .slack = limit - used};
}

std::vector<Slack> slacks_of_waiting(State const& state) {
    double until = 0;
    bool anything = false;
    for (float const free : state.busy_until()) {
        if (free <= state.time()) continue;
        until = anything ? std::min(until, static_cast<double>(free)) : free;
        anything = true;
    }
    if (!anything) return {};
    return {slack(precedence, "time until the next machine is free", state.time(), until)};
}

} // namespace

std::vector<Slack> slacks_of(State const& state, std::size_t action) {
    assert(action < state.action_mask().size());
    if (action == 0) return slacks_of_waiting(state);
    std::size_t const job = (action - 1) / state.instance().machine_count();
    std::size_t const machine = (action - 1) % state.instance().machine_count();
    std::size_t const operation = state.next_operation(job);
    double const now = state.time();

    bool const scheduled = state.scheduled(operation); // still running, or the job is done
    double const ready = scheduled ? state.finish_times()[operation] : state.ready_time(operation);
    std::vector<Slack> slacks{
        slack(precedence, scheduled ? "end of the job's operation" : "end of the job's previous operation", ready, now),
        slack(eligibility, "when the machine is free", state.busy_until()[machine], now),
    };
    if (scheduled) {
        slacks.push_back(slack(eligibility, "the operation has its machine already", 1, 0));
        slacks.back().by_nature = true;
    } else if (state.instance().time(machine, operation) == 0) {
        slacks.push_back(slack(eligibility, "the machine cannot do the operation", 1, 0));
        slacks.back().by_nature = true;
    } else {
        slacks.push_back(slack(eligibility, "machines that can do the operation", 1,
                               static_cast<double>(state.eligible_count(operation))));
    }
    return slacks;
}

std::string describe(State const& state, std::size_t action) {
    assert(action < state.action_mask().size());
    if (action == 0) return "wait";
    std::size_t const job = (action - 1) / state.instance().machine_count();
    std::size_t const machine = (action - 1) % state.instance().machine_count();
    std::size_t const operation = state.next_operation(job);
    float const time = state.instance().time(machine, operation);
    std::string const takes = time > 0 ? fmt::format("takes {}", time) : "not eligible";
    return fmt::format("put {} on machine {} ({})", state.instance().operation_label(operation), machine + 1, takes);
}

std::optional<std::string> envelope_violation(State const& state, Features const& features,
                                              EnvelopeOptions const& options) {
    Instance const& instance = state.instance();
    std::size_t const operations = instance.padded_operation_count();
    assert(features.size() == 2);
    auto const& times = features[feature_proc_times].values;
    auto const& eligible = features[feature_num_eligible].values;
    assert(times.size() == instance.machine_count() * operations && eligible.size() == operations);

    for (std::size_t o = 0; o < instance.operation_count(); ++o) {
        // Negated comparisons, so that NaN breaks the rule.
        if ((options.include_scheduled || !state.scheduled(o)) && !(eligible[o] >= least_eligible)) {
            return fmt::format("{}: num_eligible {} is below {}", instance.operation_label(o), eligible[o],
                               least_eligible);
        }
        if (state.scheduled(o)) continue;
        for (auto const& [m, unused] : instance.alternatives(o)) {
            double const time = times[m * operations + o];
            if (std::isfinite(time) && time >= least_time) continue;
            return fmt::format("{} on machine {}: time {} is below {}", instance.operation_label(o), m + 1, time,
                               least_time);
        }
    }
    return std::nullopt;
}

} // namespace cax::fjsp
