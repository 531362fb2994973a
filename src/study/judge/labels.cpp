#include "judge/labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax::study {

std::vector<Label> Speaker::tops() const {
    std::vector<Label> labels;
    for (Spoken const& each : scores) {
        bool const said = each && std::ranges::any_of(*each, [](double score) { return score != 0; });
        labels.push_back(said ? Label(static_cast<std::size_t>(std::ranges::max_element(*each) - each->begin()))
                              : std::nullopt);
    }
    return labels;
}

std::vector<Spoken> Speaker::shares() const {
    std::vector<Spoken> shares;
    for (Spoken const& each : scores) {
        double total = 0;
        for (std::size_t k = 0; each && k < each->size(); ++k) total += std::fabs((*each)[k]);
        Spoken& own = shares.emplace_back();
        if (!(total > 0)) continue;
        own.emplace();
        for (double const score : *each) own->push_back(std::fabs(score) / total);
    }
    return shares;
}

std::vector<Label> relative_labels(ProblemFindings const& problem, Speaker const& speaker) {
    auto const shares = speaker.shares();
    auto const& decisions = problem.decisions;
    std::vector<Label> labels(decisions.size());
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        if (!shares[i]) continue;
        std::vector<double> below(shares[i]->size());
        std::size_t others = 0;
        for (std::size_t j = 0; j < decisions.size(); ++j) {
            bool const usual =
                shares[j] && decisions[j].seed == decisions[i].seed && decisions[j].instance != decisions[i].instance;
            if (!usual) continue;
            ++others;
            for (std::size_t k = 0; k < below.size(); ++k) {
                double const own = (*shares[i])[k];
                double const other = (*shares[j])[k];
                below[k] += other < own ? 1 : other == own ? 0.5 : 0;
            }
        }
        if (others == 0) continue;
        labels[i] = static_cast<std::size_t>(std::ranges::max_element(below) - below.begin());
    }
    return labels;
}

Speaker speaker_of(ProblemFindings const& problem, Asked asked, Method method) {
    Speaker speaker;
    for (DecisionFinding const& decision : problem.decisions) {
        Spoken& own = speaker.scores.emplace_back();
        auto const whom = decision.sayings.find(asked);
        if (whom == decision.sayings.end()) continue;
        auto const found = whom->second.find(method);
        if (found != whom->second.end()) own = found->second;
    }
    return speaker;
}

Speaker truth_of(ProblemFindings const& problem, Intervention truth, TruthPart part, bool flips) {
    Speaker speaker;
    for (DecisionFinding const& decision : problem.decisions) {
        Spoken& own = speaker.scores.emplace_back();
        auto const found = decision.truths.find(truth);
        if (found == decision.truths.end()) continue;
        own.emplace(problem.families.size());
        for (std::size_t h = 0; h < found->second.size(); ++h) {
            if (part == TruthPart::first && h != 0) continue;
            if (part == TruthPart::second && h != 1) continue;
            TruthHalf const& half = found->second[h];
            for (std::size_t k = 0; k < own->size(); ++k) (*own)[k] += flips ? half.flip[k] : half.score[k];
        }
    }
    return speaker;
}

Speaker where_spoken(Speaker speaker, Speaker const& other) {
    for (std::size_t i = 0; i < speaker.scores.size(); ++i) {
        if (!other.scores[i]) speaker.scores[i].reset();
    }
    return speaker;
}

std::vector<std::size_t> clusters_of(ProblemFindings const& problem) {
    std::vector<std::size_t> clusters;
    std::size_t most = 0;
    for (DecisionFinding const& decision : problem.decisions) most = std::max(most, decision.instance + 1);
    for (DecisionFinding const& decision : problem.decisions) {
        clusters.push_back(decision.seed * most + decision.instance);
    }
    return clusters;
}

BootstrapOptions bootstrap_of(Settings const& settings) {
    return {.resamples = settings.resamples, .confidence = settings.confidence, .seed = settings.seed};
}

std::span<Method const> judged_methods() {
    static constexpr Method methods[] = {Method::proxy,     Method::lp,   Method::integrated,
                                         Method::occlusion, Method::swap, Method::sensitivity};
    return methods;
}

std::vector<Label> shown_labels(ProblemFindings const& problem, Method method, Speaker const& speaker) {
    bool const unusual = method == Method::sensitivity || method == Method::sensitivity_again;
    return unusual ? relative_labels(problem, speaker) : speaker.tops();
}

Sameness sameness(ProblemFindings const& problem, std::vector<Label> const& a, std::vector<Label> const& b,
                  Settings const& settings) {
    Sameness result;
    std::size_t same = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i] || !b[i]) continue;
        ++result.cases;
        same += a[i] == b[i] ? 1 : 0;
    }
    if (result.cases > 0) result.share = static_cast<double>(same) / static_cast<double>(result.cases);
    result.kappa = clustered_kappa(a, b, problem.families.size(), clusters_of(problem), bootstrap_of(settings));
    return result;
}

std::optional<double> Favourite::share() const {
    if (cases == 0) return std::nullopt;
    return static_cast<double>(named) / static_cast<double>(cases);
}

Favourite favourite_of(std::vector<Label> const& labels, std::size_t families) {
    std::vector<std::size_t> counts(families);
    Favourite favourite;
    for (Label const& label : labels) {
        if (!label) continue;
        ++favourite.cases;
        ++counts[*label];
    }
    if (favourite.cases == 0) return favourite;
    favourite.label = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    favourite.named = counts[*favourite.label];
    return favourite;
}

std::optional<double> share_correlation(Speaker const& a, Speaker const& b, std::size_t families) {
    auto const mine = a.shares();
    auto const theirs = b.shares();
    std::vector<double> found;
    for (std::size_t k = 0; k < families; ++k) {
        std::vector<double> x;
        std::vector<double> y;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            if (!mine[i] || !theirs[i]) continue;
            x.push_back((*mine[i])[k]);
            y.push_back((*theirs[i])[k]);
        }
        if (auto const rho = rank_correlation(x, y)) found.push_back(*rho);
    }
    if (found.empty()) return std::nullopt;
    return mean(found);
}

} // namespace cax::study
