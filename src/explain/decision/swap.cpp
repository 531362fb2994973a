#include "cax/explain/swap.hpp"

#include "cax/explain/perturbation.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax {
namespace {

/// More families than this have too many sets.
constexpr std::size_t most_swapped_families = 10;

/// The entries of one node in every tensor, in order.
std::vector<std::vector<std::size_t>> entries_of(ProblemInfo const& info, Features const& features, std::size_t node) {
    std::vector<std::vector<std::size_t>> entries(features.size());
    for (std::size_t t = 0; t < features.size(); ++t) {
        for (std::size_t i = 0; i < features[t].values.size(); ++i) {
            if (node_of(info.tensors[t], features[t].shape, i) == node) entries[t].push_back(i);
        }
    }
    return entries;
}

/// What kind of data a node has: which of its entries exist and can be moved. A depot differs from its customers.
std::vector<std::vector<std::uint8_t>> kind_of(std::vector<std::vector<std::size_t>> const& entries,
                                               Adjustable const& movable) {
    std::vector<std::vector<std::uint8_t>> kind(entries.size());
    for (std::size_t t = 0; t < entries.size(); ++t) {
        for (std::size_t const i : entries[t]) kind[t].push_back(movable[t][i]);
    }
    return kind;
}

/// Exchanges data between the nodes of two actions and asks what becomes of the lead.
class SwapProbe {
public:
    SwapProbe(Policy const& policy, Decision const& decision, std::size_t other)
        : policy_(policy),
          cell_(decision),
          other_(other),
          info_(decision.state->instance().problem().info()),
          features_(decision.state->features()),
          mine_(entries_of(info_, features_, node(decision.action))),
          theirs_(entries_of(info_, features_, node(other))) {}

    /// The leads after exchanging each of the sets, a bit per family.
    [[nodiscard]] std::vector<double> margins(std::vector<std::size_t> const& sets) const {
        std::vector<Observation> seen;
        for (std::size_t const set : sets) seen.push_back(policy_.observe(*cell_.state, exchanged(set)));
        std::vector<double> margins;
        for (LogProbs const& log_probs : policy_.log_probs(seen)) {
            margins.push_back(log_probs[cell_.action] - log_probs[other_]);
        }
        return margins;
    }

private:
    [[nodiscard]] std::size_t node(std::size_t action) const {
        return *cell_.state->instance().problem().presentation().node_of(*cell_.state, action);
    }
    [[nodiscard]] Features exchanged(std::size_t set) const {
        Features values = features_;
        for (std::size_t t = 0; t < values.size(); ++t) {
            if ((set >> info_.tensors[t].family & 1) == 0) continue;
            for (std::size_t e = 0; e < mine_[t].size(); ++e) {
                std::swap(values[t].values[mine_[t][e]], values[t].values[theirs_[t][e]]);
            }
        }
        return values;
    }

    Policy const& policy_;
    Decision const& cell_;
    std::size_t other_;
    ProblemInfo const& info_;
    Features features_;
    std::vector<std::vector<std::size_t>> mine_;
    std::vector<std::vector<std::size_t>> theirs_;
};

/// Shapley values of the lead lost by exchanging, from the leads after every set of families.
std::vector<double> shapley_values(std::vector<double> const& margin_of_set, std::size_t families) {
    std::vector<double> factorial(families + 1, 1);
    for (std::size_t k = 1; k <= families; ++k) factorial[k] = factorial[k - 1] * static_cast<double>(k);
    std::vector<double> phi(families);
    for (std::size_t k = 0; k < families; ++k) {
        for (std::size_t set = 0; set < margin_of_set.size(); ++set) {
            if ((set >> k & 1) != 0) continue;
            auto const size = static_cast<std::size_t>(std::popcount(set));
            double const weight = factorial[size] * factorial[families - size - 1] / factorial[families];
            phi[k] += weight * (margin_of_set[set] - margin_of_set[set | std::size_t{1} << k]) / 2;
        }
    }
    return phi;
}

/// The same from the single exchanges alone, by the symmetry of complements.
std::vector<double> shapley_values_of_singles(double m, std::vector<double> const& u) {
    if (u.size() == 1) return {m};
    if (u.size() == 2) return {(m - u[0]) / 2, (m - u[1]) / 2};
    double const sum = u[0] + u[1] + u[2];
    std::vector<double> phi;
    for (double const own : u) phi.push_back((2 * m - 3 * own + sum) / 6);
    return phi;
}

/// The most probable allowed action whose node has the same kind of data as the chosen one's.
std::optional<std::size_t> best_partner(Decision const& decision) {
    State const& state = *decision.state;
    Presentation const& words = state.instance().problem().presentation();
    auto const own = words.node_of(state, decision.action);
    if (!own) return std::nullopt;
    ProblemInfo const& info = state.instance().problem().info();
    Features const features = state.features();
    Adjustable const movable = adjustable(state.instance());
    auto const kind = kind_of(entries_of(info, features, *own), movable);
    std::optional<std::size_t> best;
    for (std::size_t a = 0; a < decision.log_probs.size(); ++a) {
        if (a == decision.action || state.action_mask()[a] == 0) continue;
        if (best && decision.log_probs[a] <= decision.log_probs[*best]) continue;
        auto const node = words.node_of(state, a);
        if (!node || node == own || kind_of(entries_of(info, features, *node), movable) != kind) continue;
        best = a;
    }
    return best;
}

} // namespace

