// Can the shop be done by the horizon, beginning like this? What needs no search is answered here; the rest is a
// constraint model (shop_model.hpp).
#include "../settled.hpp"
#include "families.hpp"
#include "prefix.hpp"
#include "shop_model.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

/// The operations that are left, one after the other on their fastest machines: late, but a schedule.
Schedule one_by_one(Instance const& instance, Prefix const& prefix) {
    Schedule schedule = prefix.schedule;
    double clock = prefix.clock;
    for (double const free : prefix.machine_free) clock = std::max(clock, free);
    for (std::size_t j = 0; j < instance.job_count(); ++j) {
        for (std::size_t o = prefix.next[j]; o <= instance.last_operation(j); ++o) {
            auto const ways = instance.alternatives(o);
            auto const fastest = std::ranges::min_element(ways, {}, &Alternative::time);
            schedule.entries.push_back({o, fastest->machine, clock});
            clock += double{fastest->time};
        }
    }
    std::ranges::sort(schedule.entries, {}, &Schedule::Entry::operation);
    return schedule;
}

double end_of(Instance const& instance, Schedule const& schedule) {
    double end = 0;
    for (auto const& [operation, machine, start] : schedule.entries) {
        end = std::max(end, start + double{instance.time(machine, operation)});
    }
    return end;
}

} // namespace

Result<DecisionModel> Instance::decision_model(Question const& question, Rounding rounding) const {
    if (auto const ok = check_bound(*this, question); !ok) return ok.error();
    auto prefix = play(*this, question.prefix);
    if (!prefix) return prefix.error();
    // No need to search for a schedule that may take its time; and a horizon beyond it would only make clocks coarse.
    Schedule serial = one_by_one(*this, *prefix);
    if (!question.bound || end_of(*this, serial) <= *question.bound) {
        return consent(std::move(serial));
    }
    double const horizon = *question.bound;
    if (operation_count() > max_model_operations) {
        return Error{ErrorCode::unsupported, fmt::format("{} operations: a decision model has at most {}",
                                                         operation_count(), max_model_operations)};
    }
    double latest = 0;
    for (double const free : prefix->job_free) latest = std::max(latest, free);
    double const tolerance = rounding == Rounding::strict ? 0 : 4e-9; // more than the checker's
    if (latest > horizon * (1 + tolerance)) {
        return refusal(precedence,
                       fmt::format("what has begun ends at {:.6g}, after the horizon {:.6g}", latest, horizon));
    }
    if (horizon == 0) return refusal(precedence, "operations take time, and the horizon is 0");
    return shop_model(*this, *std::move(prefix), horizon, rounding);
}

} // namespace cax::fjsp
