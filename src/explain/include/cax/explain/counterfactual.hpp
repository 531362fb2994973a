#pragma once
// What would have changed the decision? Two verbs: find_counterfactual() looks for the smallest random change to the
// instance, among so many, that makes the policy choose otherwise; refine() makes such a flip readable. A third one,
// certify() in flip_certificate.hpp, asks whether the changed instance can still be solved; answer.hpp puts all three
// together.
//
// What a flip lets you conclude: the change flips the decision (it was tried), it lies inside the budgets and the
// arithmetic envelope, and no other of the shots that flips is smaller. It does not say that no smaller change exists.
// Results depend on the seed, not on threads, batches or which other decisions are asked.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/explain/fidelity.hpp"
#include "cax/explain/flip.hpp"
#include "cax/explain/perturbation.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/changes.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

struct CounterfactualOptions {
    std::size_t shots = 128;
    CounterfactualFidelity fidelity;
    ChangeKind kind = ChangeKind::features;
    Norm norm = Norm::l1;
    PerturbationOptions perturbation;   ///< its seed is the seed of everything
    std::optional<std::size_t> towards; ///< only a flip to this action counts
    std::size_t count = 1;              ///< so many flips, no two with the same new action and heaviest family
    bool plain_loop = false;            ///< every shot through the policy, in order: the same winners, more work
    std::size_t batch = 16;             ///< shots per forward pass grow up to this; only `forward_passes` depends on it
    std::size_t first_instance = 0;     ///< added to Decision::instance where random numbers are named
    StateOptions state_options;         ///< those of the episode
};

/// What a search has seen.
struct ShotReport {
    /// How close the shots came: the least log-probability that the old action was ahead, up to the winner. Infinite
    /// if nothing else was ever allowed, negative after a flip.
    double best_margin = std::numeric_limits<double>::infinity();
    std::size_t shots = 0;
    std::size_t passing = 0;        ///< shots inside the envelope: the forward passes of the plain loop
    std::size_t forward_passes = 0; ///< spent
};

struct Counterfactual {
    std::size_t instance = 0; ///< as in the decision
    std::size_t step = 0;
    std::size_t action = 0;
    ShotReport report;
    std::vector<Flip> flips; ///< smallest first; empty if nothing flips

    /// Null if nothing flips.
    [[nodiscard]] Flip const* best() const { return flips.empty() ? nullptr : &flips.front(); }
};

/// Error if options contradict each other or do not fit the problem.
[[nodiscard]] Result<void> check_options(ProblemInfo const& info, CounterfactualOptions const& options);

/// One decision. Error as check_options(), and if the episode has no such step or `towards` no such action.
[[nodiscard]] Result<Counterfactual> find_counterfactual(Policy const& policy, Episode const& episode, std::size_t step,
                                                         CounterfactualOptions const& options = {});

/// Changes of the caller's in place of random ones, numbered 0, 1, ...; equal numbers must give equal changes.
using ShotSource = std::function<Features(std::size_t shot)>;
/// The same among options.shots given changes, each moved back into budgets and boxes.
[[nodiscard]] Result<Counterfactual> find_counterfactual(Policy const& policy, Episode const& episode, std::size_t step,
                                                         ShotSource const& shots, CounterfactualOptions const& options);

struct Refinement {
    Flip flip;
    /// Steps on the way to it, ever further back, and last the flip that was given: should the flip not be certified,
    /// one of these may be.
    std::vector<Flip> earlier;
    std::size_t forward_passes = 0;
};
/// Makes a flip readable: drops entries that it does not need, shrinks the others by bisection and snaps them to the
/// tensors' grains where that keeps the flip: one whole grain even where the problem's own budget is less (a demand
/// that is so many parts of the capacity), never beyond a budget that was asked for. Only tensors that it moves are
/// moved. Options as the flip was found with; error as find_counterfactual().
[[nodiscard]] Result<Refinement> refine(Policy const& policy, Episode const& episode, std::size_t step, Flip const& flip,
                                        CounterfactualOptions const& options = {});

/// What became of one shot.
struct ShotOutcome {
    std::size_t shot = 0;
    double l1 = 0;         ///< of the change as it was drawn
    double applied_l1 = 0; ///< of the change that reached the tensors
    bool feasible = false; ///< there is such an instance, its state can be reached, and it lies in the envelope
    std::string refusal;   ///< why not
    std::optional<std::size_t> action; ///< there if the policy could be asked
    bool flipped = false;
    double margin = 0;
};

/// Every shot of a decision, infeasible ones too, in order: the plain loop with everything that it saw.
[[nodiscard]] Result<std::vector<ShotOutcome>> evaluate_shots(Policy const& policy, Episode const& episode, std::size_t step,
                                                              CounterfactualOptions const& options);
[[nodiscard]] Result<std::vector<ShotOutcome>> evaluate_shots(Policy const& policy, Episode const& episode, std::size_t step,
                                                              ShotSource const& shots,
                                                              CounterfactualOptions const& options);

/// The same Gaussian changes to all tensors of frozen states at once, without a look at the envelope, as Wachter's
/// counterfactuals have it.
struct WachterCount {
    std::size_t shots = 0;
    std::size_t passing = 0; ///< inside the envelope all the same
    std::size_t decisions = 0;
    std::size_t flipped_cells = 0;   ///< some shot flips, inside or not
    std::size_t passing_answers = 0; ///< of the smallest flips, inside the envelope

    WachterCount& operator+=(WachterCount const& other);
};
[[nodiscard]] Result<WachterCount> count_wachter(Policy const& policy, std::span<Episode const> episodes,
                                                 CounterfactualOptions const& options, std::size_t threads = 0);

} // namespace cax
