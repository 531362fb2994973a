#pragma once
// Where the paper's equations and its published code part. Each primitive has one value that says, difference by
// difference, which of the two it follows; paper() is the default of everything, published() is what the published code
// computes, and any mixture in between can be measured. Nothing else in the options of a primitive is about imitation.
#include "cax/core/names.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/changes.hpp"

namespace cax {

/// How the entries of a tensor become a node's score.
enum class MassKind {
    entry, ///< sum of absolute values (the paper)
    node,  ///< absolute value of the sum over a node's entries of one tensor (the published code); never larger
};

/// Whose duals price the families of an instance.
enum class DualsFrom {
    each,  ///< every instance its own
    first, ///< the first one's for all, as in the published code
};

/// Which state the policy is shown on a changed instance.
enum class StateMode {
    replay, ///< the instance changes, the actions so far are repeated on it: masks and clocks follow
    frozen, ///< only the tensors change, mask and clocks stay (what the published code does)
};

/// What a sample's decision is compared with: that of the same sample with nothing hidden (the paper's equation), or
/// that of the undisturbed state (the published code).
enum class Comparison { sample, anchor };

[[nodiscard]] NameTable<MassKind> names_of(MassKind);
[[nodiscard]] NameTable<DualsFrom> names_of(DualsFrom);
[[nodiscard]] NameTable<StateMode> names_of(StateMode);
[[nodiscard]] NameTable<Comparison> names_of(Comparison);

struct AttributionFidelity {
    MassKind mass = MassKind::entry;
    LogProbKind log_prob = LogProbKind::policy;
    bool keep_spent_nodes = false; ///< count nodes that have been dealt with, too
    DualsFrom duals_from = DualsFrom::each;

    [[nodiscard]] static AttributionFidelity paper() { return {}; }
    /// Node masses of unclipped log-probabilities, spent nodes included, one instance's duals for all.
    [[nodiscard]] static AttributionFidelity published();
    bool operator==(AttributionFidelity const&) const = default;
};

struct CounterfactualFidelity {
    StateMode state = StateMode::replay;
    Envelope envelope = Envelope::paper;
    /// Changed values of whole-number tensors are cut toward zero, while the change is measured before the cut. Frozen
    /// states only.
    bool truncate = false;
    LogProbKind log_prob = LogProbKind::policy; ///< of changed states; clipping makes ties where logits are huge

    [[nodiscard]] static CounterfactualFidelity paper() { return {}; }
    /// Frozen states, truncated windows, its envelope, logits without clipping.
    [[nodiscard]] static CounterfactualFidelity published();
    bool operator==(CounterfactualFidelity const&) const = default;
};

struct SubsetFidelity {
    Comparison compare = Comparison::sample;
    bool fresh_noise = false;                   ///< other samples for every size
    bool hide_short_tensors = true;             ///< false: a tensor without an entry for every node is never hidden
    bool truncate_integers = false;             ///< what the instance holds as whole numbers is cut off to such
    bool spent_are_nodes = false;               ///< nodes that have been dealt with count, too
    bool missing_entries = false;               ///< also shakes what does not exist (a machine that cannot do it)
    LogProbKind log_prob = LogProbKind::policy; ///< clipping is monotone, so this decides ties alone

    [[nodiscard]] static SubsetFidelity paper() { return {}; }
    /// All of them the other way.
    [[nodiscard]] static SubsetFidelity published();
    bool operator==(SubsetFidelity const&) const = default;
};

/// All primitives together: what `--published` sets.
struct Fidelity {
    AttributionFidelity attribution;
    CounterfactualFidelity counterfactual;
    SubsetFidelity subset;

    [[nodiscard]] static Fidelity paper() { return {}; }
    [[nodiscard]] static Fidelity published();
    bool operator==(Fidelity const&) const = default;
};

} // namespace cax
