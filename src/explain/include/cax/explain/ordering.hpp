#pragma once
// In which order nodes matter, by any attribution: what scans towards a sufficient subset follow, and how attribution
// methods are compared by the subsets that they lead to. Orders are named by words that a person can type.
#include "cax/core/result.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/explain/subset.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cax {

/// proxy, lp, subgrad, lagrangian (gradient x feature, families weighted by these multipliers), integrated, occlusion,
/// random (the control), or family:NAME (gradient x feature of one family alone).
struct Ordering {
    enum class Kind { weighted, integrated, occlusion, random, family };
    std::string name;
    Kind kind = Kind::weighted;
    Backend backend = Backend::proxy; ///< weighted
    std::size_t family = 0;           ///< family
};
/// Error names what there is.
[[nodiscard]] Result<Ordering> ordering_of(std::string_view name, ProblemInfo const& problem);

struct OrderingOptions {
    AttributionFidelity fidelity;          ///< but spent nodes count as the subset's own fidelity has it
    std::size_t points = 32;               ///< of integrated gradients
    std::vector<std::size_t> numbers = {}; ///< what the instances are called in errors; empty = by their places
    std::size_t threads = 0;
    Progress progress = {};
};

/// One order per decision, of the nodes that `subset` lets a subset contain. The decisions are of
/// `instances`. Cells without a choice have no attribution: their nodes come in ascending order. Error if multipliers
/// cannot be computed.
[[nodiscard]] Result<std::vector<std::vector<std::size_t>>>
node_orders(Policy const& policy, std::span<InstancePtr const> instances, std::span<Decision const> decisions,
            Ordering const& ordering, SubsetOptions const& subset, OrderingOptions const& options = {});

} // namespace cax
