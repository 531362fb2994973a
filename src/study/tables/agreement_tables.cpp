// Tables on whether attributions agree with counterfactuals.
#include "tables/table_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace cax::study {
namespace {

std::string signal_note(TableInput const& in) {
    return fmt::format(
        "Signal: the family that carries the smallest flipping change ({}, instance certified). A decision for "
        "which a source names no family counts as a miss.",
        name_of(in.headline.kind));
}

void append(std::vector<std::string>& notes, std::vector<std::string> more) {
    notes.insert(notes.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::span<Predictor const> listed_predictors() {
    static std::vector<Predictor> const predictors{Source::proxy,      Source::lp,       Source::subgrad,
                                                   Source::lagrangian, Source::lp_share, Source::lp_least,
                                                   Baseline::majority, Baseline::sampler};
    return predictors;
}

/// Whom the table of differences compares.
struct Pair {
    Predictor a;
    Predictor b;
};
std::span<Pair const> compared_pairs() {
    static std::vector<Pair> const pairs{{Source::lp, Source::proxy},         {Source::lp, Baseline::majority},
                                         {Source::proxy, Baseline::majority}, {Source::lp, Baseline::sampler},
                                         {Source::proxy, Baseline::sampler},  {Source::lp_share, Source::proxy},
                                         {Source::lagrangian, Source::proxy}};
    return pairs;
}

} // namespace

Table agreement_table(TableInput const& in) {
    Table table{
        .name = "agreement",
        .title = "Agreement of each backend's top family with the counterfactual signal",
        .columns = {"problem", "predictor", "decisions", "mean", "std", "pooled", "kappa", "paper mean", "paper std"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Predictor const& predictor : listed_predictors()) {
            Agreement const a = agreement(problem, in.headline, predictor);
            std::string const name = predictor_name(predictor);
            table.rows.push_back({problem.name, name, count_value(a.cases), value_of(a.mean), value_of(a.std),
                                  value_of(a.pooled), value_of(a.confusion.kappa()),
                                  in.paper.value(problem.name, {"agreement", name.c_str(), "mean"}),
                                  in.paper.value(problem.name, {"agreement", name.c_str(), "std"})});
        }
        double const chance = 1.0 / static_cast<double>(problem.families.size());
        table.rows.push_back({problem.name, std::string("random family"), Value(), Value(chance), Value(),
                              Value(chance), Value(0.0), Value(), Value()});
    }
    table.notes = {signal_note(in),
                   "Mean and sample standard deviation over policies; pooled over all decisions. Majority: always the "
                   "signal's own most frequent family, known only afterwards. Sampler if all flip: what algorithm 1 "
                   "names if every "
                   "shot that is an instance flips, which no policy is asked for: units and numbers of entries decide "
                   "it. Kappa: agreement beyond what the two "
                   "marginal distributions give by chance; a constant predictor has none."};
    append(table.notes, in.paper.remarks("agreement"));
    append(table.notes, in.paper.remarks("subgrad"));
    return table;
}

Table difference_table(TableInput const& in) {
    Table table{.name = "difference",
                .title = "Is one predictor right more often than another on the same decisions?",
                .columns = {"problem", "a", "b", "decisions", "a - b", "low", "high", "low (instances)",
                            "high (instances)", "b01", "b10", "p", "verdict", "paper a - b", "paper low", "paper high",
                            "paper b01", "paper b10", "paper p"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Pair const& pair : compared_pairs()) {
            Comparison const c = compare(problem, in.headline, pair.a, pair.b, in.settings);
            bool const papers = pair.a == Predictor(Source::lp) && pair.b == Predictor(Source::proxy);
            auto const paper = [&](char const* field) {
                return papers ? in.paper.value(problem.name, {"difference", field}) : Value();
            };
            auto const number = [&](double value) { return c.cases == 0 ? Value() : Value(value); };
            table.rows.push_back({problem.name, predictor_name(pair.a), predictor_name(pair.b), count_value(c.cases),
                                  number(c.pairs.point), number(c.pairs.low), number(c.pairs.high),
                                  number(c.clusters.low), number(c.clusters.high), count_value(c.test.b01),
                                  count_value(c.test.b10), number(c.test.p), name_value(c.standing()), paper("point"),
                                  paper("low"), paper("high"), paper("b01"), paper("b10"), paper("p")});
        }
    }
    table.notes = {"Intervals: percentile bootstrap over decisions, and over whole instances, because decisions of one "
                   "instance are not independent; the verdict uses the second. b01: a wrong and b right; b10: a right "
                   "and b wrong; p: exact McNemar over decisions."};
    append(table.notes, in.paper.remarks("difference"));
    return table;
}

Table signals_table(TableInput const& in) {
    Table table{.name = "signals",
                .title = "The same question under other readings of the counterfactual",
                .columns = {"problem", "signal", "decisions", "majority family", "majority share",
                            "sampler if all flip", "proxy", "lp", "lp kappa", "lp - proxy", "low (instances)",
                            "high (instances)", "lp over proxy", "lp over majority", "lp over sampler", "median L1"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Signal const& signal : all_signals()) {
            Agreement const lp = agreement(problem, signal, Source::lp);
            Comparison const c = compare(problem, signal, Source::lp, Source::proxy, in.settings);
            auto const number = [&](double value) { return c.cases == 0 ? Value() : Value(value); };
            table.rows.push_back(
                {problem.name, name_value(signal.kind), count_value(lp.cases),
                 family_value(problem, lp.confusion.majority()),
                 value_of(agreement(problem, signal, Baseline::majority).pooled),
                 value_of(agreement(problem, signal, Baseline::sampler).pooled),
                 value_of(agreement(problem, signal, Source::proxy).pooled), value_of(lp.pooled),
                 value_of(lp.confusion.kappa()), number(c.pairs.point), number(c.clusters.low), number(c.clusters.high),
                 name_value(c.standing()),
                 name_value(compare(problem, signal, Source::lp, Baseline::majority, in.settings).standing()),
                 name_value(compare(problem, signal, Source::lp, Baseline::sampler, in.settings).standing()),
                 value_of(median_l1(cases_of(problem, signal)))});
        }
    }
    table.notes = {
        "replay: the changed instance is replayed to the decision; frozen: only tensors change; published: frozen, "
        "whole "
        "numbers cut, the published envelope; relative units: the smallest flip when each tensor is measured by the "
        "spread of its values; joint: every shot moves all tensors, so that several families carry mass; guided "
        "search, one number: other searches for the smallest "
        "change; smallest found: the smallest certified flip of replay and these two.",
        "Every row but 'every flip' and 'relative units' counts certified flips only."};
    return table;
}

Table confusion_table(TableInput const& in) {
    Table table{.name = "confusion",
                .title = "Which family is named when the counterfactual names another",
                .columns = {"problem", "predictor", "signal names", "predictor names", "decisions"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Predictor const& predictor :
             {Predictor(Source::proxy), Predictor(Source::lp), Predictor(Baseline::sampler)}) {
            Confusion const c = agreement(problem, in.headline, predictor).confusion;
            for (std::size_t row = 0; row < c.labels(); ++row) {
                for (std::size_t column = 0; column <= c.labels(); ++column) {
                    if (column == c.labels() && c.predicted_count(column) == 0) continue;
                    table.rows.push_back({problem.name, predictor_name(predictor), problem.families[row],
                                          column == c.labels() ? std::string("none") : problem.families[column],
                                          count_value(c.count(row, column))});
                }
            }
        }
    }
    table.notes = {signal_note(in)};
    return table;
}

Table published_table(TableInput const& in) {
    struct Switch {
        char const* name;
        Attributor lp;
        Attributor proxy;
        Search search;
    };
    static constexpr Switch switches[] = {
        {"none: the paper's equations", Source::lp, Source::proxy, Search::replay},
        {"mass summed per node first",
         {Source::lp, MassReading::node},
         {Source::proxy, MassReading::node},
         Search::replay},
        {"unclipped log-probability",
         {Source::lp, MassReading::raw},
         {Source::proxy, MassReading::raw},
         Search::replay},
        {"spent nodes kept", {Source::lp, MassReading::spent}, {Source::proxy, MassReading::spent}, Search::replay},
        {"the first instance's duals for all", Source::lp_first, Source::proxy, Search::replay},
        {"frozen state", Source::lp, Source::proxy, Search::frozen},
        {"frozen state, whole numbers cut", Source::lp, Source::proxy, Search::truncate},
        {"published envelope", Source::lp, Source::proxy, Search::envelope},
        {"all of them",
         {Source::lp_first, MassReading::published},
         {Source::proxy, MassReading::published},
         Search::published},
    };
    Table table{.name = "published",
                .title = "Differences between the paper's equations and its published code, one at a time",
                .columns = {"problem", "switched", "decisions", "lp", "proxy", "lp - proxy", "lp changes by",
                            "proxy changes by", "sampler if all flip"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        std::optional<double> base_lp;
        std::optional<double> base_proxy;
        for (Switch const& each : switches) {
            Signal const signal{.search = each.search};
            Agreement const lp = agreement(problem, signal, each.lp);
            Agreement const proxy = agreement(problem, signal, each.proxy);
            if (&each == switches) {
                base_lp = lp.pooled;
                base_proxy = proxy.pooled;
            }
            auto const minus = [](std::optional<double> const& a, std::optional<double> const& b) {
                return a && b ? Value(*a - *b) : Value();
            };
            table.rows.push_back({problem.name, std::string(each.name), count_value(lp.cases), value_of(lp.pooled),
                                  value_of(proxy.pooled), minus(lp.pooled, proxy.pooled), minus(lp.pooled, base_lp),
                                  minus(proxy.pooled, base_proxy),
                                  value_of(agreement(problem, signal, Baseline::sampler).pooled)});
        }
    }
    table.notes = {"Pooled agreement on instance-certified flips. The published rule names the first family where "
                   "nothing can be said; that is kept in the last row only."};
    return table;
}

} // namespace cax::study
