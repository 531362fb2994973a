#pragma once
// Which constraint family, and which nodes, drove a decision. The mass of a family is the sum of |gradient x feature|
// over the entries of its tensors (equation 1 of the paper, without the multiplier); one backward pass per decision
// serves all families. Integrated gradients and occlusion answer the same question with the same grouping, so that
// methods can be compared and any of them can order nodes.
//
// Results for one decision do not depend on the other decisions, on the batch or on the number of threads. What cannot be
// computed has a named status; no number here is ever NaN.
#include "cax/core/progress.hpp"
#include "cax/core/result.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/explain/fidelity.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/policies/policy.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cax {

enum class AttributionMethod {
    gradient,   ///< gradient x feature; one backward pass
    integrated, ///< integrated gradients from a baseline; `points` backward passes
    occlusion,  ///< what is lost when entries are set to a baseline; a forward pass per family and node
};

/// The instance without information, from which integrated gradients start and to which occlusion goes. Entries that
/// do not exist (a machine that cannot do the operation) and spent nodes stay as they are.
enum class MaskingBaseline {
    zero,
    mean,  ///< the mean over the nodes of the state, per coordinate, window end or machine
    depot, ///< every node is like the depot, which has 0 where its tensor has no entry for it; routing only
};

[[nodiscard]] NameTable<AttributionMethod> names_of(AttributionMethod);
[[nodiscard]] NameTable<MaskingBaseline> names_of(MaskingBaseline);
[[nodiscard]] NameTable<LogProbKind> names_of(LogProbKind);

struct AttributionOptions {
    AttributionMethod method = AttributionMethod::gradient;
    AttributionFidelity fidelity;                     ///< occlusion has no entries to sum: its mass is `entry`
    MaskingBaseline baseline = MaskingBaseline::zero; ///< integrated and occlusion
    std::size_t points = 128;                         ///< integrated: gradients on the way, densest near the baseline
    bool nodes = true;                                ///< occlusion: node scores, too; they are most of its cost
    std::optional<std::size_t> why_not{};             ///< explain log pi(action) - log pi(this one) instead
    std::size_t batch = 128;                          ///< observations per call of the policy; bounds the memory
    std::size_t threads = 0; ///< of the work around the policy, which has its own; 0 = all cores
    Progress progress = {};  ///< a share of the work
};

enum class AttributionStatus {
    computed,
    no_choice,         ///< one action is allowed: its probability is 1 whatever the features; all masses are 0
    no_influence,      ///< all masses are 0 although there was a choice
    other_is_chosen,   ///< why_not names the chosen action
    other_not_allowed, ///< why_not names an action that the mask forbids
    not_finite,        ///< the network's gradient overflowed
    no_gradients,      ///< the policy has none, and the method needs them; occlusion does not
};
[[nodiscard]] std::string_view name_of(AttributionStatus status);

/// One decision. All sizes are there whatever the status; unless it is `computed`, masses and scores are 0.
struct DecisionAttribution {
    std::size_t instance = 0; ///< as in the Decision
    std::size_t step = 0;
    std::size_t action = 0;
    AttributionStatus status = AttributionStatus::computed;
    double log_prob = 0;                    ///< log pi(action), of the kind asked for
    double value = 0;                       ///< what is explained: log_prob, or its distance to that of why_not
    std::vector<double> mass;               ///< per family
    std::vector<std::vector<double>> nodes; ///< [family][node]; sums to the mass, except for occlusion
    /// Integrated: the sum of all entries, which should be value - value at the baseline. Occlusion: per family
    /// value - value without the family, signed. Empty otherwise.
    std::vector<double> signed_effect;
    std::optional<double> baseline_value;     ///< integrated and occlusion: the value with all families at the baseline
    std::optional<double> completeness_error; ///< integrated: |sum of entries - (value - baseline_value)|

    /// Per node, the sum over families: an order in which nodes matter.
    [[nodiscard]] std::vector<double> node_totals() const;
};

/// Error if options make no sense (0 points, an action that does not exist, a baseline that the problem has not).
[[nodiscard]] Result<std::vector<DecisionAttribution>> attribute(Policy const& policy, std::span<Decision const> decisions,
                                                             AttributionOptions const& options = {});

/// The decisions of all episodes, one after another.
[[nodiscard]] std::vector<Decision> all_cells(std::span<Episode const> episodes);

enum class ScoreStatus {
    computed,
    no_mass,       ///< the attribution has none: see AttributionStatus
    no_multiplier, ///< some family has no multiplier: see FamilyStatus
    no_score,      ///< lambda is 0 wherever there is mass
};
[[nodiscard]] std::string_view name_of(ScoreStatus status);

/// Lambda_k = lambda_k * mass_k.
struct FamilyScores {
    ScoreStatus status = ScoreStatus::computed;
    std::vector<std::optional<double>> values; ///< per family; nothing without a multiplier
    std::optional<std::size_t> top;            ///< if computed: the family with the largest score, the first on ties
    double margin = 0;                         ///< (best - second) / best; 0 unless computed
    std::vector<std::optional<double>> shares; ///< per family: of the sum of all scores; nothing unless computed
    std::vector<std::size_t> ranked;           ///< families by decreasing score, those without one last

    /// The published rule: the first family if nothing can be said.
    [[nodiscard]] std::size_t top_or_first() const { return top.value_or(0); }
};
[[nodiscard]] FamilyScores family_scores(DecisionAttribution const& attribution, Multipliers const& multipliers);

/// Is one family on top at every optimal dual of the program without redundant rows? Nothing without ranges or without
/// mass.
[[nodiscard]] std::optional<TopFamily> dual_unique(DecisionAttribution const& attribution, Multipliers const& multipliers);

/// One decision with everything that multipliers make of it.
struct ScoredAttribution {
    DecisionAttribution decision;
    std::vector<FamilyMultiplier> multipliers; ///< per family
    FamilyScores scores;
    std::optional<TopFamily> top_unique; ///< as dual_unique()
    /// If unique: the family that it is. May differ from scores.top, which is that of the multipliers: they are of the
    /// program with redundant rows.
    std::optional<std::size_t> always_first;

    /// Why a family has no score, or how it came to it: "computed", "no_rows".
    [[nodiscard]] std::string_view status(std::size_t family) const;
};
[[nodiscard]] ScoredAttribution scored(DecisionAttribution attribution, Multipliers const& multipliers);

/// One entry per instance. Error as compute_multipliers(), naming the instance: by `numbers`, or if that is empty by
/// its place.
[[nodiscard]] Result<std::vector<Multipliers>> multipliers_of(std::span<InstancePtr const> instances,
                                                              MultiplierOptions const& options = {},
                                                              DualsFrom from = DualsFrom::each, std::size_t threads = 0,
                                                              std::span<std::size_t const> numbers = {});

} // namespace cax
