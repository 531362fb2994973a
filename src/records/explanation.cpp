#include "cax/records/explanation.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/records/attribution.hpp"
#include "cax/records/decision.hpp"
#include "cax/records/parts.hpp"
#include "cax/records/regret.hpp"
#include "cax/records/step_parts.hpp"

#include <cmath>
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
        StepContext const context{explanation_, step};
        Json json = context.choice(step.choice);
        json["step"] = step.step;
        json["log_prob"] = step.log_prob;
        json["allowed"] = step.allowed;
        json["actions"] = step.actions;
        json["runner_up"] = step.runner_up ? context.choice(*step.runner_up) : Json(nullptr);
        json["policy"] = nullptr;
        if (step.favourite) {
            json["policy"] = context.choice(*step.favourite);
            json["policy"]["agrees"] = !step.differs();
        }
        json["slacks"] = slacks_json(info_, step.slacks);
        json["moment"] = presentation_.moment(*step.choice.state, context.before());
        add_parts(context, json);
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
        json["loss"] = std::fabs(explanation_.report.cost - best.cost);
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
    if (auto const& external = explanation.external) {
        json["given"] = {{"whose", external->source},
                         {"policy_cost", number(external->policy_cost)},
                         {"gap", external->gap},
                         {"waits", external->waits}};
    }
    json["regret"] = explanation.regret ? plan_regret_json(*explanation.regret) : Json(nullptr);
    json["plan"] = explanation.plan ? plan_json(info, *explanation.plan) : Json(nullptr);
    json["best_known"] = explanation.best_known ? writer.best_known(*explanation.best_known) : Json(nullptr);
    json["thumb"] = explanation.thumb ? thumb_story_json(*explanation.thumb) : Json(nullptr);
    if (explanation.multipliers) json.update(writer.multipliers(*explanation.multipliers));
    return json;
}

} // namespace cax::records
