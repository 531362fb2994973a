#include "cax/records/explanation.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/records/attribution.hpp"
#include "cax/records/counterfactual.hpp"
#include "cax/records/decision.hpp"
#include "cax/records/parts.hpp"
#include "cax/records/subset.hpp"

#include <fmt/format.h>

namespace cax::records {
namespace {

/// Writes one explanation down; holds what all its steps share.
class Writer {
public:
    explicit Writer(Explanation const& explanation)
        : explanation_(explanation),
          instance_(*explanation.instance),
          presentation_(instance_.problem().presentation()),
          info_(instance_.problem().info()) {}

    [[nodiscard]] Json problem() const {
        Json families = Json::array();
        for (std::size_t k = 0; k < info_.families.size(); ++k) {
            auto const& [label, hint, data] = presentation_.families()[k];
            families.push_back(
                {{"name", info_.families[k]}, {"label", label}, {"hint", hint}, {"data", data.empty() ? label : data}});
        }
        return {{"name", info_.name},
                {"title", info_.title},
                {"objective", info_.objective == Objective::minimise ? "minimise" : "maximise"},
                {"cost_word", info_.cost_word},
                {"node_word", info_.node_word},
                {"families", std::move(families)}};
    }

    [[nodiscard]] Json solution() const {
        CheckReport const& report = explanation_.report;
        Json json = {{"cost", report.cost},
                     {"valid", report.valid()},
                     {"violations", report.violations},
                     {"actions", explanation_.actions},
                     {"drawing", presentation_.drawing(instance_, explanation_.solution)}};
        json.update(solution_to_json(instance_, explanation_.solution));
        return json;
    }

    [[nodiscard]] Json multipliers(Multipliers const& multipliers) const {
        Json json = {{"backend", name_of(multipliers.backend)},
                     {"aggregate", name_of(multipliers.aggregate)},
                     {"lambda", lambda_json(info_, multipliers)},
                     {"lp", nullptr},
                     {"range", nullptr}};
        if (multipliers.lp) {
            Json& lp = json["lp"] = {{"status", nullptr},
                                     {"objective", nullptr},
                                     {"primal_residual", nullptr},
                                     {"dual_residual", nullptr},
                                     {"gap", nullptr}};
            Json const whole = lp_json(info_, *multipliers.lp);
            fill(lp, whole);
            if (whole.contains("over_arcs")) lp["over_arcs"] = whole["over_arcs"];
        }
        if (multipliers.range && !multipliers.range->with_redundant_rows.families.empty()) {
            add_ranges(info_, *multipliers.range, json);
        }
        if (multipliers.range_too_large) json["range_status"] = name_of(FamilyStatus::too_large);
        return json;
    }

    /// `place` is that in "steps".
    [[nodiscard]] Json step(Step const& step, std::size_t place) const {
        Json json = choice(step.choice);
        json["step"] = step.step;
        json["log_prob"] = step.log_prob;
        json["allowed"] = step.allowed;
        json["actions"] = step.actions;
        json["runner_up"] = step.runner_up ? choice(*step.runner_up) : Json(nullptr);
        json["policy"] = nullptr;
        if (step.favourite) {
            json["policy"] = choice(*step.favourite);
            json["policy"]["agrees"] = !step.differs();
        }
        json["slacks"] = slacks_json(info_, step.slacks);
        json["moment"] = presentation_.moment(*step.choice.state, prefix(step.step));
        json["attribution"] = step.attribution ? attribution(*step.attribution) : Json(nullptr);
        json["counterfactual"] = step.counterfactual ? counterfactual(*step.counterfactual) : Json(nullptr);
        json["subset"] = step.subset ? subset(*step.subset) : Json(nullptr);
        json["why_not"] = step.why_not ? why_not(*step.why_not) : Json(nullptr);
        json["swap"] = step.swap ? swap_json(info_, *step.swap) : Json(nullptr);
        json["sensitivity"] = step.sensitivity ? sensitivity_json(info_, *step.sensitivity) : Json(nullptr);
        json["forbidden"] = step.forbidden ? forbidden_json(info_, *step.forbidden) : Json(nullptr);
        json["alternatives"] = step.alternatives ? alternatives(step) : Json(nullptr);
        json["price"] = step.alternatives ? price_json(info_, *step.alternatives) : Json(nullptr);
        json["thumb"] = step.thumb ? thumb_json(instance_.problem(), *step.thumb) : Json(nullptr);
        json["lines"] = Json::array();
        for (Sentence const& each : step.lines)
            json["lines"].push_back(line_json(each, fmt::format("/steps/{}", place)));
        json["sentences"] = Json::array();
        for (Sentence const& each : step.sentences) json["sentences"].push_back(sentence(each));
        json["seconds"] = seconds(step.seconds);
        return json;
    }

