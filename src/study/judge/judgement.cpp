#include "judge/judgement.hpp"

#include <algorithm>
#include <set>

namespace cax::study {

std::vector<Signal> const& all_signals() {
    using Filter = Signal::Filter;
    static std::vector<Signal> const signals{
        {"replay", "replay", Filter::instance_certified, "", false},
        {"replay, every flip", "replay", Filter::any_flip, "", false},
        {"replay, prefix certified", "replay", Filter::prefix_certified, "", false},
        {"frozen", "frozen", Filter::instance_certified, "", false},
        {"published", "published", Filter::instance_certified, "", false},
        {"relative units", "relative", Filter::any_flip, "", false},
        {"joint", "joint", Filter::instance_certified, "", false},
        {"joint, relative units", "joint", Filter::instance_certified, "relative-l1", false},
    };
    return signals;
}

Signal const& headline_signal(bool published) {
    static Signal const as_published{.name = "published code",
                                     .variant = "published",
                                     .filter = Signal::Filter::instance_certified,
                                     .masses = "",
                                     .published_sources = true};
    return published ? as_published : all_signals().front();
}

namespace {

bool counts(FlipFinding const& flip, Signal::Filter filter) {
    if (!flip.flip) return false;
    switch (filter) {
    case Signal::Filter::any_flip: return true;
    case Signal::Filter::instance_certified: return flip.instance_verdict == Verdict::certified;
    case Signal::Filter::prefix_certified: return flip.prefix_verdict == Verdict::certified;
    }
    return false;
}

} // namespace

std::vector<Configuration> configurations(bool relative) {
    std::vector<Configuration> all;
    for (char const* norm : {"l1", "l2", "linf"}) {
        for (bool const per_dimension : {false, true}) {
            all.push_back({relative ? std::string("relative-") + norm : std::string(norm), per_dimension});
        }
    }
    return all;
}

FamilyIndex family_under(FlipFinding const& flip, Configuration const& configuration) {
    auto const found = flip.masses.find(configuration.norm);
    if (found == flip.masses.end()) return std::nullopt;
    FamilyIndex best;
    double largest = 0;
    for (std::size_t k = 0; k < found->second.size(); ++k) {
        double const dimension = configuration.per_dimension ? std::max(1.0, flip.dimensions[k]) : 1.0;
        double const mass = found->second[k] / dimension;
        if (mass > largest) {
            largest = mass;
            best = k;
        }
    }
    return best;
}

std::vector<Case> cases_of(ProblemFindings const& problem, Signal const& signal) {
    std::vector<Case> cases;
    for (DecisionFinding const& decision : problem.decisions) {
        auto const flip = decision.flips.find(signal.variant);
        if (flip == decision.flips.end() || !counts(flip->second, signal.filter)) continue;
        FamilyIndex const family =
            signal.masses.empty() ? flip->second.family : family_under(flip->second, {signal.masses, false});
        if (family) cases.push_back({&decision, *family});
    }
    return cases;
}

namespace {

Confusion references_only(ProblemFindings const& problem, std::vector<Case> const& cases) {
    Confusion confusion(problem.families.size());
    for (Case const& each : cases) confusion.add(each.reference, std::nullopt);
    return confusion;
}

std::vector<std::uint8_t> hits(std::vector<Case> const& cases, std::vector<FamilyIndex> const& predicted) {
    std::vector<std::uint8_t> right;
    for (std::size_t i = 0; i < cases.size(); ++i) right.push_back(predicted[i] == cases[i].reference ? 1 : 0);
    return right;
}

} // namespace

std::string source_key(Signal const& signal, std::string const& source) {
    if (!signal.published_sources) return source;
    return (source == "lp" ? "lp-first" : source) + "/published"; // it shares the first instance's duals
}

std::vector<FamilyIndex> predictions(ProblemFindings const& problem, std::vector<Case> const& cases,
                                     Signal const& signal, std::string const& predictor) {
    if (predictor == "majority") {
        std::vector<FamilyIndex> const always(cases.size(), references_only(problem, cases).majority());
        return always;
    }
    std::vector<FamilyIndex> predicted;
    std::string const key = source_key(signal, predictor);
    for (Case const& each : cases) {
        auto const found = each.decision->top.find(key);
        predicted.push_back(found == each.decision->top.end() ? std::nullopt : found->second);
    }
    return predicted;
}

Agreement agreement(ProblemFindings const& problem, Signal const& signal, std::string const& predictor) {
    auto const cases = cases_of(problem, signal);
    auto const predicted = predictions(problem, cases, signal, predictor);
    Agreement result;
    result.cases = cases.size();
    result.confusion = Confusion(problem.families.size());
    for (std::size_t i = 0; i < cases.size(); ++i) result.confusion.add(cases[i].reference, predicted[i]);
    std::vector<double> per_seed;
    for (std::size_t const seed : problem.seeds) {
        std::vector<std::uint8_t> right;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (cases[i].decision->seed == seed) right.push_back(predicted[i] == cases[i].reference ? 1 : 0);
        }
        if (!right.empty()) per_seed.push_back(share_of_ones(right));
    }
    result.pooled = result.confusion.agreement();
    if (!per_seed.empty()) result.mean = mean(per_seed);
    if (per_seed.size() > 1) result.std = sample_std(per_seed);
    return result;
}

std::string name_of(Standing standing) {
    switch (standing) {
    case Standing::no_data: return "no data";
    case Standing::same: return "same";
    case Standing::not_shown: return "not shown";
    case Standing::better: return "better";
    case Standing::worse: return "worse";
    }
    return "";
}

Standing Comparison::standing() const {
    if (cases == 0) return Standing::no_data;
    if (test.b01 + test.b10 == 0) return Standing::same;
    if (instances < 2) return Standing::not_shown;
    if (clusters.low > 0) return Standing::better;
    if (clusters.high < 0) return Standing::worse;
    return Standing::not_shown;
}

Comparison compare(ProblemFindings const& problem, Signal const& signal, std::string const& a, std::string const& b,
                   Settings const& settings) {
    auto const cases = cases_of(problem, signal);
    auto const right_a = hits(cases, predictions(problem, cases, signal, a));
    auto const right_b = hits(cases, predictions(problem, cases, signal, b));
    std::vector<std::size_t> cluster;
    std::size_t most = settings.instances; // one's own may be more
    for (Case const& each : cases) most = std::max(most, each.decision->instance + 1);
    for (Case const& each : cases) cluster.push_back(each.decision->seed * most + each.decision->instance);
    BootstrapOptions const options{
        .resamples = settings.resamples, .confidence = settings.confidence, .seed = settings.seed};
    return {.cases = cases.size(),
            .instances = std::set(cluster.begin(), cluster.end()).size(),
            .pairs = signal.published_sources ? published_bootstrap(right_a, right_b, options)
                                              : paired_bootstrap(right_a, right_b, options),
            .clusters = clustered_bootstrap(right_a, right_b, cluster, options),
            .test = mcnemar(right_a, right_b)};
}

} // namespace cax::study
