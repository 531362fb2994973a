// Tables that count: coverage, dual uniqueness, Wachter, subsets, gaps, failures.
#include "tables/table_parts.hpp"

#include "cax/study/plan.hpp"

#include <algorithm>

namespace cax::study {

Table coverage_table(TableInput const& in) {
    Table table{.name = "coverage",
                .title = "Flips and certificates",
                .columns = {"problem", "search", "cells", "flips", "certified", "refuted", "undecided",
                            "prefix certified", "prefix refuted", "prefix undecided", "paper cells", "paper flips",
                            "paper certified"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (CounterfactualVariant const& variant : counterfactual_variants()) {
            std::size_t decisions = 0;
            std::size_t flips = 0;
            std::map<std::optional<Verdict>, std::size_t> instance;
            std::map<std::optional<Verdict>, std::size_t> prefix;
            for (DecisionFinding const& decision : problem.decisions) {
                auto const found = decision.flips.find(variant.search);
                if (found == decision.flips.end()) continue;
                ++decisions;
                flips += found->second.flip ? 1 : 0;
                ++instance[found->second.instance_verdict];
                ++prefix[found->second.prefix_verdict];
            }
            auto const number = [](bool asked, std::map<std::optional<Verdict>, std::size_t>& counts, Verdict verdict) {
                return asked ? count_value(counts[verdict]) : Value();
            };
            bool const asked = !variant.relative;
            bool const papers = variant.search == Search::replay || variant.search == Search::published;
            auto const paper = [&](char const* field) {
                return papers ? in.paper.value(problem.name, {"coverage", field}) : Value();
            };
            table.rows.push_back(
                {problem.name, name_value(variant.search), count_value(decisions), count_value(flips),
                 number(asked, instance, Verdict::certified), number(asked, instance, Verdict::refuted),
                 number(asked, instance, Verdict::undecided), number(variant.prefix, prefix, Verdict::certified),
                 number(variant.prefix, prefix, Verdict::refuted), number(variant.prefix, prefix, Verdict::undecided),
                 paper("cells"), paper("flips"), paper("certified")});
        }
    }
    table.notes = {
        "Certified: some solution of the changed instance exists and was checked. Prefix certified: one that "
        "begins with the actions so far and the new one. Episodes that end early have fewer cells.",
        "truncate is frozen with whole numbers cut; envelope is replay with the published envelope."};
    for (std::string& remark : in.paper.remarks("coverage")) table.notes.push_back(std::move(remark));
    return table;
}

Table duals_table(TableInput const& in) {
    Table table{.name = "duals",
                .title = "Does the top family under lp survive every optimal dual?",
                .columns = {"problem", "decisions with mass", "unique", "not unique", "undecided", "unique share"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        std::map<std::optional<TopFamily>, std::size_t> counts;
        for (DecisionFinding const& decision : problem.decisions) ++counts[decision.dual];
        std::size_t const all = problem.decisions.size() - counts[std::nullopt];
        table.rows.push_back({problem.name, count_value(all), count_value(counts[TopFamily::unique]),
                              count_value(counts[TopFamily::not_unique]), count_value(counts[TopFamily::undecided]),
                              share_value(counts[TopFamily::unique], all)});
    }
    table.notes = {
        "The relaxations' duals are degenerate: a solver reports one point of a face. Unique: the same family "
        "wins at every point of it; not unique: two optimal duals are known that disagree. The paper does "
        "not ask."};
    return table;
}

Table wachter_table(TableInput const& in) {
    Table table{.name = "wachter",
                .title = "Share of unconstrained candidates inside the arithmetic envelope",
                .columns = {"problem", "candidates", "inside", "share", "paper share"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        std::int64_t shots = 0;
        std::int64_t passing = 0;
        for (InstanceFinding const& instance : problem.instances) {
            shots += instance.wachter_shots;
            passing += instance.wachter_passing;
        }
        table.rows.push_back({problem.name, shots, passing,
                              share_value(static_cast<std::size_t>(passing), static_cast<std::size_t>(shots)),
                              in.paper.value(problem.name, {"wachter"})});
    }
    table.notes = {"The paper gives one number, 19.3 %, for its routing instances; it stands beside the problem whose "
                   "violations it describes (negative demands, inverted windows)."};
    for (std::string& remark : in.paper.remarks("wachter")) table.notes.push_back(std::move(remark));
    return table;
}

namespace {

std::vector<Value> subset_row(TableInput const& in, ProblemFindings const& problem, SubsetVariant rule) {
    std::size_t decisions = 0;
    std::size_t sure = 0;
    std::int64_t samples = 0;
    std::vector<double> sizes;
    std::vector<double> margins_accepted;
    std::vector<double> margins_refused;
    for (DecisionFinding const& decision : problem.decisions) {
        auto const found = decision.subsets.find(rule);
        if (found == decision.subsets.end()) continue;
        SubsetFinding const& subset = found->second;
        ++decisions;
        samples = std::max(samples, subset.samples);
        if (subset.accepted) sizes.push_back(subset.size);
        if (subset.accepted && subset.lower_bound >= 1 - in.settings.subset.epsilon) ++sure;
        if (subset.margin) (subset.accepted ? margins_accepted : margins_refused).push_back(*subset.margin);
    }
    bool const papers = rule == SubsetVariant::bonferroni;
    auto const paper = [&](char const* field) {
        return papers ? in.paper.value(problem.name, {"subset", field}) : Value();
    };
    return {problem.name,
            name_value(rule),
            Value(samples),
            count_value(decisions),
            count_value(sizes.size()),
            count_value(sure),
            sizes.empty() ? Value() : Value(mean(sizes)),
            value_of(median(sizes)),
            sizes.empty() ? Value() : Value(*std::ranges::max_element(sizes)),
            value_of(median(margins_accepted)),
            value_of(median(margins_refused)),
            paper("samples"),
            paper("cells"),
            paper("accepted"),
            paper("mean_size"),
            paper("median_size"),
            paper("max_size"),
            paper("margin_accepted"),
            paper("margin_refused")};
}

} // namespace

Table subsets_table(TableInput const& in) {
    Table table{.name = "subsets",
                .title = "Sufficient subsets along the attribution's order",
                .columns = {"problem", "rule", "samples", "cells", "accepted", "bound reaches 1 - eps", "mean size",
                            "median size", "max size", "margin accepted", "margin refused", "paper samples",
                            "paper cells", "paper accepted", "paper mean", "paper median", "paper max",
                            "paper margin accepted", "paper margin refused"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Named<SubsetVariant> const& rule : names_of(SubsetVariant{})) {
            table.rows.push_back(subset_row(in, problem, rule.value));
        }
    }
    table.notes = {
        "bonferroni, per-test: the paper's acceptance (observed rate at least 1 - eps) with its two sample sizes; "
        "certified: the exact lower bound has to reach 1 - eps; anchor: compared with the undisturbed decision; "
        "published: "
        "all that the published code does; random: nodes in random order. Margins are medians of the log-probability "
        "gap."};
    for (std::string& remark : in.paper.remarks("subset")) table.notes.push_back(std::move(remark));
    return table;
}

Table gaps_table(TableInput const& in) {
    Table table{.name = "gaps",
                .title = "How good are the policies? Gap to the best solution found by classical search",
                .columns = {"problem", "decode", "instances", "rules broken", "reference proven", "mean gap",
                            "std over policies", "paper gap", "paper std"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (DecodeMode const way : {DecodeMode::greedy, DecodeMode::multistart}) {
            std::vector<double> per_seed;
            std::size_t count = 0;
            std::size_t broken = 0;
            std::size_t proven = 0;
            for (std::size_t const seed : problem.seeds) {
                std::vector<double> gaps;
                for (InstanceFinding const& instance : problem.instances) {
                    auto const found = instance.gaps.find(way);
                    if (instance.seed != seed || found == instance.gaps.end()) continue;
                    ++count;
                    proven += instance.optimal ? 1 : 0;
                    broken += found->second ? 0 : 1;
                    if (found->second) gaps.push_back(*found->second);
                }
                if (!gaps.empty()) per_seed.push_back(mean(gaps));
            }
            bool const papers = in.paper.text(problem.name, {"gap", "decode"}) == name_of(way);
            table.rows.push_back({problem.name, name_value(way), count_value(count), count_value(broken),
                                  count_value(proven), per_seed.empty() ? Value() : Value(mean(per_seed)),
                                  per_seed.size() < 2 ? Value() : Value(sample_std(per_seed)),
                                  papers ? in.paper.value(problem.name, {"gap", "mean"}) : Value(),
                                  papers ? in.paper.value(problem.name, {"gap", "std"}) : Value()});
        }
    }
    table.notes = {"On the study's own instances, as fractions; mean and standard deviation of the policies' means. "
                   "Where the reference is not proven, the true gap may be larger. Solutions that break rules, where a "
                   "problem lets policies do so, have none."};
    for (std::string& remark : in.paper.remarks("gap")) table.notes.push_back(std::move(remark));
    return table;
}

Table failures_table(TableInput const& in) {
    Table table{.name = "failures",
                .title = "Cells that could not be computed",
                .columns = {"problem", "stage", "cells", "first reason"}};
    for (Failure const& failure : in.findings.failures) {
        table.rows.push_back({failure.problem, failure.stage, count_value(failure.decisions), failure.first_reason});
    }
    return table;
}

} // namespace cax::study
