#include "prices.hpp"

#include "cax/problems/completions.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax::train {

Result<std::vector<float>> wanted_actions(State const& state, std::span<std::size_t const> before,
                                          std::span<float const> log_probs, PriceLesson const& lesson) {
    Instance const& instance = state.instance();
    if (instance.problem().completions() == nullptr)
        return Error{ErrorCode::unsupported,
                     fmt::format("price: there are no prices for {}", instance.problem().info().name)};
    auto const mask = state.action_mask();
    std::vector<std::size_t> allowed;
    for (std::size_t a = 0; a < mask.size(); ++a)
        if (mask[a] != 0) allowed.push_back(a);
    auto const completions = completions_of(instance, {.prefix = before,
                                                       .actions = allowed,
                                                       .known = {},
                                                       .prove = true,
                                                       .proof_work = lesson.work * allowed.size(),
                                                       .search_work = lesson.work});
    if (!completions) return completions.error();

    double const sign = instance.problem().info().objective == Objective::maximise ? 1 : -1;
    constexpr double unknown = -std::numeric_limits<double>::infinity();
    double best = unknown;
    for (Completion const& each : *completions)
        if (each.solution) best = std::max(best, sign * each.cost);
    std::vector<double> exponents(allowed.size(), unknown);
    for (std::size_t k = 0; k < allowed.size(); ++k) {
        Completion const& each = (*completions)[k];
        if (!each.solution) continue;
        double const regret = best - sign * each.cost;
        exponents[k] = (lesson.settle ? double{log_probs[allowed[k]]} : 0) -
                       (regret > 0 ? regret / (lesson.scale * std::abs(best)) : 0);
    }
    std::vector<float> wanted(mask.size());
    double const largest = *std::ranges::max_element(exponents);
    if (largest == unknown) return wanted; // too late: whatever is done breaks a rule
    double sum = 0;
    for (double& each : exponents) sum += each = std::exp(each - largest);
    for (std::size_t k = 0; k < allowed.size(); ++k) wanted[allowed[k]] = static_cast<float>(exponents[k] / sum);
    return wanted;
}

} // namespace cax::train
