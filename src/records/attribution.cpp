#include "cax/records/attribution.hpp"

#include "cax/records/parts.hpp"

namespace cax::records {
namespace {

/// One list per node, in the order of `families`.
Json nodes_json(CellAttribution const& cell) {
    Json nodes = Json::array();
    for (std::size_t n = 0; n < cell.nodes.front().size(); ++n) {
        Json scores = Json::array();
        for (auto const& family : cell.nodes) scores.push_back(family[n]);
        nodes.push_back(std::move(scores));
    }
    return nodes;
}

Json step_json(ProblemInfo const& info, Cell const& cell, ScoredAttribution const& found) {
    CellAttribution const& attribution = found.cell;
    Json json{{"step", attribution.step},
              {"action", attribution.action},
              {"description", cell.state->describe_action(attribution.action)},
              {"status", name_of(attribution.status)},
              {"log_prob", attribution.log_prob},
              {"value", attribution.value},
              {"families", Json::object()},
              {"top", family_name(info, found.scores.top)},
              {"score_status", name_of(found.scores.status)},
              {"margin", found.scores.margin},
              {"dual_unique", found.top_unique ? Json(name_of(*found.top_unique)) : Json(nullptr)},
              {"nodes", nodes_json(attribution)}};
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        json["families"][std::string(info.families[k])] = {{"mass", attribution.mass[k]},
                                                           {"lambda", number(found.multipliers[k].value)},
                                                           {"score", number(found.scores.values[k])}};
    }
    if (attribution.baseline_value) json["baseline_value"] = *attribution.baseline_value;
    if (attribution.completeness_error) json["completeness_error"] = *attribution.completeness_error;
    if (!attribution.signed_effect.empty()) json["signed_effect"] = attribution.signed_effect;
    return json;
}

} // namespace

std::optional<bool> AttributedInstance::all_dual_unique() const {
    std::optional<bool> all;
    for (ScoredAttribution const& step : steps) {
        if (step.top_unique) all = all.value_or(true) && *step.top_unique == TopFamily::unique;
    }
    return all;
}

Json lambda_json(ProblemInfo const& info, Multipliers const& multipliers) {
    Json json = Json::object();
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        json[std::string(info.families[k])] = number(multipliers.families[k].value);
    }
    return json;
}

Json range_json(ProblemInfo const& info, std::vector<MultiplierRange> const& ranges) {
    Json json = Json::object();
    for (std::size_t k = 0; k < ranges.size(); ++k) { // none if there is nothing to have a share of
        json[std::string(info.families[k])] = Json::array({number(ranges[k].low), number(ranges[k].high)});
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
    json["shares"] = by_family(info, lp.shares);
    return json;
}

Json attributed_json(ProblemInfo const& info, AttributedInstance const& found) {
    Multipliers const& multipliers = found.multipliers;
    Json json{{"lambda", lambda_json(info, multipliers)},
              {"lambda_status", Json::object()},
              {"lp", multipliers.lp ? lp_json(info, *multipliers.lp) : Json(nullptr)},
              {"range", nullptr},
              {"dual_unique", nullptr},
              {"finished", found.walk.finished},
              {"steps", Json::array()}};
    if (!found.walk.instance->name().empty()) json["name"] = found.walk.instance->name();
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        json["lambda_status"][std::string(info.families[k])] = name_of(multipliers.families[k].status);
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
    if (auto const unique = found.all_dual_unique()) json["dual_unique"] = *unique;
    for (std::size_t t = 0; t < found.steps.size(); ++t) {
        json["steps"].push_back(step_json(info, found.walk.cells[t], found.steps[t]));
    }
    return json;
}

} // namespace cax::records
