#include "cax/explain/fidelity.hpp"

#include <array>

namespace cax {
namespace {

constexpr std::array mass_kinds{Named<MassKind>{MassKind::entry, "entry", "the paper"},
                                Named<MassKind>{MassKind::node, "node", "sums before absolute values"}};
constexpr std::array dual_sources{Named<DualsFrom>{DualsFrom::each, "each", "every instance its own"},
                                  Named<DualsFrom>{DualsFrom::first, "first", "the first one's for all"}};
constexpr std::array state_modes{
    Named<StateMode>{StateMode::replay, "replay", "repeat the actions so far on the changed instance"},
    Named<StateMode>{StateMode::frozen, "frozen", "change only the tensors"}};
constexpr std::array comparisons{
    Named<Comparison>{Comparison::sample, "sample", "the decision of the same sample unmasked"},
    Named<Comparison>{Comparison::anchor, "anchor", "that of the undisturbed state"}};

} // namespace

NameTable<MassKind> names_of(MassKind) { return mass_kinds; }
NameTable<DualsFrom> names_of(DualsFrom) { return dual_sources; }
NameTable<StateMode> names_of(StateMode) { return state_modes; }
NameTable<Comparison> names_of(Comparison) { return comparisons; }

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
