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
                                                  {SignalKind::guided, "guided search"},
                                                  {SignalKind::one_number, "one number"},
                                                  {SignalKind::smallest, "smallest found"},
                                                  {SignalKind::published_code, "published code"}};
    return names;
}

NameTable<Baseline> names_of(Baseline) {
    static constexpr Named<Baseline> names[] = {{Baseline::majority, "majority"},
                                                {Baseline::sampler, "sampler if all flip"}};
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
        {SignalKind::guided, Search::guided, instance_certified},
        {SignalKind::one_number, Search::one_number, instance_certified},
        {SignalKind::smallest, Search::replay, instance_certified},
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

namespace {

std::span<Search const> searches_of(Signal const& signal) {
    static constexpr Search all[] = {Search::replay, Search::guided, Search::one_number};
    if (signal.kind == SignalKind::smallest) return all;
    return {&signal.search, 1};
}

/// The smallest flip that counts; null without one.
FlipFinding const* counted_flip(DecisionFinding const& decision, Signal const& signal) {
    FlipFinding const* smallest = nullptr;
    for (Search const search : searches_of(signal)) {
        auto const found = decision.flips.find(search);
        if (found == decision.flips.end() || !counts(found->second, signal.filter)) continue;
        if (smallest == nullptr || found->second.l1 < smallest->l1) smallest = &found->second;
    }
    return smallest;
}

} // namespace

std::vector<Case> cases_of(ProblemFindings const& problem, Signal const& signal) {
    std::vector<Case> cases;
    for (DecisionFinding const& decision : problem.decisions) {
        FlipFinding const* const flip = counted_flip(decision, signal);
        if (flip == nullptr) continue;
        FamilyIndex const family = signal.masses ? family_under(*flip, {*signal.masses, false}) : flip->family;
        if (family) cases.push_back({&decision, *family, flip->l1});
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
    struct NameOf {
        std::string operator()(Attributor attributor) const { return attributor_name(attributor); }
        std::string operator()(Method method) const { return std::string(name_of(method)); }
        std::string operator()(Baseline baseline) const { return std::string(name_of(baseline)); }
    };
    return std::visit(NameOf(), predictor);
}

Attributor attributor_for(Signal const& signal, Attributor attributor) {
    if (!signal.published_sources) return attributor;
    // The published code shares the first instance's duals.
    return {attributor.source == Source::lp ? Source::lp_first : attributor.source, MassReading::published};
}

namespace {

SamplerReading sampler_reading_of(Signal const& signal) {
    if (signal.search == Search::relative) return SamplerReading::one_tensor_relative;
    if (signal.search != Search::joint) return SamplerReading::one_tensor;
    return signal.masses && signal.masses->relative ? SamplerReading::joint_relative : SamplerReading::joint;
}

/// What a predictor names in the cases of a signal.
class Naming {
public:
    Naming(ProblemFindings const& problem, std::vector<Case> const& cases, Signal const& signal)
        : problem_(problem), cases_(cases), signal_(signal) {}

    std::vector<FamilyIndex> operator()(Attributor attributor) const {
        Attributor const asked = attributor_for(signal_, attributor);
        return in_each([&](DecisionFinding const& decision) { return value_in(decision.top, asked); });
    }
    std::vector<FamilyIndex> operator()(Method method) const {
        return in_each([&](DecisionFinding const& decision) -> FamilyIndex {
            auto const own = decision.sayings.find(Asked::own);
            if (own == decision.sayings.end()) return std::nullopt;
            auto const scores = own->second.find(method);
            if (scores == own->second.end()) return std::nullopt;
            auto const largest = std::ranges::max_element(scores->second);
            bool const says = std::ranges::any_of(scores->second, [](double score) { return score != 0; });
            return says ? FamilyIndex(static_cast<std::size_t>(largest - scores->second.begin())) : std::nullopt;
        });
    }
    std::vector<FamilyIndex> operator()(Baseline baseline) const {
        if (baseline == Baseline::majority) {
            return std::vector<FamilyIndex>(cases_.size(), references_only(problem_, cases_).majority());
        }
        SamplerReading const reading = sampler_reading_of(signal_);
        return in_each([&](DecisionFinding const& decision) { return value_in(decision.sampler, reading); });
    }

private:
    template <class Key> static FamilyIndex value_in(std::map<Key, FamilyIndex> const& map, Key const& key) {
        auto const found = map.find(key);
        return found == map.end() ? std::nullopt : found->second;
    }
    template <class Name> std::vector<FamilyIndex> in_each(Name const& name) const {
        std::vector<FamilyIndex> named;
        for (Case const& each : cases_) named.push_back(name(*each.decision));
        return named;
    }

    ProblemFindings const& problem_;
    std::vector<Case> const& cases_;
    Signal const& signal_;
};

} // namespace

std::vector<FamilyIndex> predictions(ProblemFindings const& problem, std::vector<Case> const& cases,
                                     Signal const& signal, Predictor const& predictor) {
    return std::visit(Naming(problem, cases, signal), predictor);
}

std::vector<Case> asked_cases(ProblemFindings const& problem, Signal const& signal, Predictor const& predictor) {
    auto cases = cases_of(problem, signal);
    if (!std::holds_alternative<Method>(predictor)) return cases;
    std::erase_if(cases, [&](Case const& each) { return !each.decision->sayings.contains(Asked::own); });
    return cases;
}

std::vector<std::size_t> clusters_of_cases(std::vector<Case> const& cases, Settings const& settings) {
    std::size_t most = settings.instances; // one's own may be more
    for (Case const& each : cases) most = std::max(most, each.decision->instance + 1);
    std::vector<std::size_t> clusters;
    for (Case const& each : cases) clusters.push_back(each.decision->seed * most + each.decision->instance);
    return clusters;
}

std::optional<Difference> clustered_agreement(ProblemFindings const& problem, Signal const& signal,
                                              Predictor const& predictor, Settings const& settings) {
    auto const cases = asked_cases(problem, signal, predictor);
    if (cases.empty()) return std::nullopt;
    auto const right = hits(cases, predictions(problem, cases, signal, predictor));
    std::vector<double> const shares(right.begin(), right.end());
    return clustered_mean(shares, clusters_of_cases(cases, settings),
                          {.resamples = settings.resamples, .confidence = settings.confidence, .seed = settings.seed});
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
    auto const cluster = clusters_of_cases(cases, settings);
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
