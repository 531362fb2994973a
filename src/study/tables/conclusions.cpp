// What we would conclude: one sentence per question, with its numbers, from the same judgements as the tables.
#include "tables/table_parts.hpp"

#include <fmt/format.h>

namespace cax::study {
namespace {

std::string percent(std::optional<double> share) {
    return share ? fmt::format("{:.0f} %", 100 * *share) : std::string("no data");
}

/// "a: x; b: y", one entry per problem.
template <class Say> std::string per_problem(TableInput const& in, Say&& say) {
    std::vector<std::string> parts;
    for (ProblemFindings const& problem : in.findings.problems) {
        parts.push_back(fmt::format("{} {}", problem.name, say(problem)));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

template <class Test> std::vector<std::string> problems_where(TableInput const& in, Test&& test) {
    std::vector<std::string> names;
    for (ProblemFindings const& problem : in.findings.problems) {
        if (test(problem)) names.push_back(problem.name);
    }
    return names;
}

std::string listed(std::vector<std::string> const& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string comparisons(TableInput const& in, Predictor const& other) {
    auto const with = [&](Standing standing) {
        return problems_where(in, [&](ProblemFindings const& problem) {
            return compare(problem, in.headline, Source::lp, other, in.settings).standing() == standing;
        });
    };
    return fmt::format("better on: {}; worse on: {}; never different on: {}; no difference shown on: {}",
                       listed(with(Standing::better)), listed(with(Standing::worse)), listed(with(Standing::same)),
                       listed(with(Standing::not_shown)));
}

/// How often a source names its favourite family: 100 % is a constant.
std::string favourite(ProblemFindings const& problem, Signal const& signal, Source predictor) {
    Confusion const c = agreement(problem, signal, predictor).confusion;
    std::size_t best = 0;
    for (std::size_t label = 1; label < c.labels(); ++label) {
        if (c.predicted_count(label) > c.predicted_count(best)) best = label;
    }
    if (c.total() == 0) return "no data";
    double const share = static_cast<double>(c.predicted_count(best)) / static_cast<double>(c.total());
    return fmt::format("{} in {}", problem.families[best], percent(share));
}

std::string majority_of(ProblemFindings const& problem, SignalKind kind) {
    Agreement const a = agreement(problem, signal_of(kind), Baseline::majority);
    if (a.cases == 0) return "no data";
    return fmt::format("{} ({})", problem.families[*a.confusion.majority()], percent(a.pooled));
}

std::size_t flips(ProblemFindings const& problem, Search search) {
    std::size_t count = 0;
    for (DecisionFinding const& decision : problem.decisions) {
        auto const found = decision.flips.find(search);
        count += found != decision.flips.end() && found->second.flip ? 1 : 0;
    }
    return count;
}

std::string subset_counts(TableInput const& in, ProblemFindings const& problem) {
    std::size_t accepted = 0;
    std::size_t sure = 0;
    std::size_t certified = 0;
    for (DecisionFinding const& decision : problem.decisions) {
        auto const empirical = decision.subsets.find(SubsetVariant::bonferroni);
        auto const strict = decision.subsets.find(SubsetVariant::certified);
        if (empirical == decision.subsets.end() || strict == decision.subsets.end()) continue;
        accepted += empirical->second.accepted ? 1 : 0;
        bool const reached = empirical->second.lower_bound >= 1 - in.settings.subset.epsilon;
        sure += empirical->second.accepted && reached ? 1 : 0;
        certified += strict->second.accepted ? 1 : 0;
    }
    return fmt::format("{} accepted, {} of them with the bound; {} when the bound is asked for", accepted, sure,
                       certified);
}

std::string dual_counts(ProblemFindings const& problem) {
    std::size_t all = 0;
    std::size_t unique = 0;
    for (DecisionFinding const& decision : problem.decisions) {
        all += decision.dual ? 1 : 0;
        unique += decision.dual == TopFamily::unique ? 1 : 0;
    }
    return fmt::format("{} of {}", unique, all);
}

} // namespace

std::vector<std::string> conclusions(TableInput const& in) {
    return {
        regimes_paragraph(in),
        searches_paragraph(in),
        "lp against proxy: " + comparisons(in, Source::proxy) + ".",
        "lp against always naming the majority family: " + comparisons(in, Baseline::majority) +
            ". What a backend has to beat is this one, not chance.",
        "lp against what the sampler names if every shot flips, which asks no policy: " +
            comparisons(in, Baseline::sampler) + ".",
        "Constant predictors: lp names " +
            per_problem(in, [&](auto const& p) { return favourite(p, in.headline, Source::lp); }) + "; proxy names " +
            per_problem(in, [&](auto const& p) { return favourite(p, in.headline, Source::proxy); }) +
            ". A backend near 100 % says little about single decisions, whatever its agreement.",
        "Units: the signal's most frequent family in raw units: " +
            per_problem(in, [](auto const& p) { return majority_of(p, SignalKind::replay); }) +
            "; with every tensor measured by its spread: " +
            per_problem(in, [](auto const& p) { return majority_of(p, SignalKind::relative_units); }) +
            "; with joint changes: " +
            per_problem(in, [](auto const& p) { return majority_of(p, SignalKind::joint); }) +
            ". Where these differ, the signal is a property of units and sampler as much as of the policy.",
        "Degenerate duals: decisions whose top family survives every optimal dual: " + per_problem(in, dual_counts) +
            ".",
        "Acceptance rule of sufficient subsets: " +
            per_problem(in, [&](auto const& p) { return subset_counts(in, p); }) +
            ". An observed rate of 1 - epsilon is not a probability of 1 - epsilon.",
        "Envelope and derived features: flips under the paper's envelope and under the published code's: " +
            per_problem(in,
                        [](auto const& p) {
                            return fmt::format("{} and {}", flips(p, Search::replay), flips(p, Search::envelope));
                        }) +
            ".",
    };
}

} // namespace cax::study