std::string_view name_of(SwapStatus status) {
    switch (status) {
    case SwapStatus::computed: return "computed";
    case SwapStatus::no_choice: return "no_choice";
    case SwapStatus::no_other: return "no_other";
    case SwapStatus::not_exchangeable: return "not_exchangeable";
    }
    return "";
}

std::optional<std::size_t> Swap::top() const {
    if (status != SwapStatus::computed) return std::nullopt;
    auto const largest = std::ranges::max_element(phi);
    if (!(*largest > notable_effect())) return std::nullopt;
    return static_cast<std::size_t>(largest - phi.begin());
}

double Swap::notable_effect() const { return std::max(notable_part * std::fabs(margin), least_effect); }

Result<Swap> swap(Policy const& policy, Decision const& decision, SwapOptions const& options) {
    std::size_t const families = decision.state->instance().problem().info().families.size();
    if (families > most_swapped_families) {
        return Error{ErrorCode::unsupported,
                     fmt::format("swap: {} families are more than the {} supported", families, most_swapped_families)};
    }
    Swap result;
    result.action = decision.action;
    auto const runner_up = decision.runner_up();
    if (options.other && (*options.other >= decision.log_probs.size() || *options.other == decision.action ||
                          decision.state->action_mask()[*options.other] == 0)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("swap: action {} is not another allowed one", *options.other)};
    }
    if (!runner_up) {
        result.status = SwapStatus::no_choice;
        return result;
    }
    Decision asked = decision;
    if (options.other) { // only this one may be the partner
        for (std::size_t a = 0; a < asked.log_probs.size(); ++a) {
            if (a != *options.other) asked.log_probs[a] = -std::numeric_limits<double>::infinity();
        }
    }
    result.other = best_partner(asked);
    if (!result.other || (options.other && result.other != options.other)) {
        result.other.reset();
        result.status = SwapStatus::no_other;
        return result;
    }
    result.other_is_runner_up = result.other == runner_up;
    result.margin = decision.log_probs[decision.action] - decision.log_probs[*result.other];

    SwapProbe const exchange(policy, decision, *result.other);
    std::size_t const everything = (std::size_t{1} << families) - 1;
    std::vector<std::size_t> sets;
    for (std::size_t k = 0; k < families; ++k) sets.push_back(std::size_t{1} << k);
    sets.push_back(everything);
    std::vector<double> margins = exchange.margins(sets);
    result.forward_passes = sets.size();
    result.full = margins.back();
    margins.pop_back();
    result.single = std::move(margins);
    if (!(std::fabs(result.full + result.margin) <= options.tolerance * (1 + std::fabs(result.margin)))) {
        result.status = SwapStatus::not_exchangeable;
        return result;
    }
    if (families <= 3) {
        result.phi = shapley_values_of_singles(result.margin, result.single);
        return result;
    }
    sets.clear();
    for (std::size_t set = 0; set <= everything; ++set) sets.push_back(set);
    result.phi = shapley_values(exchange.margins(sets), families);
    result.forward_passes += sets.size();
    return result;
}

} // namespace cax
