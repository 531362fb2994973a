// The regime map: do duals help where the family with the largest tensors is not the one that binds?
#include "judge/labels.hpp"
#include "tables/table_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {
namespace {

/// How tensor sizes and multipliers of the families go together, over instances.
struct Alignment {
    std::size_t instances = 0;
    FamilyIndex largest;           ///< family with most entries
    FamilyIndex binding;           ///< family with the largest multiplier most often
    std::optional<double> aligned; ///< share of instances in which they are the same
    std::optional<double> ranks;   ///< rank correlation of entries and multipliers, mean over instances
};

std::size_t place_of_largest(std::vector<double> const& values) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

Alignment alignment_of(ProblemFindings const& problem) {
    std::vector<Label> largest;
    std::vector<Label> binding;
    std::vector<double> ranks;
    double same = 0;
    for (InstanceFinding const& instance : problem.instances) {
        bool const known = !instance.lambda.empty() && !instance.entries.empty() &&
                           std::ranges::any_of(instance.lambda, [](double lambda) { return lambda > 0; });
        if (!known) continue;
        largest.emplace_back(place_of_largest(instance.entries));
        binding.emplace_back(place_of_largest(instance.lambda));
        same += largest.back() == binding.back() ? 1 : 0;
        if (auto const rho = rank_correlation(instance.entries, instance.lambda)) ranks.push_back(*rho);
    }
    Alignment result{.instances = largest.size(), .largest = {}, .binding = {}, .aligned = {}, .ranks = {}};
    if (largest.empty()) return result;
    result.largest = favourite_of(largest, problem.families.size()).label;
    result.binding = favourite_of(binding, problem.families.size()).label;
    result.aligned = same / static_cast<double>(largest.size());
    if (!ranks.empty()) result.ranks = mean(ranks);
    return result;
}

/// The paper's prediction for these instances.
bool duals_should_help(Alignment const& alignment) { return alignment.aligned && *alignment.aligned < 0.5; }

/// Does the prediction hold?
enum class Prediction { yes, no, not_shown, no_data, one_family };
NameTable<Prediction> names_of(Prediction) {
    static constexpr Named<Prediction> names[] = {{Prediction::yes, "yes"},
                                                  {Prediction::no, "no"},
                                                  {Prediction::not_shown, "not shown"},
                                                  {Prediction::no_data, "no data"},
                                                  {Prediction::one_family, "one family"}};
    return names;
}

Prediction prediction_for(ProblemFindings const& problem, Alignment const& alignment, Standing standing) {
    if (problem.families.size() < 2) return Prediction::one_family;
    if (!alignment.aligned || standing == Standing::no_data) return Prediction::no_data;
    bool const differ = standing == Standing::better || standing == Standing::worse;
    if (!duals_should_help(alignment)) return differ ? Prediction::no : Prediction::yes;
    if (standing == Standing::better) return Prediction::yes;
    return standing == Standing::not_shown ? Prediction::not_shown : Prediction::no;
}

std::optional<Difference> relative_kappa(ProblemFindings const& problem, Method method, Settings const& settings) {
    Speaker const own = speaker_of(problem, Asked::own, method);
    Speaker const truth = where_spoken(truth_of(problem, Intervention::noise), own);
    return sameness(problem, relative_labels(problem, own), relative_labels(problem, truth), settings).kappa;
}

} // namespace

