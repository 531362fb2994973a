#pragma once
// What a method says of every decision of a problem, as labels that can be compared: the family that it names, and the
// family that it gives an unusually large share, compared with what it says of the same policy's decisions on other
// instances. Families that are nearly always the largest make the first a constant; the second is balanced.
#include "cax/study/settings.hpp"
#include "cax/study/statistics.hpp"
#include "judge/findings.hpp"

#include <span>
#include <vector>

namespace cax::study {

/// Numbers per family of one decision; nothing where nothing was said.
using Spoken = std::optional<std::vector<double>>;

/// One speaker on all decisions of a problem, in their order.
struct Speaker {
    std::vector<Spoken> scores;

    [[nodiscard]] std::vector<Label> tops() const; ///< the largest, the first on ties; nothing if all are 0
    /// |score| over their sum, per family and decision; nothing if all are 0.
    [[nodiscard]] std::vector<Spoken> shares() const;
};
/// The family whose share has the highest percentile among the decisions of the same policy on other instances (ties
/// count half), the first on ties. Nothing without a share or without other instances.
[[nodiscard]] std::vector<Label> relative_labels(ProblemFindings const& problem, Speaker const& speaker);

/// A method asked of the policy itself or of another.
[[nodiscard]] Speaker speaker_of(ProblemFindings const& problem, Asked asked, Method method);
/// A truth: both halves (mean), or one of them; total variation or flips.
enum class TruthPart { both, first, second };
[[nodiscard]] Speaker truth_of(ProblemFindings const& problem, Intervention truth, TruthPart part = TruthPart::both,
                               bool flips = false);
/// Without the decisions of which the other says nothing: so that two are compared on the same ones.
[[nodiscard]] Speaker where_spoken(Speaker speaker, Speaker const& other);

/// One number per decision: its instance.
[[nodiscard]] std::vector<std::size_t> clusters_of(ProblemFindings const& problem);
[[nodiscard]] BootstrapOptions bootstrap_of(Settings const& settings);

/// Methods in the order in which tables list them.
[[nodiscard]] std::span<Method const> judged_methods();
/// The label that a reader is shown: what is unusual for sensitivity, the largest for all others.
[[nodiscard]] std::vector<Label> shown_labels(ProblemFindings const& problem, Method method, Speaker const& speaker);

/// How often two labellings are the same, where both are there.
struct Sameness {
    std::size_t cases = 0;
    std::optional<double> share;
    std::optional<Difference> kappa; ///< with an interval over instances
};
[[nodiscard]] Sameness sameness(ProblemFindings const& problem, std::vector<Label> const& a,
                                std::vector<Label> const& b, Settings const& settings);
/// The most frequent label and how often it is.
struct Favourite {
    Label label;
    std::size_t named = 0;
    std::size_t cases = 0;
    [[nodiscard]] std::optional<double> share() const;
};
[[nodiscard]] Favourite favourite_of(std::vector<Label> const& labels, std::size_t families);
/// Spearman's correlation of the two sides' shares, mean over families that have one.
[[nodiscard]] std::optional<double> share_correlation(Speaker const& a, Speaker const& b, std::size_t families);

} // namespace cax::study