    /// With where it leads the episode at the step at which the plans part.
    [[nodiscard]] Json best_known(BestKnown const& best) const {
        Json json = best_known_json(instance_, best);
        bool const explained = best.parts_at && *best.parts_at < explanation_.steps.size();
        json["instead_mark"] =
            explained ? presentation_.mark(*explanation_.steps[*best.parts_at].choice.state, best.instead_action)
                      : Json(nullptr);
        return json;
    }

    [[nodiscard]] static Json seconds(std::vector<PartSeconds> const& parts) {
        Json json = Json::object();
        for (PartSeconds const& each : parts) json[each.part] = each.seconds;
        return json;
    }

private:
    [[nodiscard]] std::span<std::size_t const> prefix(std::size_t step) const {
        return std::span(explanation_.actions).first(step);
    }

    [[nodiscard]] Json choice(Choice const& choice) const {
        Json json = {{"action", choice.action}, {"words", choice.words}, {"probability", number(choice.probability)}};
        if (choice.state) json["mark"] = presentation_.mark(*choice.state, choice.action);
        return json;
    }

    /// With where each leads, for the drawing; what is not a matter of rules (it is done already) leads nowhere.
    [[nodiscard]] Json alternatives(Step const& step) const {
        Json json = alternatives_json(info_, *step.alternatives);
        for (Json& each : json) {
            bool const leads = each["allowed"].get<bool>() || !each["forbidden_by"].is_null();
            each["mark"] = leads ? presentation_.mark(*step.choice.state, each["action"]) : Json(nullptr);
        }
        return json;
    }

    [[nodiscard]] Json attribution(ScoredAttribution const& part) const {
        Json families;
        Json nodes;
        Json ranked = Json::array();
        for (std::size_t k = 0; k < info_.families.size(); ++k) {
            std::string const name(info_.families[k]);
            families[name] = {{"mass", part.cell.mass[k]},
                              {"lambda", number(part.multipliers[k].value)},
                              {"score", number(part.scores.values[k])},
                              {"share", number(part.scores.shares[k])},
                              {"status", part.status(k)}};
            nodes[name] = part.cell.nodes[k];
            ranked.push_back(info_.families[part.scores.ranked[k]]);
        }
        return {{"status", name_of(part.cell.status)},
                {"score_status", name_of(part.scores.status)},
                {"families", std::move(families)},
                {"ranked", std::move(ranked)},
                {"top", family_name(info_, part.scores.top)},
                {"top_unique", part.top_unique ? Json(name_of(*part.top_unique)) : Json(nullptr)},
                {"always_first", family_name(info_, part.always_first)},
                {"nodes", part.cell.node_totals()},
                {"node_families", std::move(nodes)}};
    }

    [[nodiscard]] Json changes(Flip const& flip, std::vector<Condition> const& conditions) const {
        Json list = Json::array();
        for (std::size_t i = 0; i < conditions.size(); ++i) {
            EntryChange const& change = flip.changes[i];
            Condition const& condition = conditions[i];
            list.push_back({{"tensor", info_.tensors[change.tensor].name},
                            {"index", change.index},
                            {"position", position(flip.change[change.tensor].shape, change.index)},
                            {"from", change.from},
                            {"to", change.to},
                            {"shown_from", condition.from},
                            {"shown_to", condition.to},
                            {"node", count(condition.node)},
                            {"words", condition.words}});
        }
        return list;
    }

    [[nodiscard]] Json certificate(StepCounterfactual const& part) const {
        SettledFlip const& best = *part.answer.best();
        Json json = {{"mode", nullptr},    {"source", nullptr}, {"verdict", nullptr},
                     {"doubt", nullptr},   {"reason", nullptr}, {"words", part.certificate_words},
                     {"checked", nullptr}, {"cost", nullptr},   {"cost_word", info_.cost_word},
                     {"witness", nullptr}, {"drawing", nullptr}};
        fill(json, certificate_json(instance_, *best.certificate));
        if (best.certificate->witness && best.flip.changed) {
            json["drawing"] = presentation_.drawing(*best.flip.changed, *best.certificate->witness);
        }
        return json;
    }

