#pragma once
// PAC-sufficient subsets: the few nodes whose features alone keep the policy's decision. Nodes outside a subset show a
// baseline instead of their features, the instance is shaken by Gaussian noise, and the share of samples in which the
// decision survives is what is observed. The scan takes nodes in a given order (an attribution) until the share
// suffices; the search looks at all subsets by size.
//
// What is a node: an index along TensorInfo::node_axis plus node_offset, over all feature tensors together, as in the
// paper's code. The depot is a node like any other: it is shaken, it can be hidden, and it counts when it is kept.
// Nodes that have been dealt with (State::spent_nodes) are none: they are neither shaken nor hidden nor kept, because
// their features are artefacts; so are entries that do not exist (a machine that cannot do an operation). Options
// have the published code's reading of both. Everything but the feature tensors stays as it is in the state ("frozen"),
// the action mask too.
//
// Samples are keyed by (seed, instance, step, sample): equal options give equal results for any number of threads.
#include "cax/core/progress.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/policies/rollout.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cax {

/// `empirical`: the observed rate reaches 1 - epsilon (the paper's rule: no guarantee for the probability itself).
/// `certified`: its exact lower bound does.
enum class Acceptance { empirical, certified };
/// How delta is spent on the sizes of a scan: delta / k_max for each, so that it holds for all together, or delta each.
enum class Correction { bonferroni, per_test };

struct SubsetOptions {
    double epsilon = 0.2;
    double delta = 0.2;
    double sigma = 0.05;         ///< in each tensor's own units
    bool sigma_relative = false; ///< sigma is a fraction of each tensor's range instead
    std::size_t k_max = 25;      ///< largest size that the scan tries
    Correction correction = Correction::bonferroni;
    std::size_t samples = 0; ///< per size; 0 = what epsilon, delta and the correction ask for
    Acceptance accept = Acceptance::empirical;
    MaskingBaseline baseline = MaskingBaseline::zero; ///< what a hidden node shows
    bool curve = false; ///< every size up to k_max on every sample: costs k_max * M passes, gives the whole curve

    std::size_t exact_budget = 0; ///< forward passes per decision for the search over all subsets; 0 = no search

    SubsetFidelity fidelity{};

    std::uint64_t seed = 0;
    std::size_t threads = 0; ///< decisions at a time; 0 = all cores
    Progress progress = {};  ///< counts decisions
};

[[nodiscard]] NameTable<Acceptance> names_of(Acceptance);
[[nodiscard]] NameTable<Correction> names_of(Correction);

/// What is asked of a subset: of `samples` samples, `needed` have to keep the decision.
struct SubsetRule {
    std::size_t samples = 0;
    std::size_t needed = 0;
    double level = 0; ///< alpha of the bounds: delta, or delta / k_max
};
/// Error if an option makes no sense, or if no number of successes could be certified with so few samples.
[[nodiscard]] Result<SubsetRule> subset_rule(SubsetOptions const& options);

/// Are sizes tested in stages (staged_scan.cpp)? Certified ones are, unless all are to be compared on the same samples
/// (a search, a curve) or as the published code does it. `needed` is then that of no size: looks.hpp.
[[nodiscard]] bool in_stages(SubsetOptions const& options);

/// One size of the scan. Unless accepted, sampling stopped once it could no longer be.
struct SizeTest {
    std::size_t size = 0;
    std::size_t samples = 0; ///< looked at
    std::size_t preserved = 0;
    bool accepted = false;
};

/// A share of samples, with what it says about the probability behind it.
struct Preserved {
    std::size_t samples = 0;
    std::size_t preserved = 0;
    double rate = 0;
    double lower_bound = 0; ///< Clopper-Pearson, one-sided; in stages: looks.hpp, and 0 unless accepted
    double hoeffding = 0;   ///< Hoeffding's, for comparison; in stages 0
};

/// The smallest subset on the scan's own samples. Preservation is not monotone: a subset that fails says nothing about
/// larger or smaller ones, so a size is excluded only when every subset of that size has been tested and has failed.
/// What is proven is proven for these samples; what the winner is worth beyond them, `fresh` says.
struct ExactSubset {
    bool found = false;             ///< some subset passes; else nodes is empty
    std::vector<std::size_t> nodes; ///< the smallest that was found, in the scan's order
    std::size_t size_at_least = 1;  ///< no subset of 1 .. size_at_least - 1 nodes passes: all were tested
    bool proven = false;            ///< nodes.size() == size_at_least, or none up to k_max passes
    bool empty_suffices = false;    ///< the decision survives with every node hidden
    std::size_t subsets_tested = 0;
    std::size_t forward_passes = 0;
    Preserved own;   ///< on the scan's samples, chosen among many subsets: no guarantee
    Preserved fresh; ///< on as many new samples, bounds at delta: the guarantee
};

struct Subset {
    std::size_t instance = 0;
    std::size_t step = 0;
    std::size_t action = 0;
    double margin = 0;
    bool forced = false; ///< one action is allowed: any node suffices, nothing was sampled
    bool accepted = false;
    std::vector<std::size_t> nodes; ///< of the accepted subset, in the order of the scan; empty if none was
    Preserved observed;       ///< of the accepted subset, else of the largest one tried; over all samples that it got
    double level = 0;         ///< alpha of observed's bounds
    std::size_t attempts = 0; ///< in stages: sizes that got past the first one
    std::vector<SizeTest> tests; ///< sizes 1, 2, ... as far as the scan went
    std::size_t nodes_in_all = 0;
    std::size_t forward_passes = 0; ///< of the scan
    std::size_t fixed_passes = 0;   ///< what the plain loop needs for the same sizes: all samples of each
    std::optional<ExactSubset> exact;

    [[nodiscard]] std::size_t size() const { return nodes.size(); }
    /// Mean rate over the sizes 1 .. k_max of a curve: 1 if one node is enough. Means something if the options
    /// asked for a curve; nothing if sizes were tested on different numbers of samples.
    [[nodiscard]] std::optional<double> area_under_curve() const;
};

/// The nodes of a state that a subset can contain, ascending.
[[nodiscard]] std::vector<std::size_t> subset_nodes(State const& state, SubsetOptions const& options = {});
/// Candidates by decreasing score, lower node first on ties. `scores` has one entry per node of the state, spent or
/// not; what is not a number comes last.
[[nodiscard]] std::vector<std::size_t> order_by_scores(std::span<std::size_t const> candidates,
                                                       std::span<double const> scores);
/// The control: candidates in an order that the seed and the decision decide.
[[nodiscard]] std::vector<std::size_t> random_order(std::span<std::size_t const> candidates, Decision const& decision,
                                                    std::uint64_t seed);

/// Scans along `order`: nodes of the decision's state, most important first, none twice; candidates that it leaves out
/// follow in ascending order. Error if an option or the order makes no sense.
[[nodiscard]] Result<Subset> sufficient_subset(Policy const& policy, Decision const& decision,
                                               std::span<std::size_t const> order, SubsetOptions const& options = {});
/// One order per decision; all cores.
[[nodiscard]] Result<std::vector<Subset>> sufficient_subsets(Policy const& policy, std::span<Decision const> decisions,
                                                             std::span<std::vector<std::size_t> const> orders,
                                                             SubsetOptions const& options = {});

} // namespace cax
