#include "cax/records/attribution.hpp"

#include "cax/problems/presentation.hpp"
#include "cax/records/parts.hpp"

namespace cax::records {
namespace {

/// One list per node, in the order of `families`.
Json nodes_json(DecisionAttribution const& decision) {
    Json nodes = Json::array();
    for (std::size_t n = 0; n < decision.nodes.front().size(); ++n) {
        Json scores = Json::array();
        for (auto const& family : decision.nodes) scores.push_back(family[n]);
        nodes.push_back(std::move(scores));
    }
    return nodes;
}

Json step_json(ProblemInfo const& info, Decision const& decision, ScoredAttribution const& found) {
    DecisionAttribution const& attribution = found.decision;
    Json json{{"step", attribution.step},
              {"action", attribution.action},
              {"description", describe_action(*decision.state, attribution.action)},
              {"words", describe_action(*decision.state, attribution.action)},
              {"status", name_of(attribution.status)},
              {"log_prob", attribution.log_prob},
              {"value", attribution.value},
              {"families", Json::object()},
              {"top", family_name(info, found.scores.top)},
              {"score_status", name_of(found.scores.status)},
              {"margin", found.scores.margin},
              {"dual_unique", found.top_unique ? Json(name_of(*found.top_unique)) : Json(nullptr)},
              {"dual_unique_top", family_name(info, found.always_first)},
              {"top_unique", found.top_unique ? Json(name_of(*found.top_unique)) : Json(nullptr)},
              {"always_first", family_name(info, found.always_first)},
              {"nodes", nodes_json(attribution)}};
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        json["families"][std::string(info.families[k])] = {{"mass", attribution.mass[k]},
                                                           {"lambda", number(found.multipliers[k].value)},
                                                           {"score", number(found.scores.values[k])},
                                                           {"share", number(found.scores.shares[k])},
                                                           {"status", found.status(k)}};
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

namespace {

/// {family: [low, high]}, null where there is no end.
Json ends_json(ProblemInfo const& info, ProgramRange const& range) {
    Json json = Json::object();
    for (std::size_t k = 0; k < range.families.size(); ++k) { // none if there is nothing to have a share of
        MultiplierRange const& family = range.families[k];
        json[std::string(info.families[k])] = Json::array({number(family.low), number(family.high)});
    }
    return json;
}

Json program_json(ProblemInfo const& info, std::string_view program, ProgramRange const& range) {
    Json json{{"program", program}, {"families", Json::object()}};
    for (std::size_t k = 0; k < range.families.size(); ++k) {
        MultiplierRange const& family = range.families[k];
        json["families"][std::string(info.families[k])] = {
            {"lambda", range.values[k]},       {"low", family.low},
            {"high", number(family.high)},     {"high_bound", number(family.high_bound)},
            {"high_exact", family.high_exact}, {"unbounded_along", family.unbounded_along}};
    }
    return json;
}

} // namespace

void add_ranges(ProblemInfo const& info, RangeReport const& report, Json& json) {
    json["range"] = ends_json(info, report.with_redundant_rows);
    json["range_with_redundant_rows"] = json["range"];
    json["range_without_redundant_rows"] = ends_json(info, report.without_redundant_rows);
    json["ranges"] = {program_json(info, "with redundant rows", report.with_redundant_rows),
                      program_json(info, "without redundant rows", report.without_redundant_rows)};
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
    if (lp.rounds > 0) json["over_arcs"] = {{"rounds", lp.rounds}, {"columns", lp.columns}};
    return json;
}

Json attributed_json(ProblemInfo const& info, AttributedInstance const& found) {
    Multipliers const& multipliers = found.multipliers;
    Json json{{"lambda", lambda_json(info, multipliers)},
              {"lambda_status", Json::object()},
              {"lp", multipliers.lp ? lp_json(info, *multipliers.lp) : Json(nullptr)},
              {"range", nullptr},
              {"dual_unique", nullptr},
              {"finished", found.episode.finished},
              {"steps", Json::array()}};
    if (!found.episode.instance->name().empty()) json["name"] = found.episode.instance->name();
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        json["lambda_status"][std::string(info.families[k])] = name_of(multipliers.families[k].status);
    }
    if (multipliers.ascent) {
        json["ascent"] = {{"iterations", multipliers.ascent->iterations},
                          {"best_value", multipliers.ascent->best_value},
                          {"still_rising", multipliers.ascent->still_rising}};
    }
    if (multipliers.range) add_ranges(info, *multipliers.range, json);
    if (multipliers.range_too_large) json["range_status"] = name_of(FamilyStatus::too_large);
    if (auto const unique = found.all_dual_unique()) json["dual_unique"] = *unique;
    for (std::size_t t = 0; t < found.steps.size(); ++t) {
        json["steps"].push_back(step_json(info, found.episode.decisions[t], found.steps[t]));
    }
    return json;
}

} // namespace cax::records
