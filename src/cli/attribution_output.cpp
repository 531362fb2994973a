#include "attribution_output.hpp"

#include "table.hpp"

#include "cax/problems/presentation.hpp"
#include "cax/problems/pricing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace cax::cli {
namespace {

/// "0.16 .. 0.24", or what is known of its upper end.
std::string range_text(MultiplierRange const& range) {
    if (!std::isfinite(range.high)) return fmt::format("{:.4g} .. no end ({})", range.low, range.unbounded_along);
    std::string const attained = fmt::format("{:.4g} .. {:.4g}", range.low, range.high);
    if (range.high_exact) return attained;
    if (!std::isfinite(range.high_bound)) return attained + " at least";
    return attained + fmt::format(" at least, {:.4g} at most", range.high_bound);
}

/// What the heat map shows of a step: per family its share, summing to 1 or all 0.
std::vector<double> shares_of(ScoredAttribution const& step) {
    std::vector<double> shares = step.cell.mass;
    if (step.scores.status == ScoreStatus::computed) {
        for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = *step.scores.values[k];
    }
    double total = 0;
    for (double const value : shares) total += value;
    for (double& value : shares) value = total > 0 ? value / total : 0;
    return shares;
}

/// Four columns of a shade; on a terminal from blue to red.
std::string shade(double share, bool colour) {
    constexpr std::array<std::string_view, 5> blocks{" ", "░", "▒", "▓", "█"};
    constexpr std::array<int, 5> colours{17, 19, 54, 125, 196};
    auto const level = static_cast<std::size_t>(std::min(4.0, std::floor(share * 4 + 0.5)));
    std::string text;
    for (int i = 0; i < 4; ++i) text += blocks[level];
    return colour ? fmt::format("\033[38;5;{}m{}\033[0m", colours[level], text) : text;
}

std::string top_in_words(ProblemInfo const& info, ScoredAttribution const& step) {
    if (step.cell.status != AttributionStatus::computed) return std::string(name_of(step.cell.status));
    if (!step.scores.top) return std::string(name_of(step.scores.status));
    std::string text(info.families[*step.scores.top]);
    if (!step.top_unique) return text;
    if (*step.top_unique != TopFamily::unique) return text + fmt::format(" ({})", name_of(*step.top_unique));
    if (*step.always_first == *step.scores.top) return text + ", whatever the dual*";
    return text + fmt::format(" ({}, whatever the dual*)", info.families[*step.always_first]);
}

} // namespace

std::string multiplier_text(ProblemInfo const& info, Multipliers const& multipliers) {
    std::string text;
    if (multipliers.lp) {
        LpReport const& lp = *multipliers.lp;
        text = lp.status == LpStatus::optimal
                   ? fmt::format("linear relaxation: bound {:.6g}, residuals {:.0e} and {:.0e}, gap {:.0e}\n",
                                 lp.objective, lp.audit.primal_residual, lp.audit.dual_residual, lp.audit.gap)
                   : fmt::format("linear relaxation: {}\n", name_of(lp.status));
        if (lp.rounds > 0) {
            text += fmt::format("  not written out: {} arcs came in, in {} rounds; all others and all rows are proved "
                                "not to matter\n",
                                lp.columns, lp.rounds);
        }
    }
    bool const ranged =
        multipliers.range && multipliers.range->with_redundant_rows.families.size() == info.families.size();
    std::vector<std::string> headings{"<family", "lambda"};
    if (ranged) headings.insert(headings.end(), {"<over all optimal duals", "lambda*", "<over all optimal duals*"});
    Table table(headings);
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        FamilyMultiplier const& family = multipliers.families[k];
        std::vector<std::string> row{std::string(info.families[k]), family.value ? fmt::format("{:.4g}", *family.value)
                                                                                 : std::string(name_of(family.status))};
        if (ranged) {
            ProgramRange const& reduced = multipliers.range->without_redundant_rows;
            row.push_back(range_text(multipliers.range->with_redundant_rows.families[k]));
            row.push_back(fmt::format("{:.4g}", reduced.values[k]));
            row.push_back(range_text(reduced.families[k]));
        }
        table.add(std::move(row));
    }
    text += table.text();
    if (multipliers.range_too_large) {
        text += fmt::format("no range over all optimal duals: that needs the whole program, which is for at most {} "
                            "nodes\n",
                            most_nodes_written_out);
    }
    auto const is_too_large = [](FamilyMultiplier const& each) { return each.status == FamilyStatus::too_large; };
    if (std::ranges::any_of(multipliers.families, is_too_large)) {
        text += "too_large: the linear relaxation has too many nodes for this; --backend proxy needs none\n";
    }
    if (ranged) text += "* of the relaxation without its redundant rows, whose duals have no limit\n";
    return text;
}

std::string heat_map_text(ProblemInfo const& info, AttributedInstance const& found, bool colour) {
    std::size_t words = 6;
    std::vector<std::string> actions;
    for (Cell const& cell : found.walk.cells) {
        actions.push_back(describe_action(*cell.state, cell.action));
        words = std::max(words, actions.back().size());
    }
    std::string text = fmt::format("  step  {:<{}}", "action", words);
    for (std::string_view const family : info.families)
        text += fmt::format("  {:<{}}", family, std::max<std::size_t>(10, family.size()));
    text += "  top\n";
    for (std::size_t t = 0; t < found.steps.size(); ++t) {
        auto const shares = shares_of(found.steps[t]);
        text += fmt::format("  {:>4}  {:<{}}", found.steps[t].cell.step + 1, actions[t], words);
        for (std::size_t k = 0; k < shares.size(); ++k) {
            std::size_t const rest = std::max<std::size_t>(10, info.families[k].size()) - 4;
            text +=
                fmt::format("  {}{:<{}}", shade(shares[k], colour), fmt::format(" {:3.0f} %", 100 * shares[k]), rest);
        }
        text += fmt::format("  {}\n", top_in_words(info, found.steps[t]));
    }
    return text;
}

std::string top_text(ProblemInfo const& info, std::vector<AttributedInstance> const& all) {
    std::vector<std::size_t> tops(info.families.size());
    std::map<std::string_view, std::size_t> others;
    std::size_t cells = 0, ranged = 0, unique = 0;
    for (AttributedInstance const& found : all) {
        for (ScoredAttribution const& step : found.steps) {
            ++cells;
            if (step.scores.top)
                ++tops[*step.scores.top];
            else if (step.cell.status != AttributionStatus::computed)
                ++others[name_of(step.cell.status)];
            else
                ++others[name_of(step.scores.status)];
            if (!step.top_unique) continue;
            ++ranged;
            unique += *step.top_unique == TopFamily::unique ? 1 : 0;
        }
    }
    std::string text = fmt::format("top family of {} decision{}:", cells, cells == 1 ? "" : "s");
    for (std::size_t k = 0; k < tops.size(); ++k) text += fmt::format(" {} {},", info.families[k], tops[k]);
    for (auto const& [name, count] : others) text += fmt::format(" {} {},", name, count);
    text.back() = '\n';
    if (tops.size() == 1) text += "the problem has one family: there is nothing to rank\n";
    if (ranged > 0) text += fmt::format("the same for every optimal dual*: {} of {}\n", unique, ranged);
    return text;
}

} // namespace cax::cli
