#pragma once
// What would have changed the decision? For a cell of a walk: the smallest random change to the instance, among so
// many, that makes the policy choose otherwise, and a certificate that the changed instance can still be solved.
//
// What an answer lets you conclude: the change flips the decision (it was tried), it lies inside the budgets and the
// arithmetic envelope, and no other of the shots that flips is smaller. It does not say that no smaller change exists.
// Results depend on the seed, not on threads, batches or which other cells are asked.
#include "cax/core/progress.hpp"
#include "cax/core/result.hpp"
#include "cax/explain/cells.hpp"
#include "cax/explain/certify.hpp"
#include "cax/explain/perturbation.hpp"
#include "cax/policies/policy.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

/// Which state the policy is shown.
enum class StateMode {
    replay, ///< the instance changes, the actions so far are repeated on it: masks and clocks follow
    frozen, ///< only the tensors change, mask and clocks stay (what the published code does)
};

/// What is asked of the changed instance.
enum class Certification {
    instance, ///< it has a solution
    bound,    ///< it has one that spends no more than CounterfactualOptions::bound
    prefix,   ///< it has one that begins with the actions so far and the new one
    none,     ///< nothing
};

enum class CounterfactualStatus {
    certified, ///< a flip, with a witness
    refuted,   ///< a flip, but the question that certification asks has been proved to have no answer
    undecided, ///< a flip, but certification ran out of its budget, or between two roundings
    flipped,   ///< a flip that nobody was asked to certify
    no_flip,   ///< no shot inside the envelope changes the decision
};

[[nodiscard]] NameTable<StateMode> names_of(StateMode);
[[nodiscard]] NameTable<Certification> names_of(Certification);
[[nodiscard]] NameTable<CounterfactualStatus> names_of(CounterfactualStatus);

struct CounterfactualOptions {
    std::size_t shots = 128;
    StateMode state = StateMode::replay;
    ChangeKind kind = ChangeKind::features;
    Envelope envelope = Envelope::paper;
    /// Changed values of whole-number tensors are cut toward zero, while the change is measured before the cut. Frozen
    /// states only.
    bool truncate = false;
    LogProbKind log_prob = LogProbKind::policy; ///< of changed states; clipping makes ties where logits are huge
    Norm norm = Norm::l1;
    PerturbationOptions perturbation;   ///< its seed is the seed of everything
    std::optional<std::size_t> towards; ///< only a flip to this action counts
    std::size_t count = 1;              ///< so many answers, no two with the same new action and heaviest family
    bool refine = false;                ///< make answers readable: see refined()
    Certification certify = Certification::instance;
    std::optional<double> bound;    ///< Certification::bound; also kept in mode prefix if given
    CertifyOptions certifier;       ///< seed and candidates are filled in
    bool plain_loop = false;        ///< every shot through the policy, in order: the same winners, more work
    std::size_t batch = 16;         ///< shots per forward pass grow up to this; only `forward_passes` depends on it
    std::size_t first_instance = 0; ///< added to Cell::instance where random numbers are named
    StateOptions state_options;     ///< those of the walk
    std::size_t threads = 0;
    Progress progress = {}; ///< counts cells

    /// What the published code does: frozen states, truncated windows, its envelope, logits without clipping.
    void make_published();
};

/// One entry of the instance, before and after.
struct EntryChange {
    std::size_t tensor = 0;
    std::size_t index = 0;
    double from = 0; ///< as a feature value
    double to = 0;
    std::string words; ///< "customer 17: window closes 232 -> 220"
};

/// A change that flips the decision.
struct Flip {
    std::optional<std::size_t> shot; ///< that drew it, or that it was refined from
    Features change;
    std::size_t new_action = 0;
    std::string new_action_words;
    double l1 = 0;
    double l2 = 0;
    double linf = 0;
    std::size_t entries = 0;           ///< that differ
    std::optional<std::size_t> tensor; ///< with the largest part of l1
    std::optional<std::size_t> family; ///< likewise
    std::vector<double> family_mass;   ///< l1 per family; others: family_masses(change)
    double margin = 0;                 ///< log-probability of the old action minus the new one's; may be -infinite
    std::vector<EntryChange> changes;  ///< what `entries` counts
    CounterfactualStatus status = CounterfactualStatus::flipped;
    std::optional<Certificate> certificate;
};

