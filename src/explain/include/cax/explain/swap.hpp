#pragma once
// Why this action rather than that one? The values of one constraint family are exchanged between the two nodes that
// the actions are about, with the mask and everything else as it is, and the policy is asked again. What the lead of
// the chosen action owes to each family is its Shapley value over all sets of families that can be exchanged.
//
// Exchanging all families only gives the two nodes each other's names, so the lead m becomes -m, and exchanging a set
// gives minus the result of exchanging the others. With up to three families the single exchanges u_k are therefore
// enough: phi_k = (2m - 2u_k + u_i + u_j) / 6 for three, (m - u_k) / 2 for two, m for one; with more, all sets are
// tried. The sum is m. No noise, no reference point, one pass of the network per exchange.
//
// What an answer lets you conclude: what this policy makes of these two nodes' own data in this state. It says nothing
// about rules (the mask stays) and nothing about the data of others.
#include "cax/policies/rollout.hpp"

#include <optional>
#include <vector>

namespace cax {

enum class SwapStatus {
    computed,
    no_choice,        ///< only one action is allowed
    no_other,         ///< no other allowed action's node has the same kind of data (a depot has no demand)
    not_exchangeable, ///< exchanging all data is more than a change of names: something else tells the nodes apart
};
[[nodiscard]] std::string_view name_of(SwapStatus status);

struct Swap {
    SwapStatus status = SwapStatus::computed;
    std::size_t action = 0;
    std::optional<std::size_t> other; ///< what it is compared with
    bool other_is_runner_up = false;  ///< otherwise the most probable one whose node can be exchanged
    double margin = 0;                ///< m = log pi(action) - log pi(other)
    double full = 0;                  ///< the margin after everything is exchanged: -m but for rounding
    std::vector<double> single;       ///< u_k: the margin after family k is exchanged
    std::vector<double> phi;          ///< what family k contributes to m
    std::size_t forward_passes = 0;

    /// The family with the largest phi: what speaks most for the chosen action. Nothing unless computed, and nothing if
    /// its effect is too small to be one (notable_effect()): where nothing speaks for an action, no family is named.
    [[nodiscard]] std::optional<std::size_t> top() const;
    /// What a family's phi has to exceed before the family is named: a part of the margin, and more than rounding.
    [[nodiscard]] double notable_effect() const;
};
/// The part of the margin that a family has to contribute.
inline constexpr double notable_part = 0.05;
/// And what it has to contribute at least: in log-probability, an odds ratio of 1.001.
inline constexpr double least_effect = 1e-3;

struct SwapOptions {
    /// Compare with this action; default: the most probable other one. Error if it is not allowed or chosen itself.
    std::optional<std::size_t> other = {};
    /// How far `full` may be from -margin, as a part of 1 + |margin|, before the nodes count as not exchangeable.
    double tolerance = 1e-3;
};

[[nodiscard]] Result<Swap> swap(Policy const& policy, Decision const& decision, SwapOptions const& options = {});

} // namespace cax
