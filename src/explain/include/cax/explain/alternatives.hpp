#pragma once
// Everything that could have been done instead, with its price. For every action of a decision: whether it is allowed
// or which rule forbids it, with the rule's numbers; how probable the policy finds it; how tight each rule is after it;
// and what the whole solution costs if the episode goes on from there.
//
// What a cost lets you conclude depends on its status. `proved`: no completion is better. `bounded`: this one exists,
// and none is better than the bound. `search`: this one exists, a search found it, there may be better ones. `policy`:
// what the policy itself would make of it. `unpriced`: nobody looked. A regret is the difference of two proved costs
// and nothing else: how much worse the best completion of the action is than the best of all allowed actions.
//
// Completions are all solutions that begin so: a schedule among them may leave a machine idle for a while, which a
// policy that is not allowed to wait could not.
//
// Effort is counted in units of work, never in seconds: the same request gives the same table on every machine.
#include "cax/policies/rollout.hpp"
#include "cax/problems/presentation.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

enum class CostStatus { proved, bounded, search, policy, unpriced };
[[nodiscard]] NameTable<CostStatus> names_of(CostStatus);

enum class PricingMode {
    exact,  ///< proofs where they can be had, a search elsewhere
    search, ///< the problem's own search, with the actions so far held fixed
    policy, ///< the policy's own completion
};
[[nodiscard]] NameTable<PricingMode> names_of(PricingMode);

struct PricingOptions {
    PricingMode mode = PricingMode::exact;
    /// How many actions get a price beyond the policy's own completion if each needs work of its own: the chosen one,
    /// the runner-up, then by probability. Where one programme answers for all, all get one.
    std::size_t actions = 4;
    std::uint64_t proof_work = 25'000'000; ///< states of an exact programme, for the whole decision
    std::uint64_t search_work = 2'000;     ///< iterations of a search, for each action
    std::uint64_t opening_work = 20'000;   ///< for the first one, if no solution is known to begin from
    std::uint64_t solver_work = 2'000;     ///< steps of a constraint solver, for each action; 0 = do not ask it
    std::uint64_t seed = 0;
};

struct Alternative {
    std::size_t action = 0;
    std::string words; ///< "visit customer 17"
    bool allowed = false;
    /// If not allowed: the rule that is broken most, with its numbers; nothing where it is no matter of numbers (it has
    /// been visited, the machine cannot do it).
    std::optional<Slack> forbidden_by;
    bool spent = false;        ///< not allowed because there is nothing left to do about it
    double probability = 0;    ///< by the policy; 0 if not allowed
    std::vector<Slack> slacks; ///< of every rule, if it is taken now
    /// What it adds to the length on the way there, and when it starts and ends, as far as the problem has such things.
    std::optional<double> extra;
    std::optional<double> start;
    std::optional<double> end;

    std::optional<double> cost; ///< of the whole solution, if it is taken and the rest done as the status says
    CostStatus status = CostStatus::unpriced;
    bool impossible = false;           ///< proved: whatever follows, it ends in no solution
    std::optional<double> bound;       ///< if `bounded`: none is better
    std::optional<double> policy_cost; ///< of the policy's own completion, where it was played
    std::optional<double> regret;      ///< only where proved
    std::optional<Solution> solution;  ///< that has the cost
};

struct Alternatives {
    std::size_t instance = 0; ///< as in the decision
    std::size_t step = 0;
    std::size_t chosen = 0;
    std::vector<Alternative> all; ///< by action
    /// The best cost of all allowed actions, if all are proved.
    std::optional<double> best_cost;
    std::optional<std::size_t> best_action; ///< the lowest such
    std::uint64_t proof_work = 0;           ///< spent
    std::uint64_t search_work = 0;
    std::uint64_t solver_work = 0;
    std::size_t forward_passes = 0; ///< of the policy's own completions: one per step

    /// In the order in which a person wants to read them: the chosen one, then by probability, then the forbidden ones.
    [[nodiscard]] std::vector<std::size_t> reading_order() const;
};

/// `before`: the actions that led to the decision's state. `known`: whole solutions that begin with them, to begin searches
/// from (the best completion of the step before is one). Error if the problem's own methods fail.
[[nodiscard]] Result<Alternatives> alternatives(Policy const& policy, Decision const& decision,
                                                std::span<std::size_t const> before, PricingOptions const& options = {},
                                                std::span<Solution const> known = {});

/// Every decision of a episode, in order; each passes its best solutions on to the next.
[[nodiscard]] Result<std::vector<Alternatives>> alternatives(Policy const& policy, Episode const& episode,
                                                             PricingOptions const& options = {});

} // namespace cax