Table regimes_table(TableInput const& in) {
    Table table{.name = "regimes",
                .title = "The regime map: do duals help where tensor sizes and the binding family disagree?",
                .columns = {"problem",
                            "policies",
                            "families",
                            "largest tensors",
                            "LP binds",
                            "aligned",
                            "rank correlation",
                            "prediction",
                            "decisions",
                            "lp",
                            "proxy",
                            "majority",
                            "sampler if all flip",
                            "lp - proxy",
                            "low (instances)",
                            "high (instances)",
                            "lp - majority",
                            "majority low",
                            "majority high",
                            "prediction holds?",
                            "kappa lp",
                            "kappa proxy",
                            "kappa swap",
                            "kappa sensitivity"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        Alignment const alignment = alignment_of(problem);
        Comparison const proxy = compare(problem, in.headline, Source::lp, Source::proxy, in.settings);
        Comparison const majority = compare(problem, in.headline, Source::lp, Baseline::majority, in.settings);
        auto const number = [&](double value) { return proxy.cases == 0 ? Value() : Value(value); };
        std::vector<Value> row{problem.name,
                               count_value(problem.seeds.size()),
                               count_value(problem.families.size()),
                               family_value(problem, alignment.largest),
                               family_value(problem, alignment.binding),
                               value_of(alignment.aligned),
                               value_of(alignment.ranks),
                               problem.families.size() < 2 || !alignment.aligned
                                   ? std::string()
                                   : std::string(duals_should_help(alignment) ? "lp helps" : "no difference"),
                               count_value(proxy.cases)};
        for (Predictor const& predictor : {Predictor(Source::lp), Predictor(Source::proxy),
                                           Predictor(Baseline::majority), Predictor(Baseline::sampler)}) {
            row.push_back(value_of(agreement(problem, in.headline, predictor).pooled));
        }
        row.insert(row.end(),
                   {number(proxy.clusters.point), number(proxy.clusters.low), number(proxy.clusters.high),
                    number(majority.clusters.point), number(majority.clusters.low), number(majority.clusters.high),
                    name_value(prediction_for(problem, alignment, proxy.standing()))});
        for (Method const method : {Method::lp, Method::proxy, Method::swap, Method::sensitivity}) {
            auto const kappa = relative_kappa(problem, method, in.settings);
            row.push_back(kappa ? Value(kappa->point) : Value());
        }
        table.rows.push_back(std::move(row));
    }
    table.notes = {"Largest tensors: the family with most entries; LP binds: the family with the largest multiplier of "
                   "the linear relaxation, both most often over instances; aligned: share of instances in which they "
                   "are the same; rank correlation over families, mean over instances. The paper predicts that lp "
                   "beats proxy where they disagree and differs nowhere else.",
                   "Agreement is that with the counterfactual signal; kappas are those of relative labels with the "
                   "noise truth, the question that a majority cannot answer."};
    return table;
}

std::string regimes_paragraph(TableInput const& in) {
    std::vector<std::string> held;
    std::vector<std::string> failed;
    std::vector<std::string> open;
    std::vector<std::string> over_majority;
    for (ProblemFindings const& problem : in.findings.problems) {
        if (problem.families.size() < 2) continue;
        Alignment const alignment = alignment_of(problem);
        Standing const standing = compare(problem, in.headline, Source::lp, Source::proxy, in.settings).standing();
        Prediction const fate = prediction_for(problem, alignment, standing);
        std::string const words = fmt::format(
            "{} ({}, lp {})", problem.name,
            !alignment.aligned             ? "unknown"
            : duals_should_help(alignment) ? "misaligned"
                                           : "aligned",
            standing == Standing::better || standing == Standing::worse ? name_of(standing) : "no different");
        (fate == Prediction::yes ? held : fate == Prediction::no ? failed : open).push_back(words);
        bool const more =
            compare(problem, in.headline, Source::lp, Baseline::majority, in.settings).standing() == Standing::better;
        if (more) over_majority.push_back(problem.name);
    }
    auto const listed = [](std::vector<std::string> const& names) {
        return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
    };
    return fmt::format("Regime map (\"duals help when ranks and binding family disagree\"): holds on: {}; fails on: "
                       "{}; not shown or no data on: {}. lp beats always naming the majority family on: {}. Where lp "
                       "beats proxy and not the majority, what helps is that a constant met a nearly constant signal.",
                       listed(held), listed(failed), listed(open), listed(over_majority));
}

} // namespace cax::study
