// The parts of an explained step that ask about this one decision.
#include "explanation/parts.hpp"

namespace cax {

Result<StepSwap> explain_swap(Explaining const& all, std::size_t step) {
    Cell const& cell = all.walk.cells[step];
    SwapOptions options; // along a given plan: why would the policy not do as it does?
    if (cell.taken() != cell.action) options.other = cell.taken();
    auto found = swap(all.policy, cell, options);
    if (!found) return found.error();
    StepSwap result{*std::move(found), {}};
    if (result.swap.other) result.other_words = describe_action(*cell.state, *result.swap.other);
    return result;
}

Result<StepSensitivity> explain_sensitivity(Explaining const& all, std::size_t step) {
    SensitivityOptions options = all.options.sensitivities;
    options.seed = all.options.seed;
    auto found = kept_or<Sensitivity>(all.options.kept.get(), step,
                                      [&] { return sensitivity(all.policy, all.walk.cells[step], options); });
    if (!found) return found.error();
    StepSensitivity result{*std::move(found), {}, std::nullopt};
    if (!all.options.reference || result.found.status != SensitivityStatus::computed) return result;
    result.percentiles = all.options.reference->percentiles(result.found.shares());
    result.unusual = unusual_family(result.percentiles);
    return result;
}

Result<std::vector<StepForbidden>> explain_forbidden(Explaining const& all, std::size_t step) {
    Cell const& cell = all.walk.cells[step];
    std::vector<StepForbidden> result;
    for (Forbidden& each : forbidden(all.policy, cell, all.before(step))) {
        std::string words = describe_action(*cell.state, each.action);
        result.push_back({std::move(each), std::move(words)});
    }
    return result;
}

Result<Alternatives> explain_alternatives(Explaining const& all, std::size_t step) {
    PricingOptions options = all.options.pricing;
    options.seed = all.options.seed;
    return kept_or<Alternatives>(all.options.kept.get(), step, [&] {
        return alternatives(all.policy, all.walk.cells[step], all.before(step), options, all.known);
    });
}

} // namespace cax
