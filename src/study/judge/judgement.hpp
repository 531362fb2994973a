#pragma once
// Do attributions agree with counterfactuals? A signal says which counterfactuals count and which family each names; a
// predictor names a family for the same decisions; a comparison says whether one predictor is right more often.
#include "cax/study/names.hpp"
#include "cax/study/settings.hpp"
#include "cax/study/statistics.hpp"
#include "judge/findings.hpp"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cax::study {

/// Readings of the counterfactual, in the order of the tables.
enum class SignalKind {
    replay,
    every_flip,
    prefix_certified,
    frozen,
    published,
    relative_units,
    joint,
    joint_relative,
    guided,
    one_number,
    smallest,       ///< the smallest certified flip of replay, guided and one_number
    published_code, ///< the published search, and predictors as the published code computes them
};
[[nodiscard]] NameTable<SignalKind> names_of(SignalKind);

/// Which counterfactuals, and how their family is read off.
struct Signal {
    SignalKind kind = SignalKind::replay;
    Search search = Search::replay; ///< of `smallest`: the first of several
    enum class Filter { any_flip, instance_certified, prefix_certified } filter = Filter::instance_certified;
    std::optional<MassUnit> masses = {}; ///< the family with the largest of these; nothing: the search's own word
    bool published_sources = false;      ///< predictors as the published code computes them
};
/// All but the published code's.
[[nodiscard]] std::span<Signal const> all_signals();
[[nodiscard]] Signal const& signal_of(SignalKind kind);
/// The one that headline numbers use: the paper's reading, or all that the published code does.
[[nodiscard]] Signal const& headline_signal(bool published = false);

/// A decision whose signal counts.
struct Case {
    DecisionFinding const* decision = nullptr;
    std::size_t reference = 0; ///< family
    double l1 = 0;             ///< of the flip
};
[[nodiscard]] std::vector<Case> cases_of(ProblemFindings const& problem, Signal const& signal);

/// Who names a family without asking the policy. Majority: always the reference's most frequent family, which is known
/// only afterwards. Sampler: what the sampler of counterfactuals names if every shot flips.
enum class Baseline { majority, sampler };
[[nodiscard]] NameTable<Baseline> names_of(Baseline);
/// Who names a family: an attribution, a method that is judged (its largest family), or a baseline.
using Predictor = std::variant<Attributor, Method, Baseline>;
[[nodiscard]] std::string predictor_name(Predictor const& predictor);

/// The attribution that a source stands for, in the reading of a signal.
[[nodiscard]] Attributor attributor_for(Signal const& signal, Attributor attributor);

[[nodiscard]] std::vector<FamilyIndex> predictions(ProblemFindings const& problem, std::vector<Case> const& cases,
                                                   Signal const& signal, Predictor const& predictor);

struct Agreement {
    std::size_t cases = 0;
    std::optional<double> mean; ///< over policies; those without cases do not count
    std::optional<double> std;
    std::optional<double> pooled;
    Confusion confusion{0};
};
[[nodiscard]] Agreement agreement(ProblemFindings const& problem, Signal const& signal, Predictor const& predictor);

/// The decisions of the signal about which the predictor was asked: methods are not asked about all instances.
[[nodiscard]] std::vector<Case> asked_cases(ProblemFindings const& problem, Signal const& signal,
                                            Predictor const& predictor);
/// Share of them in which it names the signal's family, with an interval over instances. Nothing without cases.
[[nodiscard]] std::optional<Difference> clustered_agreement(ProblemFindings const& problem, Signal const& signal,
                                                            Predictor const& predictor, Settings const& settings);
/// Each case's instance, told apart over policies.
[[nodiscard]] std::vector<std::size_t> clusters_of_cases(std::vector<Case> const& cases, Settings const& settings);

/// How a stands against b, by the clustered interval. One instance shows nothing: every resample of it is the same.
enum class Standing {
    no_data,
    same, ///< they never differ
    not_shown,
    better,
    worse,
};
[[nodiscard]] NameTable<Standing> names_of(Standing); ///< "not shown"

/// Is a right more often than b on the same decisions?
struct Comparison {
    std::size_t cases = 0;
    std::size_t instances = 0; ///< that the cases come from
    Difference pairs;
    Difference clusters; ///< whole instances resampled
    McNemar test;
    [[nodiscard]] Standing standing() const;
};
[[nodiscard]] Comparison compare(ProblemFindings const& problem, Signal const& signal, Predictor const& a,
                                 Predictor const& b, Settings const& settings);

/// One of the configurations of the sweep: how the mass of a change is measured.
struct Configuration {
    MassUnit unit = {};
    bool per_dimension = false;
};
/// Three norms, with and without division by the family's dimension; `relative` has them in units of tensors' spread.
[[nodiscard]] std::vector<Configuration> configurations(bool relative);
/// The family that a flip's masses name; nothing without masses.
[[nodiscard]] FamilyIndex family_under(FlipFinding const& flip, Configuration const& configuration);

} // namespace cax::study
