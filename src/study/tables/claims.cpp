// The paper's claims and what became of them, and the answers that stand at the head of a report.
#include "tables/table_parts.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::study {
namespace {

/// Numbers this close count as the same result: our policies are not the paper's.
constexpr double tolerance = 0.1;

std::string in_words(std::optional<double> number) { return number ? fmt::format("{:.2f}", *number) : "no data"; }

/// What became of a claim.
enum class Fate { no_data, reproduced, not_reproduced };
std::string in_words(Fate fate) {
    switch (fate) {
    case Fate::no_data: return "no data";
    case Fate::reproduced: return "reproduced";
    case Fate::not_reproduced: break;
    }
    return "not reproduced";
}
Fate fate_of(bool data, bool same) {
    if (!data) return Fate::no_data;
    return same ? Fate::reproduced : Fate::not_reproduced;
}

class Claims {
public:
    explicit Claims(TableInput const& in) : in_(in) {
        table_ = {.name = "claims",
                  .title = "What reproduced and what did not",
                  .columns = {"problem", "claim", "paper", "ours", "verdict", "why it may differ"}};
        table_.notes = {fmt::format("Numbers within {} of the paper's count as reproduced; comparisons by the interval "
                                    "over instances.",
                                    tolerance)};
    }
    void of(ProblemFindings const& problem) {
        share_of_flips(problem);
        number(problem, "agreement", "agreement of lp with the signal",
               in_.paper.number(problem.name, {"agreement", "lp", "mean"}),
               agreement(problem, in_.headline, Source::lp).mean);
        number(problem, "agreement", "agreement of proxy with the signal",
               in_.paper.number(problem.name, {"agreement", "proxy", "mean"}),
               agreement(problem, in_.headline, Source::proxy).mean);
        number(problem, "subgrad", "agreement of subgrad with the signal",
               in_.paper.number(problem.name, {"agreement", "subgrad", "mean"}),
               agreement(problem, in_.headline, Source::subgrad).mean);
        lp_against_proxy(problem);
        family(problem);
        wachter(problem);
        subsets(problem);
    }
    Table take() { return std::move(table_); }

private:
    void add(ProblemFindings const& problem, std::string const& topic, std::string claim, std::string paper,
             std::string ours, Fate fate) {
        bool const differs = fate != Fate::reproduced;
        table_.rows.push_back({problem.name, std::move(claim), std::move(paper), std::move(ours), in_words(fate),
                               differs ? in_.paper.remark(topic, problem.name) : std::string()});
    }
    void number(ProblemFindings const& problem, std::string const& topic, std::string claim,
                std::optional<double> paper, std::optional<double> ours) {
        if (!paper) return;
        bool const same = ours && std::abs(*ours - *paper) <= tolerance;
        add(problem, topic, std::move(claim), in_words(paper), in_words(ours), fate_of(ours.has_value(), same));
    }
    void share_of_flips(ProblemFindings const& problem) {
        auto const cells = in_.paper.number(problem.name, {"coverage", "cells"});
        auto const flips = in_.paper.number(problem.name, {"coverage", "flips"});
        auto const certified = in_.paper.number(problem.name, {"coverage", "certified"});
        if (!cells || !flips || !certified) return;
        std::size_t ours_cells = 0;
        std::size_t ours_flips = 0;
        for (DecisionFinding const& decision : problem.decisions) {
            auto const found = decision.flips.find(in_.headline.search);
            if (found == decision.flips.end()) continue;
            ++ours_cells;
            ours_flips += found->second.flip ? 1 : 0;
        }
        auto const share = [](std::size_t part, std::size_t whole) {
            return whole == 0 ? std::optional<double>()
                              : std::optional(static_cast<double>(part) / static_cast<double>(whole));
        };
        number(problem, "coverage", "share of cells that flip", *flips / *cells, share(ours_flips, ours_cells));
        number(problem, "coverage", "share of flips that are certified", *certified / *flips,
               share(cases_of(problem, in_.headline).size(), ours_flips));
    }
    void lp_against_proxy(ProblemFindings const& problem) {
        auto const paper = in_.paper.number(problem.name, {"difference", "point"});
        if (!paper) return;
        Comparison const c = compare(problem, in_.headline, Source::lp, Source::proxy, in_.settings);
        Standing const standing = c.standing();
        bool const same =
            *paper > 0 ? standing == Standing::better : standing == Standing::same || standing == Standing::not_shown;
        add(problem, "difference", *paper > 0 ? "lp agrees more often than proxy" : "lp and proxy do not differ",
            fmt::format("{:+.3f}", *paper),
            c.cases == 0 ? "no data"
                         : fmt::format("{:+.3f} [{:+.3f}, {:+.3f}]", c.clusters.point, c.clusters.low, c.clusters.high),
            fate_of(c.cases > 0, same));
    }
    void family(ProblemFindings const& problem) {
        std::string const paper = in_.paper.text(problem.name, {"signal_family"});
        if (paper.empty()) return;
        for (Sweep const& sweep : sweeps(problem, in_.headline)) {
            std::vector<std::string> names;
            for (std::size_t const top : sweep.tops()) names.push_back(problem.families[top]);
            bool const same = names.size() == 1 && names.front() == paper;
            add(problem, "signal_family",
                fmt::format("the signal names one family in every configuration: {}", name_of(sweep.mode)), paper,
                names.empty() ? "no data" : fmt::format("{}", fmt::join(names, ", ")), fate_of(!names.empty(), same));
        }
    }
    void wachter(ProblemFindings const& problem) {
        double shots = 0;
        double passing = 0;
        for (InstanceFinding const& instance : problem.instances) {
            shots += static_cast<double>(instance.wachter_shots);
            passing += static_cast<double>(instance.wachter_passing);
        }
        number(problem, "wachter", "share of Wachter candidates inside the envelope",
               in_.paper.number(problem.name, {"wachter"}), shots > 0 ? std::optional(passing / shots) : std::nullopt);
    }
    void subsets(ProblemFindings const& problem) {
        auto const cells = in_.paper.number(problem.name, {"subset", "cells"});
        auto const accepted = in_.paper.number(problem.name, {"subset", "accepted"});
        if (!cells || !accepted) return;
        for (SubsetRule const rule : {SubsetRule::bonferroni, SubsetRule::published}) {
            double ours_cells = 0;
            double ours_accepted = 0;
            for (DecisionFinding const& decision : problem.decisions) {
                auto const found = decision.subsets.find(rule);
                if (found == decision.subsets.end()) continue;
                ++ours_cells;
                ours_accepted += found->second.accepted ? 1 : 0;
            }
            number(problem, "subset", fmt::format("share of cells with a sufficient subset ({})", name_of(rule)),
                   *accepted / *cells, ours_cells > 0 ? std::optional(ours_accepted / ours_cells) : std::nullopt);
        }
    }

