#include "attribution_output.hpp"

#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace cax::cli {
namespace {

std::string range_text(MultiplierRange const& range) {
    std::string const high =
        std::isfinite(range.high) ? fmt::format("{:.4g}", range.high) : "no end (" + range.unbounded_along + ")";
    return fmt::format("{:.4g} .. {}", range.low, high);
}

/// What the heat map shows of a step: per family its share, summing to 1 or all 0.
std::vector<double> shares_of(CellAttribution const& attribution, FamilyScores const& scores) {
    std::vector<double> shares = attribution.mass;
    if (scores.status == ScoreStatus::computed) {
        for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = *scores.values[k];
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

std::string verdict_of(ProblemInfo const& info, CellAttribution const& attribution, FamilyScores const& scores,
                       std::optional<TopFamily> unique) {
    if (attribution.status != AttributionStatus::computed) return std::string(name_of(attribution.status));
    if (!scores.top) return std::string(name_of(scores.status));
    std::string text(info.families[*scores.top]);
    if (unique) text += *unique == TopFamily::unique ? ", whatever the dual" : fmt::format(" ({})", name_of(*unique));
    return text;
}

Json number_or_null(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json range_json(ProblemInfo const& info, std::vector<MultiplierRange> const& ranges) {
    Json json = Json::object();
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        Json const high = std::isfinite(ranges[k].high) ? Json(ranges[k].high) : Json(nullptr);
        json[std::string(info.families[k])] = Json::array({ranges[k].low, high});
    }
    return json;
}

Json lp_json(ProblemInfo const& info, LpReport const& lp) {
    Json json{{"status", name_of(lp.status)}, {"objective", nullptr}, {"primal_residual", nullptr},
              {"dual_residual", nullptr},     {"gap", nullptr},       {"iterations", lp.iterations},
              {"shares", Json::object()}};
    if (lp.status != LpStatus::optimal) return json;
    json["objective"] = lp.objective;
    json["primal_residual"] = lp.audit.primal_residual;
    json["dual_residual"] = lp.audit.dual_residual;
    json["gap"] = lp.audit.gap;
    for (std::size_t k = 0; k < lp.shares.size(); ++k) json["shares"][std::string(info.families[k])] = lp.shares[k];
    return json;
}

/// One list per node, in the order of `families`.
Json nodes_json(CellAttribution const& attribution) {
    Json nodes = Json::array();
    for (std::size_t n = 0; n < attribution.nodes.front().size(); ++n) {
        Json scores = Json::array();
        for (auto const& family : attribution.nodes) scores.push_back(family[n]);
        nodes.push_back(std::move(scores));
    }
    return nodes;
}

Json step_json(ProblemInfo const& info, Cell const& cell, CellAttribution const& attribution,
               Multipliers const& multipliers) {
    FamilyScores const scores = family_scores(attribution, multipliers);
    auto const unique = dual_unique(attribution, multipliers);
    Json json{{"step", attribution.step},
              {"action", attribution.action},
              {"description", describe_action(*cell.state, attribution.action)},
              {"status", name_of(attribution.status)},
              {"log_prob", attribution.log_prob},
              {"value", attribution.value},
              {"families", Json::object()},
              {"top", scores.top ? Json(info.families[*scores.top]) : Json(nullptr)},
              {"score_status", name_of(scores.status)},
              {"margin", scores.margin},
              {"dual_unique", unique ? Json(name_of(*unique)) : Json(nullptr)},
              {"nodes", nodes_json(attribution)}};
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        json["families"][std::string(info.families[k])] = {{"mass", attribution.mass[k]},
                                                           {"lambda", number_or_null(multipliers.families[k].value)},
                                                           {"score", number_or_null(scores.values[k])}};
    }
    if (attribution.baseline_value) json["baseline_value"] = *attribution.baseline_value;
    if (attribution.completeness_error) json["completeness_error"] = *attribution.completeness_error;
    if (!attribution.signed_effect.empty()) json["signed_effect"] = attribution.signed_effect;
    return json;
}

} // namespace

std::optional<bool> all_dual_unique(AttributedInstance const& found) {
    std::optional<bool> all;
    for (CellAttribution const& attribution : found.attributions) {
        auto const unique = dual_unique(attribution, found.multipliers);
        if (unique) all = all.value_or(true) && *unique == TopFamily::unique;
    }
    return all;
}

std::string multiplier_text(ProblemInfo const& info, Multipliers const& multipliers) {
    std::string text;
    if (multipliers.lp) {
        LpReport const& lp = *multipliers.lp;
        text = lp.status == LpStatus::optimal
                   ? fmt::format("linear relaxation: bound {:.6g}, residuals {:.0e} and {:.0e}, gap {:.0e}\n",
                                 lp.objective, lp.audit.primal_residual, lp.audit.dual_residual, lp.audit.gap)
                   : fmt::format("linear relaxation: {}\n", name_of(lp.status));
    }
    bool const ranged = multipliers.range && multipliers.range->families.size() == info.families.size();
    std::vector<std::string> headings{"<family", "lambda"};
    if (ranged) headings.insert(headings.end(), {"<over all optimal duals", "<with redundant rows"});
    Table table(headings);
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        FamilyMultiplier const& family = multipliers.families[k];
        std::vector<std::string> row{std::string(info.families[k]), family.value ? fmt::format("{:.4g}", *family.value)
                                                                                 : std::string(name_of(family.status))};
        if (ranged) {
            row.push_back(range_text(multipliers.range->families[k]));
            row.push_back(range_text(multipliers.range->with_redundant_rows[k]));
        }
        table.add(std::move(row));
    }
    return text + table.text();
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
    for (std::size_t t = 0; t < found.attributions.size(); ++t) {
        CellAttribution const& attribution = found.attributions[t];
        FamilyScores const scores = family_scores(attribution, found.multipliers);
        auto const shares = shares_of(attribution, scores);
        text += fmt::format("  {:>4}  {:<{}}", t + 1, actions[t], words);
        for (std::size_t k = 0; k < shares.size(); ++k) {
            std::size_t const rest = std::max<std::size_t>(10, info.families[k].size()) - 4;
            text +=
                fmt::format("  {}{:<{}}", shade(shares[k], colour), fmt::format(" {:3.0f} %", 100 * shares[k]), rest);
        }
        text +=
            fmt::format("  {}\n", verdict_of(info, attribution, scores, dual_unique(attribution, found.multipliers)));
    }
    return text;
}