struct Counterfactual {
    std::size_t instance = 0; ///< as in the cell
    std::size_t step = 0;
    std::size_t action = 0;
    CounterfactualStatus status = CounterfactualStatus::no_flip; ///< of best()
    std::vector<Flip> sampled;                                   ///< smallest first; empty if nothing flips
    std::vector<Flip> refined;                                   ///< one for each of `sampled`, if asked for
    /// How close the shots came: the least log-probability that the old action was ahead, up to the winner. Infinite
    /// if nothing else was ever allowed, negative after a flip.
    double best_margin = std::numeric_limits<double>::infinity();
    std::size_t shots = 0;
    std::size_t passing = 0;        ///< shots inside the envelope: the forward passes of the plain loop
    std::size_t forward_passes = 0; ///< spent by the search
    std::size_t refine_passes = 0;  ///< spent by the refinement

    /// The first answer, refined if it was refined; null if there is none.
    [[nodiscard]] Flip const* best() const;
};

/// Error if options contradict each other or do not fit the problem.
[[nodiscard]] Result<void> check_options(ProblemInfo const& info, CounterfactualOptions const& options);

/// One cell. Error as check_options(), and if the walk has no such step or `towards` no such action.
[[nodiscard]] Result<Counterfactual> find_counterfactual(Policy const& policy, Walk const& walk, std::size_t step,
                                                         CounterfactualOptions const& options = {});

/// All cells of the walks, on all cores; in order.
[[nodiscard]] Result<std::vector<Counterfactual>>
find_counterfactuals(Policy const& policy, std::span<Walk const> walks, CounterfactualOptions const& options = {});

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

/// Every shot of a cell, infeasible ones too, in order: the plain loop with everything that it saw.
[[nodiscard]] Result<std::vector<ShotOutcome>> evaluate_shots(Policy const& policy, Walk const& walk, std::size_t step,
                                                              CounterfactualOptions const& options);

/// The instance that a change makes of the walk's. Error if there is none.
[[nodiscard]] Result<InstancePtr> changed_instance(Walk const& walk, std::size_t step, Features const& change,
                                                   CounterfactualOptions const& options);

/// The same Gaussian changes to all tensors of frozen states at once, without a look at the envelope, as Wachter's
/// counterfactuals have it.
struct WachterCount {
    std::size_t shots = 0;
    std::size_t passing = 0; ///< inside the envelope all the same
    std::size_t cells = 0;
    std::size_t flipped_cells = 0;   ///< some shot flips, inside or not
    std::size_t passing_answers = 0; ///< of the smallest flips, inside the envelope
};
[[nodiscard]] Result<WachterCount> wachter_baseline(Policy const& policy, std::span<Walk const> walks,
                                                    CounterfactualOptions const& options);

/// How little of one family flips the decision.
struct FamilyAnswer {
    std::size_t family = 0;
    std::optional<Flip> flip; ///< refined; certified as the options say
    double relative_size = 0; ///< of the flip: sum of |change| / tensor_scales()
    double reach = 0;         ///< entries were moved by up to this part of the scale: the flip's, or the last tried
    std::size_t forward_passes = 0;
};
/// One search per family, budgets in relative units (1/8, 1/4, 1/2 of tensor_scales(), until something flips; on all
/// entries, then on a few), so that families can be ranked. Tensors that are held fixed stay so.
[[nodiscard]] Result<std::vector<FamilyAnswer>> find_per_family(Policy const& policy, Walk const& walk,
                                                                std::size_t step, CounterfactualOptions const& options);

} // namespace cax
