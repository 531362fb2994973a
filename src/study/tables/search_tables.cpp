// The paper's signal is the smallest certified change that flips a decision. How small it is depends on who looks for
// it: these tables put the sampler of algorithm 1 beside two searches that find smaller changes.
#include "tables/table_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {
namespace {

std::vector<SignalKind> searched_signals(Signal const& headline) {
    return {headline.kind, SignalKind::guided, SignalKind::one_number, SignalKind::smallest};
}

std::string search_words(SignalKind kind) {
    bool const sampler = kind == SignalKind::replay || kind == SignalKind::published_code;
    return sampler ? "sampler (algorithm 1)" : std::string(name_of(kind));
}

std::span<Predictor const> everybody() {
    static std::vector<Predictor> const predictors{
        Source::proxy,     Source::lp,   Source::subgrad,     Source::lagrangian, Method::integrated,
        Method::occlusion, Method::swap, Method::sensitivity, Baseline::majority, Baseline::sampler};
    return predictors;
}

} // namespace

std::optional<double> median_l1(std::vector<Case> const& cases) {
    std::vector<double> sizes;
    for (Case const& each : cases) sizes.push_back(each.l1);
    return median(std::move(sizes));
}

Table searches_table(TableInput const& in) {
    Table table{.name = "searches",
                .title = "Does the headline survive when smaller changes are found?",
                .columns = {"problem", "search", "decisions", "median L1", "majority family", "majority share", "proxy",
                            "lp", "sampler if all flip", "lp - proxy", "low (instances)", "high (instances)",
                            "lp over proxy"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (SignalKind const kind : searched_signals(in.headline)) {
            Signal const& signal = signal_of(kind);
            auto const cases = cases_of(problem, signal);
            Agreement const majority = agreement(problem, signal, Baseline::majority);
            Comparison const c = compare(problem, signal, Source::lp, Source::proxy, in.settings);
            auto const number = [&](double value) { return c.cases == 0 ? Value() : Value(value); };
            table.rows.push_back({problem.name, search_words(kind), count_value(cases.size()),
                                  value_of(median_l1(cases)), family_value(problem, majority.confusion.majority()),
                                  value_of(majority.pooled), value_of(agreement(problem, signal, Source::proxy).pooled),
                                  value_of(agreement(problem, signal, Source::lp).pooled),
                                  value_of(agreement(problem, signal, Baseline::sampler).pooled),
                                  number(c.clusters.point), number(c.clusters.low), number(c.clusters.high),
                                  name_value(c.standing())});
        }
    }
    table.notes = {
        "Equation 4 asks for the smallest certified change. The sampler moves every entry of one tensor and keeps the "
        "smallest shot that flips; the guided search follows the policy's gradients; one number tries every number "
        "alone, without gradients; smallest found is the smallest certified flip of the three.",
        "The guided search and proxy share gradients, so that they may agree for that reason. One number is the "
        "control: what it shows, gradients have no part in. It is the smallest change of one number up to the last "
        "step of its bisection, if moving a number further keeps a flip.",
        "Certified flips only; searches find flips of different decisions, and one number may be asked of fewer "
        "instances (settings: one_number.instances). L1 is in the tensors' own units."};
    return table;
}

Table search_agreement_table(TableInput const& in) {
    Table table{.name = "search_agreement",
                .title = "Agreement of every method with the flips of every search",
                .columns = {"problem", "search", "method", "decisions", "median L1", "agreement", "low (instances)",
                            "high (instances)"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (SignalKind const kind : searched_signals(in.headline)) {
            Signal const& signal = signal_of(kind);
            for (Predictor const& predictor : everybody()) {
                auto const cases = asked_cases(problem, signal, predictor);
                auto const share = clustered_agreement(problem, signal, predictor, in.settings);
                table.rows.push_back({problem.name, search_words(kind), predictor_name(predictor),
                                      count_value(cases.size()), value_of(median_l1(cases)),
                                      share ? Value(share->point) : Value(), share ? Value(share->low) : Value(),
                                      share ? Value(share->high) : Value()});
            }
        }
    }
    table.notes = {"Integrated, occlusion, swap and sensitivity are asked about fewer instances (judge.instances). "
                   "Intervals: bootstrap over whole instances."};
    return table;
}

namespace {

std::string difference_words(TableInput const& in, ProblemFindings const& problem, SignalKind kind) {
    Comparison const c = compare(problem, signal_of(kind), Source::lp, Source::proxy, in.settings);
    if (c.cases == 0) return "no certified flips";
    return fmt::format("{:+.2f} [{:+.2f}, {:+.2f}] at a median L1 of {:.3g}", c.clusters.point, c.clusters.low,
                       c.clusters.high, median_l1(cases_of(problem, signal_of(kind))).value_or(0));
}

} // namespace

std::string searches_paragraph(TableInput const& in) {
    std::vector<std::string> parts;
    std::vector<std::string> turned;
    std::vector<std::string> kept;
    for (ProblemFindings const& problem : in.findings.problems) {
        auto const standing = [&](SignalKind kind) {
            return compare(problem, signal_of(kind), Source::lp, Source::proxy, in.settings).standing();
        };
        parts.push_back(fmt::format(
            "{}: sampler {}, guided {}, one number {}", problem.name, difference_words(in, problem, in.headline.kind),
            difference_words(in, problem, SignalKind::guided), difference_words(in, problem, SignalKind::one_number)));
        if (standing(in.headline.kind) != Standing::better) continue;
        Standing const smallest = standing(SignalKind::smallest);
        if (smallest == Standing::better) kept.push_back(problem.name);
        if (smallest == Standing::worse) turned.push_back(problem.name);
    }
    auto const names = [](std::vector<std::string> const& list) {
        return list.empty() ? std::string("none") : fmt::format("{}", fmt::join(list, ", "));
    };
    return fmt::format("How well equation 4 is solved, lp - proxy. {}. Where lp beats proxy under the sampler, the "
                       "smallest change found turns this round on: {}; it stays on: {}. A difference that turns with "
                       "the search says that the paper's signal depends on the sampler, and not on the policy alone.",
                       fmt::join(parts, "; "), names(turned), names(kept));
}

} // namespace cax::study
