#include "cax/records/regret.hpp"

#include "cax/records/parts.hpp"

namespace cax::records {
namespace {

Json range_json(Range const& range) { return {number(range.low), number(range.high)}; }

} // namespace

Json regret_json(DecisionRegret const& found) {
    return {{"status", name_of(found.status)},
            {"value", range_json(found.value)},
            {"regret", range_json(found.regret)},
            {"estimate", found.estimate}};
}

Json plan_regret_json(PlanRegret const& found) {
    return {{"gap", range_json(found.gap)},
            {"located", found.located},
            {"proved_steps", found.proved_steps},
            {"ranking", found.ranking()},
            {"arithmetic", name_of(found.arithmetic)},
            {"optimal", found.optimal},
            {"bound", number(found.bound)},
            {"work", found.work}};
}

} // namespace cax::records