    TableInput const& in_;
    Table table_;
};

std::string yes_or_no(Standing standing) {
    if (standing == Standing::better) return "yes";
    if (standing == Standing::worse || standing == Standing::same) return "no";
    return std::string(name_of(standing));
}

std::string numbers(Comparison const& c) {
    if (c.cases == 0) return "no certified flips";
    if (c.standing() == Standing::same) return fmt::format("the same on all {} decisions", c.cases);
    return fmt::format("{:+.3f} [{:+.3f}, {:+.3f}] over {} decisions", c.clusters.point, c.clusters.low,
                       c.clusters.high, c.cases);
}

} // namespace

Table claims_table(TableInput const& in) {
    Claims claims(in);
    for (ProblemFindings const& problem : in.findings.problems) claims.of(problem);
    return claims.take();
}

std::vector<Answer> answers(TableInput const& in) {
    std::vector<Answer> all;
    for (ProblemFindings const& problem : in.findings.problems) {
        auto const versus = [&](Signal const& signal, Predictor const& a, Predictor const& b) {
            return compare(problem, signal, a, b, in.settings);
        };
        Comparison const proxy = versus(in.headline, Source::lp, Source::proxy);
        all.push_back({"Does lp beat proxy?", problem.name, yes_or_no(proxy.standing()), numbers(proxy)});
        Comparison const majority = versus(in.headline, Source::lp, Baseline::majority);
        all.push_back({"Does lp beat always naming the majority family?", problem.name, yes_or_no(majority.standing()),
                       numbers(majority)});
        for (Sweep const& sweep : sweeps(problem, in.headline)) {
            auto const tops = sweep.tops();
            std::vector<std::string> names;
            for (std::size_t const top : tops) names.push_back(problem.families[top]);
            std::string const answer = tops.empty() ? "no data" : tops.size() == 1 ? "yes" : "no";
            all.push_back({fmt::format("Is the signal stable over the configurations ({})?", name_of(sweep.mode)),
                           problem.name, answer,
                           fmt::format("{} in {} configurations; {} of {} decisions keep their family in all six",
                                       names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")),
                                       sweep.points.size(), sweep.steady, sweep.decisions)});
        }
        for (SignalKind const kind : {SignalKind::frozen, SignalKind::relative_units, SignalKind::joint}) {
            Comparison const c = versus(signal_of(kind), Source::lp, Source::proxy);
            std::string const question = fmt::format("Does lp beat proxy under '{}', too?", name_of(kind));
            all.push_back({question, problem.name, yes_or_no(c.standing()), numbers(c)});
        }
    }
    return all;
}

} // namespace cax::study
