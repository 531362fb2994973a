#include "cax/explain/price.hpp"

#include <algorithm>

namespace cax {

std::optional<double> worse_by(Alternatives const& table, Alternative const& other, Objective objective) {
    Alternative const& chosen = table.all[table.chosen];
    if (!chosen.cost || !other.cost) return std::nullopt;
    // The policy's own completion and the best one known are not two prices of the same kind.
    if ((chosen.status == CostStatus::policy) != (other.status == CostStatus::policy)) return std::nullopt;
    return objective == Objective::minimise ? *other.cost - *chosen.cost : *chosen.cost - *other.cost;
}

std::optional<Price> price_of_choice(Alternatives const& table, Objective objective) {
    Alternative const& chosen = table.all[table.chosen];
    std::optional<Price> price;
    double best = 0;
    for (Alternative const& other : table.all) {
        if (other.action == chosen.action) continue;
        auto const worse = worse_by(table, other, objective);
        if (!worse || (price && *worse >= best)) continue;
        best = *worse;
        price = Price{.given_away = std::max(0.0, -best),
                      .status = std::max(chosen.status, other.status),
                      .instead = other.action};
    }
    if (price && chosen.regret) { // all are proved
        price->given_away = *chosen.regret;
        price->status = CostStatus::proved;
    }
    return price;
}

} // namespace cax
