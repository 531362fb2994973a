#include "cax/explain/ordering.hpp"

#include "cax/core/printable.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace cax {
namespace {

constexpr std::string_view family_prefix = "family:";

AttributionOptions attribution_options(Ordering const& ordering, SubsetOptions const& subset,
                                       OrderingOptions const& options) {
    AttributionOptions result;
    result.fidelity = options.fidelity;
    if (ordering.kind == Ordering::Kind::integrated) result.method = AttributionMethod::integrated;
    if (ordering.kind == Ordering::Kind::occlusion) {
        result.method = AttributionMethod::occlusion;
        result.fidelity.mass = MassKind::entry;
    }
    result.fidelity.keep_spent_nodes = subset.fidelity.spent_are_nodes;
    result.baseline = subset.baseline;
    result.points = options.points;
    result.threads = options.threads;
    result.progress = options.progress;
    return result;
}

/// Per instance, a weight for every family; empty if all are 1.
Result<std::vector<std::vector<double>>> family_weights(std::span<InstancePtr const> instances,
                                                        Ordering const& ordering, OrderingOptions const& options) {
    if (ordering.kind != Ordering::Kind::weighted || ordering.backend == Backend::proxy) {
        return std::vector<std::vector<double>>{};
    }
    MultiplierOptions multiplier_options;
    multiplier_options.backend = ordering.backend;
    auto const multipliers =
        multipliers_of(instances, multiplier_options, options.fidelity.duals_from, options.threads, options.numbers);
    if (!multipliers) return multipliers.error();
    std::vector<std::vector<double>> weights;
    for (std::size_t i = 0; i < multipliers->size(); ++i) {
        auto values = (*multipliers)[i].values();
        if (!values) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("order {}: instance {}: a family has no multiplier", ordering.name,
                                     options.numbers.empty() ? i : options.numbers[i])};
        }
        weights.push_back(std::move(*values));
    }
    return weights;
}

/// `weights`: of the families of the decision's instance; empty = all count alike.
std::vector<double> node_scores(DecisionAttribution const& decision, Ordering const& ordering,
                                std::vector<double> const& weights) {
    if (ordering.kind == Ordering::Kind::family) return decision.nodes[ordering.family];
    if (weights.empty()) return decision.node_totals();
    std::vector<double> scores(decision.nodes.front().size());
    for (std::size_t k = 0; k < decision.nodes.size(); ++k) {
        for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += weights[k] * decision.nodes[k][i];
    }
    return scores;
}

} // namespace

Result<Ordering> ordering_of(std::string_view name, ProblemInfo const& problem) {
    using Kind = Ordering::Kind;
    Ordering ordering{.name = std::string(name)};
    if (name.starts_with(family_prefix)) {
        auto const found = std::ranges::find(problem.families, name.substr(family_prefix.size()));
        if (found == problem.families.end()) {
            return Error{ErrorCode::invalid_value, fmt::format("order: '{}': the families are {}", printable(name),
                                                               fmt::join(problem.families, ", "))};
        }
        ordering.kind = Kind::family;
        ordering.family = static_cast<std::size_t>(found - problem.families.begin());
        return ordering;
    }
    if (name == "integrated" || name == "ig")
        ordering.kind = Kind::integrated;
    else if (name == "occlusion")
        ordering.kind = Kind::occlusion;
    else if (name == "random")
        ordering.kind = Kind::random;
    else {
        auto const backend = parse_name<Backend>("backend", name);
        if (!backend || *backend == Backend::given) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("order: '{}' is not one of proxy, lp, subgrad, lagrangian, integrated, occlusion, "
                                     "random, family:NAME",
                                     printable(name))};
        }
        ordering.backend = *backend;
    }
    return ordering;
}

Result<std::vector<std::vector<std::size_t>>> node_orders(Policy const& policy, std::span<InstancePtr const> instances,
                                                          std::span<Decision const> decisions, Ordering const& ordering,
                                                          SubsetOptions const& subset, OrderingOptions const& options) {
    std::vector<std::vector<std::size_t>> orders;
    if (ordering.kind == Ordering::Kind::random) {
        for (Decision const& decision : decisions) {
            orders.push_back(random_order(subset_nodes(*decision.state, subset), decision, subset.seed));
        }
        return orders;
    }
    if (ordering.kind != Ordering::Kind::occlusion && !policy.traits().differentiable) {
        return Error{
            ErrorCode::unsupported,
            fmt::format("order {}: the policy has no gradients; occlusion and random need none", ordering.name)};
    }
    auto const weights = family_weights(instances, ordering, options);
    if (!weights) return weights.error();
    auto const attributions = attribute(policy, decisions, attribution_options(ordering, subset, options));
    if (!attributions) return attributions.error();
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        auto const own = std::ranges::find(instances, &decisions[i].state->instance(),
                                           [](InstancePtr const& each) { return each.get(); });
        assert(own != instances.end());
        auto const place = static_cast<std::size_t>(own - instances.begin());
        orders.push_back(order_by_scores(
            subset_nodes(*decisions[i].state, subset),
            node_scores((*attributions)[i], ordering, weights->empty() ? std::vector<double>{} : (*weights)[place])));
    }
    return orders;
}

} // namespace cax
