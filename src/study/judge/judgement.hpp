#pragma once
// Do attributions agree with counterfactuals? A signal says which counterfactuals count and which family each names; a
// predictor names a family for the same decisions; a comparison says whether one predictor is right more often.
#include "cax/study/settings.hpp"
#include "cax/study/statistics.hpp"
#include "judge/findings.hpp"

#include <string>
#include <vector>

namespace cax::study {

/// Which counterfactuals, and how their family is read off.
struct Signal {
    std::string name;    ///< for people
    std::string variant; ///< of the search
    enum class Filter { any_flip, instance_certified, prefix_certified } filter = Filter::instance_certified;
    std::string masses = {};        ///< the family with the largest of these masses; empty = the search's own word
    bool published_sources = false; ///< predictors as the published code computes them
};
[[nodiscard]] std::vector<Signal> const& all_signals();
/// The one that headline numbers use: the paper's reading, or all that the published code does.
[[nodiscard]] Signal const& headline_signal(bool published = false);

/// A decision whose signal counts.
struct Case {
    DecisionFinding const* decision = nullptr;
    std::size_t reference = 0; ///< family
};
[[nodiscard]] std::vector<Case> cases_of(ProblemFindings const& problem, Signal const& signal);

/// The name under which decisions have what a source says, in the reading that a signal stands for.
[[nodiscard]] std::string source_key(Signal const& signal, std::string const& source);

/// Predictors: a source of attributions, or "majority" (always the reference's most frequent family).
[[nodiscard]] std::vector<FamilyIndex> predictions(ProblemFindings const& problem, std::vector<Case> const& cases,
                                                   Signal const& signal, std::string const& predictor);

struct Agreement {
    std::size_t cases = 0;
    std::optional<double> mean; ///< over policies; those without cases do not count
    std::optional<double> std;
    std::optional<double> pooled;
    Confusion confusion{0};
};
[[nodiscard]] Agreement agreement(ProblemFindings const& problem, Signal const& signal, std::string const& predictor);

/// How a stands against b, by the clustered interval. One instance shows nothing: every resample of it is the same.
enum class Standing {
    no_data,
    same, ///< they never differ
    not_shown,
    better,
    worse,
};
[[nodiscard]] std::string name_of(Standing standing); ///< "not shown"

/// Is a right more often than b on the same decisions?
struct Comparison {
    std::size_t cases = 0;
    std::size_t instances = 0; ///< that the cases come from
    Difference pairs;
    Difference clusters; ///< whole instances resampled
    McNemar test;
    [[nodiscard]] Standing standing() const;
};
[[nodiscard]] Comparison compare(ProblemFindings const& problem, Signal const& signal, std::string const& a,
                                 std::string const& b, Settings const& settings);

/// One of the configurations of the sweep: how the mass of a change is measured.
struct Configuration {
    std::string norm; ///< key of FlipFinding::masses
    bool per_dimension = false;
};
/// Three norms, with and without division by the family's dimension; `relative` has them in units of tensors' spread.
[[nodiscard]] std::vector<Configuration> configurations(bool relative);
/// The family that a flip's masses name; nothing without masses.
[[nodiscard]] FamilyIndex family_under(FlipFinding const& flip, Configuration const& configuration);

} // namespace cax::study
