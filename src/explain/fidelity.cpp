#include "cax/explain/fidelity.hpp"

namespace cax {

std::string_view name_of(DualsFrom from) { return from == DualsFrom::each ? "each" : "first"; }
std::string_view name_of(StateMode mode) { return mode == StateMode::replay ? "replay" : "frozen"; }
std::string_view name_of(Comparison compare) { return compare == Comparison::sample ? "sample" : "anchor"; }

AttributionFidelity AttributionFidelity::published() {
    return {
        .mass = MassKind::node, .log_prob = LogProbKind::raw, .keep_spent_nodes = true, .duals_from = DualsFrom::first};
}

CounterfactualFidelity CounterfactualFidelity::published() {
    return {
        .state = StateMode::frozen, .envelope = Envelope::published, .truncate = true, .log_prob = LogProbKind::raw};
}

SubsetFidelity SubsetFidelity::published() {
    return {.compare = Comparison::anchor,
            .fresh_noise = true,
            .hide_short_tensors = false,
            .truncate_integers = true,
            .spent_are_nodes = true,
            .missing_entries = true,
            .log_prob = LogProbKind::raw};
}

Fidelity Fidelity::published() {
    return {AttributionFidelity::published(), CounterfactualFidelity::published(), SubsetFidelity::published()};
}

} // namespace cax