    [[nodiscard]] Json counterfactual(StepCounterfactual const& part) const {
        CounterfactualAnswer const& answer = part.answer;
        Json json = {{"status", name_of(answer.status())},
                     {"new_action", nullptr},
                     {"new", nullptr},
                     {"new_words", nullptr},
                     {"l1", nullptr},
                     {"sampled_l1", nullptr},
                     {"tensor", nullptr},
                     {"family", nullptr},
                     {"family_mass", Json::object()},
                     {"entries", 0},
                     {"changes", Json::array()},
                     {"refined", false},
                     {"best_margin", number(answer.report.best_margin)},
                     {"shots", answer.report.shots},
                     {"forward_passes", answer.report.forward_passes + answer.refine_passes},
                     {"odd", part.odd},
                     {"scene", nullptr},
                     {"moment", nullptr},
                     {"certificate", nullptr}};
        json.update(search_json(answer));
        SettledFlip const* const best = answer.best();
        if (best == nullptr) return json;
        Flip const& flip = best->flip;
        fill(json, flip_json(info_, flip));
        json["new"] = choice(*part.choice);
        json["new_words"] = part.choice->words;
        json["sampled_l1"] = answer.sampled.front().flip.l1;
        json["family_mass"] = by_family(info_, flip.family_mass);
        json["changes"] = changes(flip, part.conditions);
        json["refined"] = !answer.refined.empty();
        if (flip.state) {
            json["scene"] = presentation_.scene(*flip.changed);
            json["moment"] = presentation_.moment(*flip.state, prefix(answer.step));
        }
        if (best->certificate) json["certificate"] = certificate(part);
        return json;
    }

    [[nodiscard]] Json subset(StepSubset const& part) const {
        Subset const& subset = part.subset;
        Json json = {{"accepted", subset.accepted},
                     {"forced", subset.forced},
                     {"size", subset.size()},
                     {"nodes", subset.nodes},
                     {"labels", part.labels},
                     {"rate", nullptr},
                     {"lower_bound", nullptr},
                     {"samples", nullptr},
                     {"margin", number(subset.margin)},
                     {"nodes_in_all", subset.nodes_in_all},
                     {"k_max", part.k_max},
                     {"epsilon", part.epsilon},
                     {"confidence", part.confidence},
                     {"level", part.level},
                     {"guaranteed", part.guaranteed},
                     {"forward_passes", subset.forward_passes},
                     {"exact", nullptr}};
        fill(json, share_json(subset.observed));
        if (subset.exact) {
            json["exact"] = {{"size", subset.exact->nodes.size()},
                             {"found", subset.exact->found},
                             {"proven", subset.exact->proven},
                             {"size_at_least", subset.exact->size_at_least},
                             {"nodes", subset.exact->nodes}};
        }
        return json;
    }

    [[nodiscard]] Json why_not(StepWhyNot const& part) const {
        Json json = {{"node", part.node},
                     {"label", part.label},
                     {"allowed", !part.refusal},
                     {"chosen", part.chosen},
                     {"counterfactual", nullptr}};
        if (part.refusal) {
            json["reason"] = part.refusal->reason;
            if (part.refusal->slack) {
                json["used"] = number(part.refusal->slack->used);
                json["limit"] = number(part.refusal->slack->limit);
            }
        }
        if (part.choice) json.update(choice(*part.choice));
        if (part.counterfactual) json["counterfactual"] = counterfactual(*part.counterfactual);
        return json;
    }

    [[nodiscard]] static Json sentence(Sentence const& sentence) {
        Json values = Json::array();
        for (Quote const& each : sentence.fields) values.push_back({{"path", each.field}, {"shown", each.shown}});
        return {{"about", name_of(sentence.about)},
                {"evidence", name_of(sentence.evidence)},
                {"text", sentence.text},
                {"values", std::move(values)}};
    }

    Explanation const& explanation_;
    Instance const& instance_;
    Presentation const& presentation_;
    ProblemInfo const& info_;
};

} // namespace

Json explanation_json(Explanation const& explanation) {
    Instance const& instance = *explanation.instance;
    Writer const writer(explanation);
    Json json = {
        {"problem", writer.problem()},
        {"instance", {{"name", instance.name()}, {"size", instance.size()}, {"description", instance.description()}}},
        {"scene", instance.problem().presentation().scene(instance)},
        {"solution", writer.solution()},
        {"steps", Json::array()},
        {"seconds", Writer::seconds(explanation.seconds)}};
    for (std::size_t i = 0; i < explanation.steps.size(); ++i) {
        json["steps"].push_back(writer.step(explanation.steps[i], i));
    }
    json["story"] = Json::array();
    for (Sentence const& each : explanation.story) json["story"].push_back(line_json(each, ""));
    ProblemInfo const& info = instance.problem().info();
    json["given"] = nullptr;
    if (auto const& given = explanation.given) {
        json["given"] = {{"whose", given->whose},
                         {"policy_cost", number(given->policy_cost)},
                         {"gap", given->gap},
                         {"waits", given->waits}};
    }
    json["plan"] = explanation.plan ? plan_json(info, *explanation.plan) : Json(nullptr);
    json["best_known"] = explanation.best_known ? writer.best_known(*explanation.best_known) : Json(nullptr);
    json["thumb"] = explanation.thumb ? thumb_story_json(*explanation.thumb) : Json(nullptr);
    if (explanation.multipliers) json.update(writer.multipliers(*explanation.multipliers));
    return json;
}

} // namespace cax::records
