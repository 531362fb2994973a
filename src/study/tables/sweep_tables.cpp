// The paper's 54 configurations, with one tensor per shot, where they cannot differ, and with joint changes; and the
// ways to aggregate duals.
#include "tables/table_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cax::study {

std::vector<std::size_t> Sweep::tops() const {
    std::set<std::size_t> families;
    for (Point const& point : points) {
        if (point.top) families.insert(*point.top);
    }
    return {families.begin(), families.end()};
}

namespace {

Sweep sweep(ProblemFindings const& problem, std::string mode, std::string const& variant, bool relative) {
    Sweep result{.mode = std::move(mode), .relative = relative, .points = {}};
    auto const cases = cases_of(problem, {.name = "", .variant = variant});
    auto const all = configurations(relative);
    for (std::size_t const seed : problem.seeds) {
        for (Configuration const& configuration : all) {
            Confusion named(problem.families.size());
            for (Case const& each : cases) {
                auto const family = family_under(each.decision->flips.find(variant)->second, configuration);
                if (each.decision->seed == seed && family) named.add(*family, std::nullopt);
            }
            Sweep::Point point{
                .seed = seed, .configuration = configuration, .cases = named.total(), .top = named.majority()};
            if (point.top) {
                point.share =
                    static_cast<double>(named.reference_count(*point.top)) / static_cast<double>(named.total());
            }
            result.points.push_back(std::move(point));
        }
    }
    for (Case const& each : cases) {
        std::set<FamilyIndex> families;
        for (Configuration const& configuration : all) {
            families.insert(family_under(each.decision->flips.find(variant)->second, configuration));
        }
        ++result.decisions;
        result.steady += families.size() == 1 ? 1 : 0;
    }
    return result;
}

} // namespace

std::vector<Sweep> sweeps(ProblemFindings const& problem, Signal const& headline) {
    return {sweep(problem, "one tensor per shot", headline.variant, false), sweep(problem, "joint", "joint", false),
            sweep(problem, "joint, relative units", "joint", true)};
}

Table stability_table(TableInput const& in) {
    Table table{.name = "stability",
                .title = "Is the signal's top family the same in every configuration?",
                .columns = {"problem", "shots", "configurations", "top families", "stable", "decisions",
                            "decisions with one family in all six", "share", "paper family"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Sweep const& s : sweeps(problem, in.headline)) {
            std::vector<std::string> names;
            for (std::size_t const family : s.tops()) names.push_back(problem.families[family]);
            bool const papers = s.mode == "one tensor per shot";
            table.rows.push_back({problem.name, s.mode, count_value(s.points.size()),
                                  fmt::format("{}", fmt::join(names, ", ")),
                                  std::string(names.empty()       ? "no data"
                                              : names.size() == 1 ? "yes"
                                                                  : "no"),
                                  count_value(s.decisions), count_value(s.steady), share_value(s.steady, s.decisions),
                                  papers ? in.paper.value(problem.name, {"signal_family"}) : Value()});
        }
    }
    table.notes = {
        "Configurations: policies x 3 norms x 2 normalisations (54 with three policies of three problems). With "
        "one tensor per shot only one family carries mass, so that norm and normalisation cannot change a "
        "decision's family: such a sweep can only differ between policies. Joint changes put the question.",
        "The paper reports one family per problem in all 54 configurations."};
    for (std::string& remark : in.paper.remarks("signal_family")) table.notes.push_back(std::move(remark));
    return table;
}

Table sweep_table(TableInput const& in) {
    Table table{
        .name = "sweep",
        .title = "Every configuration of the sweep",
        .columns = {"problem", "shots", "policy seed", "norm", "per dimension", "decisions", "top family", "share"},
        .long_form = true};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Sweep const& s : sweeps(problem, in.headline)) {
            for (Sweep::Point const& p : s.points) {
                table.rows.push_back({problem.name, s.mode, count_value(p.seed), p.configuration.norm,
                                      std::string(p.configuration.per_dimension ? "yes" : "no"), count_value(p.cases),
                                      family_value(problem, p.top), p.top ? Value(p.share) : Value()});
            }
        }
    }
    return table;
}

namespace {

/// Share of decisions on which two sources name the same family, among those where both name one.
Value same_top(ProblemFindings const& problem, std::string const& a, std::string const& b) {
    std::size_t both = 0;
    std::size_t same = 0;
    for (DecisionFinding const& decision : problem.decisions) {
        auto const first = decision.top.find(a);
        auto const second = decision.top.find(b);
        if (first == decision.top.end() || second == decision.top.end()) continue;
        if (!first->second || !second->second) continue;
        ++both;
        same += first->second == second->second ? 1 : 0;
    }
    return share_value(same, both);
}

} // namespace

Table aggregation_table(TableInput const& in) {
    static constexpr std::pair<char const*, char const*> sources[] = {
        {"mean", "lp"}, {"sum", "lp-sum"}, {"max", "lp-max"}, {"share", "lp-share"}, {"least mean", "lp-least"}};
    Table table{.name = "aggregation",
                .title = "Does it matter how a family's duals become one number?",
                .columns = {"problem", "aggregates", "same top family", "agreement of the first",
                            "agreement of the second", "paper"}};
    auto const key = [&](std::size_t i) { return source_key(in.headline, sources[i].second); };
    for (ProblemFindings const& problem : in.findings.problems) {
        for (std::size_t i = 0; i < std::size(sources); ++i) {
            for (std::size_t j = i + 1; j < std::size(sources); ++j) {
                std::string const pair = fmt::format("{}/{}", sources[i].first, sources[j].first);
                table.rows.push_back({problem.name, pair, same_top(problem, key(i), key(j)),
                                      value_of(agreement(problem, in.headline, sources[i].second).pooled),
                                      value_of(agreement(problem, in.headline, sources[j].second).pooled),
                                      in.paper.value(problem.name, {"aggregation", pair.c_str()})});
            }
        }
    }
    table.notes = {
        "Share: the family's part of the LP's bound, free of units. Least mean: the smallest mean |dual| over "
        "all optimal duals, free of the solver. Agreement: with the counterfactual signal."};
    for (std::string& remark : in.paper.remarks("aggregation")) table.notes.push_back(std::move(remark));
    return table;
}

} // namespace cax::study
