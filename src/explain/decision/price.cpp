#include "cax/explain/price.hpp"

#include "cax/core/same_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// What an action is worth, as a cost that is to be small: between these two.
struct Worth {
    double low = -unlimited;
    double high = unlimited; ///< infinite: no completion is known
};

Worth worth_of(Alternative const& each, Objective objective) {
    double const sign = objective == Objective::minimise ? 1 : -1;
    if (each.impossible) return {unlimited, unlimited};
    Worth worth;
    if (each.cost) worth.high = sign * *each.cost;
    if (each.status == CostStatus::proved && each.cost)
        worth.low = worth.high;
    else if (each.bound)
        worth.low = std::min(sign * *each.bound, worth.high);
    return worth;
}

/// 0 where the two are the same cost.
double difference(double worse, double better) { return same_cost(worse, better) ? 0 : std::max(worse - better, 0.0); }

/// Between which limits the regret lies.
void add_interval(Alternatives const& table, Objective objective, Price& price) {
    Worth const chosen = worth_of(table.all[table.chosen], objective);
    Worth best{unlimited, unlimited};
    for (Alternative const& each : table.all) {
        if (!each.allowed) continue;
        Worth const worth = worth_of(each, objective);
        best = {std::min(best.low, worth.low), std::min(best.high, worth.high)};
    }
    if (std::isfinite(chosen.low) && std::isfinite(best.high)) price.at_least = difference(chosen.low, best.high);
    if (std::isfinite(chosen.high) && std::isfinite(best.low)) price.at_most = difference(chosen.high, best.low);
    if (price.at_most && same_cost(*price.at_most, price.at_least)) price.given_away = price.at_least;
}

} // namespace

std::optional<double> worse_by(Alternatives const& table, Alternative const& other, Objective objective) {
    Alternative const& chosen = table.all[table.chosen];
    if (!chosen.cost || !other.cost) return std::nullopt;
    // The policy's own completion and the best one known are not two prices of the same kind.
    if ((chosen.status == CostStatus::policy) != (other.status == CostStatus::policy)) return std::nullopt;
    if (same_cost(*other.cost, *chosen.cost)) return 0;
    return objective == Objective::minimise ? *other.cost - *chosen.cost : *chosen.cost - *other.cost;
}

std::optional<Price> price_of_choice(Alternatives const& table, Objective objective) {
    Alternative const& chosen = table.all[table.chosen];
    Price price;
    std::optional<double> best;
    price.weakest = chosen.status;
    for (Alternative const& other : table.all) {
        if (!other.allowed) continue;
        ++price.allowed;
        auto const worse = worse_by(table, other, objective);
        if (worse || other.impossible) ++price.compared;
        if (!worse || other.action == chosen.action) continue;
        price.weakest = std::max(price.weakest, other.status);
        if (best && *worse >= *best) continue;
        best = worse;
        price.instead = other.action;
        price.status = std::max(chosen.status, other.status);
    }
    if (!best) return std::nullopt;
    price.found = std::max(0.0, -*best);
    add_interval(table, objective, price);
    if (chosen.regret) { // all are proved
        price.given_away = price.at_least = price.found = *chosen.regret;
        price.at_most = chosen.regret;
        price.status = CostStatus::proved;
    }
    return price;
}

} // namespace cax
