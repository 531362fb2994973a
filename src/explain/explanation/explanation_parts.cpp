#include "explanation_parts.hpp"

#include "cax/explain/words.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace cax {
namespace {

/// JSON has no infinities.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json optional_number(std::optional<double> const& value) { return value ? finite(*value) : Json(nullptr); }

Json slacks_json(ProblemInfo const& info, std::vector<Slack> const& slacks) {
    Json list = Json::array();
    for (Slack const& each : slacks) {
        list.push_back({{"family", info.families[each.family]},
                        {"rule", each.rule},
                        {"used", finite(each.used)},
                        {"limit", finite(each.limit)},
                        {"slack", finite(each.slack)}});
    }
    return list;
}

/// Families in the order of what they count, those without a score last.
Json ranked_families(ProblemInfo const& info, std::vector<std::optional<double>> const& scores) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t k) { return scores[k].value_or(-1); });
    Json names = Json::array();
    for (std::size_t const k : order) names.push_back(info.families[k]);
    return names;
}

Json ranges_json(ProblemInfo const& info, RangeReport const& report) {
    Json ranges;
    for (std::size_t k = 0; k < report.families.size(); ++k) { // none if there is nothing to have a share of
        MultiplierRange const& range = report.families[k];
        ranges[std::string(info.families[k])] = {finite(range.low), finite(range.high)};
    }
    return ranges;
}

} // namespace

Json choice_json(Presentation const& presentation, State const& state, LogProbs const& log_probs, std::size_t action) {
    return {{"action", action},
            {"words", describe_action(state, action)},
            {"probability", std::exp(log_probs[action])},
            {"mark", presentation.mark(state, action)}};
}

Json decision_json(Explained const& all, std::size_t step) {
    Cell const& cell = all.walk.cells[step];
    auto const actions = all.walk.actions();
    auto const mask = cell.state->action_mask();
    Json json = choice_json(all.presentation, *cell.state, cell.log_probs, cell.action);
    json["step"] = step;
    json["log_prob"] = cell.log_probs[cell.action];
    json["allowed"] = std::ranges::count_if(mask, [](std::uint8_t allowed) { return allowed != 0; });
    json["actions"] = mask.size();
    auto const second = cell.runner_up();
    json["runner_up"] = second ? choice_json(all.presentation, *cell.state, cell.log_probs, *second) : Json(nullptr);
    json["slacks"] = slacks_json(all.info(), slacks_of(*cell.state, cell.action));
    json["moment"] = all.presentation.moment(*cell.state, std::span(actions).first(step));
    for (char const* part : {"attribution", "counterfactual", "subset", "why_not"}) json[part] = nullptr;
    return json;
}

Json attribution_json(Explained const& all, CellAttribution const& attribution) {
    ProblemInfo const& info = all.info();
    FamilyScores const scores = family_scores(attribution, *all.multipliers);
    double const total = std::accumulate(scores.values.begin(), scores.values.end(), 0.0,
                                         [](double sum, auto const& score) { return sum + score.value_or(0); });
    Json families;
    Json by_family;
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        std::string const name(info.families[k]);
        FamilyMultiplier const& multiplier = all.multipliers->families[k];
        bool const has_share = scores.status == ScoreStatus::computed && scores.values[k].has_value();
        families[name] = {{"mass", attribution.mass[k]},
                          {"lambda", optional_number(multiplier.value)},
                          {"score", optional_number(scores.values[k])},
                          {"share", has_share ? Json(*scores.values[k] / total) : Json(nullptr)},
                          {"status", multiplier.value ? name_of(scores.status) : name_of(multiplier.status)}};
        by_family[name] = attribution.nodes[k];
    }
    auto const unique = dual_unique(attribution, *all.multipliers);
    return {{"status", name_of(attribution.status)},
            {"score_status", name_of(scores.status)},
            {"families", std::move(families)},
            {"ranked", ranked_families(info, scores.values)},
            {"top", scores.top ? Json(info.families[*scores.top]) : Json(nullptr)},
            {"top_unique", unique ? Json(name_of(*unique)) : Json(nullptr)},
            {"nodes", attribution.node_totals()},
            {"node_families", std::move(by_family)}};
}

Json subset_json(Explained const& all, Subset const& subset, SubsetRule const& rule) {
    SubsetOptions const& options = all.options.subsets;
    Json labels = Json::array();
    for (std::size_t const node : subset.nodes) labels.push_back(all.presentation.node_short(all.instance(), node));
    Json json = {{"accepted", subset.accepted},
                 {"forced", subset.forced},
                 {"size", subset.size()},
                 {"nodes", subset.nodes},
                 {"labels", std::move(labels)},
                 {"rate", subset.evidence.rate},
                 {"lower_bound", subset.evidence.lower_bound},
                 {"samples", subset.evidence.samples},
                 {"margin", finite(subset.margin)},
                 {"nodes_in_all", subset.nodes_in_all},
                 {"k_max", std::min(options.k_max, subset.nodes_in_all)},
                 {"epsilon", options.epsilon},
                 {"confidence", 1 - options.delta},
                 {"level", rule.level},
                 // What the paper accepts need not hold: the bound says whether it does.
                 {"guaranteed", subset.accepted && subset.evidence.lower_bound >= 1 - options.epsilon},
                 {"forward_passes", subset.forward_passes},
                 {"exact", nullptr}};
    if (subset.exact) {
        json["exact"] = {{"size", subset.exact->nodes.size()},
                         {"found", subset.exact->found},
                         {"proven", subset.exact->proven},
                         {"size_at_least", subset.exact->size_at_least},
                         {"nodes", subset.exact->nodes}};
    }
    return json;
}

Json multipliers_json(ProblemInfo const& info, Multipliers const& multipliers) {
    Json json = {{"backend", name_of(multipliers.backend)},
                 {"aggregate", name_of(multipliers.aggregate)},
                 {"lambda", Json::object()},
                 {"lp", nullptr},
                 {"range", nullptr}};
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        json["lambda"][std::string(info.families[k])] = optional_number(multipliers.families[k].value);
    }
    if (multipliers.lp) {
        LpReport const& lp = *multipliers.lp;
        json["lp"] = {{"status", name_of(lp.status)},
                      {"objective", finite(lp.objective)},
                      {"primal_residual", finite(lp.audit.primal_residual)},
                      {"dual_residual", finite(lp.audit.dual_residual)},
                      {"gap", finite(lp.audit.gap)}};
    }
    if (multipliers.range) json["range"] = ranges_json(info, *multipliers.range);
    return json;
}

} // namespace cax
