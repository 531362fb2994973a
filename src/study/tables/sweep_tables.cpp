// The paper's 54 configurations, with one tensor per shot, where they cannot differ, and with joint changes; and the
// ways to aggregate duals.
#include "tables/table_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cax::study {

NameTable<SweepMode> names_of(SweepMode) {
    static constexpr Named<SweepMode> names[] = {{SweepMode::one_tensor, "one tensor per shot"},
                                                 {SweepMode::joint, "joint"},
                                                 {SweepMode::joint_relative, "joint, relative units"}};
    return names;
}

std::vector<std::size_t> Sweep::tops() const {
    std::set<std::size_t> families;
    for (Point const& point : points) {
        if (point.top) families.insert(*point.top);
    }
    return {families.begin(), families.end()};
}

namespace {

Sweep sweep(ProblemFindings const& problem, SweepMode mode, Search search) {
    Sweep result{.mode = mode, .points = {}};
    auto const cases = cases_of(problem, {.search = search});
    auto const all = configurations(mode == SweepMode::joint_relative);
    for (std::size_t const seed : problem.seeds) {
        for (Configuration const& configuration : all) {
            Confusion named(problem.families.size());
            for (Case const& each : cases) {
                auto const family = family_under(each.decision->flips.find(search)->second, configuration);
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
            families.insert(family_under(each.decision->flips.find(search)->second, configuration));
        }
        ++result.decisions;
        result.steady += families.size() == 1 ? 1 : 0;
    }
    return result;
}

} // namespace

std::vector<Sweep> sweeps(ProblemFindings const& problem, Signal const& headline) {
    return {sweep(problem, SweepMode::one_tensor, headline.search), sweep(problem, SweepMode::joint, Search::joint),
            sweep(problem, SweepMode::joint_relative, Search::joint)};
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
            bool const papers = s.mode == SweepMode::one_tensor;
            table.rows.push_back({problem.name, name_value(s.mode), count_value(s.points.size()),
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
                table.rows.push_back({problem.name, name_value(s.mode), count_value(p.seed),
                                      unit_name(p.configuration.unit),
                                      std::string(p.configuration.per_dimension ? "yes" : "no"), count_value(p.cases),
                                      family_value(problem, p.top), p.top ? Value(p.share) : Value()});
            }
        }
    }
    return table;
}

namespace {

/// Share of decisions on which two sources name the same family, among those where both name one.
Value same_top(ProblemFindings const& problem, Attributor a, Attributor b) {
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

std::vector<AggregationPair> aggregation_pairs() {
    static constexpr std::pair<char const*, Source> all[] = {{"mean", Source::lp},
                                                             {"sum", Source::lp_sum},
                                                             {"max", Source::lp_max},
                                                             {"share", Source::lp_share},
                                                             {"least mean", Source::lp_least}};
    std::vector<AggregationPair> pairs;
    for (auto const* a = all; a != std::end(all); ++a) {
        for (auto const* b = a + 1; b != std::end(all); ++b) {
            pairs.push_back({fmt::format("{}/{}", a->first, b->first), a->second, b->second});
        }
    }
    return pairs;
}

Table aggregation_table(TableInput const& in) {
    Table table{.name = "aggregation",
                .title = "Does it matter how a family's duals become one number?",
                .columns = {"problem", "aggregates", "same top family", "agreement of the first",
                            "agreement of the second", "paper"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (AggregationPair const& pair : aggregation_pairs()) {
            table.rows.push_back(
                {problem.name, pair.name,
                 same_top(problem, attributor_for(in.headline, pair.a), attributor_for(in.headline, pair.b)),
                 value_of(agreement(problem, in.headline, pair.a).pooled),
                 value_of(agreement(problem, in.headline, pair.b).pooled),
                 in.paper.value(problem.name, {"aggregation", pair.name.c_str()})});
        }
    }
    table.notes = {
        "Share: the family's part of the LP's bound, free of units. Least mean: the smallest mean |dual| over "
        "all optimal duals, free of the solver. Agreement: with the counterfactual signal."};
    for (std::string& remark : in.paper.remarks("aggregation")) table.notes.push_back(std::move(remark));
    return table;
}

} // namespace cax::study