std::string top_text(ProblemInfo const& info, std::vector<AttributedInstance> const& all) {
    std::vector<std::size_t> tops(info.families.size());
    std::map<std::string_view, std::size_t> others;
    std::size_t cells = 0, ranged = 0, unique = 0;
    for (AttributedInstance const& found : all) {
        for (CellAttribution const& attribution : found.attributions) {
            FamilyScores const scores = family_scores(attribution, found.multipliers);
            ++cells;
            if (scores.top)
                ++tops[*scores.top];
            else if (attribution.status != AttributionStatus::computed)
                ++others[name_of(attribution.status)];
            else
                ++others[name_of(scores.status)];
            if (auto const verdict = dual_unique(attribution, found.multipliers)) {
                ++ranged;
                unique += *verdict == TopFamily::unique ? 1 : 0;
            }
        }
    }
    std::string text = fmt::format("top family of {} decision{}:", cells, cells == 1 ? "" : "s");
    for (std::size_t k = 0; k < tops.size(); ++k) text += fmt::format(" {} {},", info.families[k], tops[k]);
    for (auto const& [name, count] : others) text += fmt::format(" {} {},", name, count);
    text.back() = '\n';
    if (ranged > 0) text += fmt::format("the same for every optimal dual: {} of {}\n", unique, ranged);
    return text;
}

Json attributed_json(ProblemInfo const& info, AttributedInstance const& found) {
    Multipliers const& multipliers = found.multipliers;
    Json json{{"lambda", Json::object()},
              {"lambda_status", Json::object()},
              {"lp", multipliers.lp ? lp_json(info, *multipliers.lp) : Json(nullptr)},
              {"range", nullptr},
              {"dual_unique", nullptr},
              {"finished", found.walk.finished},
              {"steps", Json::array()}};
    if (!found.walk.instance->name().empty()) json["name"] = found.walk.instance->name();
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        std::string const family(info.families[k]);
        json["lambda"][family] = number_or_null(multipliers.families[k].value);
        json["lambda_status"][family] = name_of(multipliers.families[k].status);
    }
    if (multipliers.ascent) {
        json["ascent"] = {{"iterations", multipliers.ascent->iterations},
                          {"best_value", multipliers.ascent->best_value},
                          {"still_rising", multipliers.ascent->still_rising}};
    }
    if (multipliers.range) {
        json["range"] = range_json(info, multipliers.range->families);
        json["range_with_redundant_rows"] = range_json(info, multipliers.range->with_redundant_rows);
    }
    if (auto const unique = all_dual_unique(found)) json["dual_unique"] = *unique;
    for (std::size_t t = 0; t < found.attributions.size(); ++t) {
        json["steps"].push_back(step_json(info, found.walk.cells[t], found.attributions[t], multipliers));
    }
    return json;
}

} // namespace cax::cli
