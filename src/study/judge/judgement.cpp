#include "judge/judgement.hpp"

#include <algorithm>
#include <set>

namespace cax::study {

NameTable<SignalKind> names_of(SignalKind) {
    static constexpr Named<SignalKind> names[] = {{SignalKind::replay, "replay"},
                                                  {SignalKind::every_flip, "replay, every flip"},
                                                  {SignalKind::prefix_certified, "replay, prefix certified"},
                                                  {SignalKind::frozen, "frozen"},
                                                  {SignalKind::published, "published"},
                                                  {SignalKind::relative_units, "relative units"},
                                                  {SignalKind::joint, "joint"},
                                                  {SignalKind::joint_relative, "joint, relative units"},
                                                  {SignalKind::published_code, "published code"}};
    return names;
}

NameTable<Baseline> names_of(Baseline) {
    static constexpr Named<Baseline> names[] = {{Baseline::majority, "majority"}};
    return names;
}

std::span<Signal const> all_signals() {
    using enum Signal::Filter;
    static std::vector<Signal> const signals{
        {SignalKind::replay, Search::replay, instance_certified},
        {SignalKind::every_flip, Search::replay, any_flip},
        {SignalKind::prefix_certified, Search::replay, prefix_certified},
        {SignalKind::frozen, Search::frozen, instance_certified},
        {SignalKind::published, Search::published, instance_certified},
        {SignalKind::relative_units, Search::relative, any_flip},
        {SignalKind::joint, Search::joint, instance_certified},
        {SignalKind::joint_relative, Search::joint, instance_certified, MassUnit{Norm::l1, true}},
    };
    return signals;
}

Signal const& signal_of(SignalKind kind) {
    static Signal const as_published{.kind = SignalKind::published_code,
                                     .search = Search::published,
                                     .filter = Signal::Filter::instance_certified,
                                     .masses = {},
                                     .published_sources = true};
    if (kind == SignalKind::published_code) return as_published;
    return *std::ranges::find(all_signals(), kind, &Signal::kind);
}

Signal const& headline_signal(bool published) {
    return signal_of(published ? SignalKind::published_code : SignalKind::replay);
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
    for (Norm const norm : {Norm::l1, Norm::l2, Norm::linf}) {
        for (bool const per_dimension : {false, true}) all.push_back({{norm, relative}, per_dimension});
    }
    return all;
}

FamilyIndex family_under(FlipFinding const& flip, Configuration const& configuration) {
    auto const found = flip.masses.find(configuration.unit);
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
        auto const flip = decision.flips.find(signal.search);
        if (flip == decision.flips.end() || !counts(flip->second, signal.filter)) continue;
        FamilyIndex const family =
            signal.masses ? family_under(flip->second, {*signal.masses, false}) : flip->second.family;
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

std::string predictor_name(Predictor const& predictor) {
    auto const* const attributor = std::get_if<Attributor>(&predictor);
    return attributor != nullptr ? attributor_name(*attributor) : std::string(name_of(std::get<Baseline>(predictor)));
}

Attributor attributor_for(Signal const& signal, Attributor attributor) {
    if (!signal.published_sources) return attributor;
    // The published code shares the first instance's duals.
    return {attributor.source == Source::lp ? Source::lp_first : attributor.source, MassReading::published};
}

std::vector<FamilyIndex> predictions(ProblemFindings const& problem, std::vector<Case> const& cases,
                                     Signal const& signal, Predictor const& predictor) {
    auto const* const attributor = std::get_if<Attributor>(&predictor);
    if (attributor == nullptr) {
        return std::vector<FamilyIndex>(cases.size(), references_only(problem, cases).majority());
    }
    std::vector<FamilyIndex> predicted;
    Attributor const asked = attributor_for(signal, *attributor);
    for (Case const& each : cases) {
        auto const found = each.decision->top.find(asked);
        predicted.push_back(found == each.decision->top.end() ? std::nullopt : found->second);
    }
    return predicted;
}

Agreement agreement(ProblemFindings const& problem, Signal const& signal, Predictor const& predictor) {
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

NameTable<Standing> names_of(Standing) {
    static constexpr Named<Standing> names[] = {{Standing::no_data, "no data"},
                                                {Standing::same, "same"},
                                                {Standing::not_shown, "not shown"},
                                                {Standing::better, "better"},
                                                {Standing::worse, "worse"}};
    return names;
}

Standing Comparison::standing() const {
    if (cases == 0) return Standing::no_data;
    if (test.b01 + test.b10 == 0) return Standing::same;
    if (instances < 2) return Standing::not_shown;
    if (clusters.low > 0) return Standing::better;
    if (clusters.high < 0) return Standing::worse;
    return Standing::not_shown;
}

Comparison compare(ProblemFindings const& problem, Signal const& signal, Predictor const& a, Predictor const& b,
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
