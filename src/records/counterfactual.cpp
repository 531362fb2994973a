#include "cax/records/counterfactual.hpp"

#include "cax/explain/perturbation.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/records/parts.hpp"

namespace cax::records {

Json certificate_json(Instance const& instance, Certificate const& certificate) {
    Json json{{"mode", name_of(certification_of(certificate.question))},
              {"source", name_of(certificate.source)},
              {"verdict", name_of(certificate.verdict)},
              {"witness", nullptr},
              {"checked", certificate.checked},
              {"reason", certificate.reason},
              {"doubt", name_of(certificate.doubt)},
              {"work", certificate.work}};
    if (certificate.witness) {
        json["witness"] = solution_to_json(instance, *certificate.witness);
        json["cost"] = certificate.cost;
    }
    if (!certificate.conflict.empty()) {
        json["conflict"] = Json::array();
        for (std::size_t const family : certificate.conflict) {
            json["conflict"].push_back(instance.problem().info().families[family]);
        }
        json["conflict_is_minimal"] = certificate.conflict_is_minimal;
    }
    return json;
}

Json verdict_json(Certificate const& certificate) {
    Json json{{"verdict", name_of(certificate.verdict)}, {"source", name_of(certificate.source)}};
    if (certificate.doubt != Doubt::none) json["doubt"] = name_of(certificate.doubt);
    if (certificate.verdict == Verdict::refuted) json["reason"] = certificate.reason;
    return json;
}

Result<std::optional<Verdict>> read_verdict(Json const& json) {
    if (json.is_null()) return std::optional<Verdict>();
    if (!json.is_object() || !json.contains("verdict") || !json["verdict"].is_string())
        return Error{ErrorCode::file_malformed, "verdict: is not a word"};
    auto const verdict = parse_name<Verdict>("verdict", json["verdict"].get<std::string>());
    if (!verdict) return verdict.error();
    return std::optional(*verdict);
}

Json flip_json(ProblemInfo const& info, Flip const& flip) {
    return {{"new_action", flip.new_action},
            {"l1", flip.l1},
            {"entries", flip.entries},
            {"tensor", tensor_name(info, flip.tensor)},
            {"family", family_name(info, flip.family)}};
}

namespace {

Json changes_json(Instance const& instance, Flip const& flip) {
    ProblemInfo const& info = instance.problem().info();
    std::size_t const nodes = instance.problem().presentation().node_count(instance);
    Json list = Json::array();
    for (EntryChange const& entry : flip.changes) {
        Shape const& shape = flip.change[entry.tensor].shape;
        std::size_t const node = node_of(info.tensors[entry.tensor], shape, entry.index);
        list.push_back({{"tensor", info.tensors[entry.tensor].name},
                        {"index", entry.index},
                        {"position", position(shape, entry.index)},
                        {"node", node < nodes ? Json(node) : Json(nullptr)},
                        {"from", entry.from},
                        {"to", entry.to},
                        {"words", entry.words}});
    }
    return list;
}

} // namespace

Json settled_json(Instance const& instance, SettledFlip const& settled) {
    ProblemInfo const& info = instance.problem().info();
    Flip const& flip = settled.flip;
    Json json{{"status", name_of(settled.status())},
              {"new_action", nullptr},
              {"new_action_words", flip.new_action_words},
              {"new_words", flip.new_action_words},
              {"l1", nullptr},
              {"l2", flip.l2},
              {"linf", flip.linf},
              {"entries", nullptr},
              {"tensor", nullptr},
              {"family", nullptr},
              {"family_mass", by_family(info, flip.family_mass)},
              {"margin", number(flip.margin)},
              {"shot", count(flip.shot)},
              {"changes", changes_json(instance, flip)},
              {"certificate", nullptr}};
    fill(json, flip_json(info, flip));
    if (settled.certificate) json["certificate"] = certificate_json(instance, *settled.certificate);
    return json;
}

Json search_json(CounterfactualAnswer const& answer) {
    bool const guided = answer.guided.has_value();
    return {{"search", name_of(guided ? FlipSearch::guided : FlipSearch::sampler)},
            {"movable", guided ? Json(answer.guided->entries) : Json(nullptr)},
            {"tried", guided ? Json(answer.guided->tried) : Json(nullptr)},
            {"tried_together", guided ? Json(answer.guided->tried_together) : Json(nullptr)},
            {"out_of_passes", guided ? Json(answer.guided->exhausted) : Json(nullptr)}};
}

Json decision_json(Episode const& episode, CounterfactualAnswer const& answer) {
    ShotReport const& report = answer.report;
    std::string const words = describe_action(*episode.decisions[answer.step].state, answer.action);
    Json json{{"instance", answer.instance},
              {"step", answer.step},
              {"action", answer.action},
              {"action_words", words},
              {"words", words},
              {"status", name_of(answer.status())},
              {"new_action", nullptr},
              {"new_words", nullptr},
              {"refined", !answer.refined.empty()},
              {"l1", nullptr},
              {"tensor", nullptr},
              {"family", nullptr},
              {"family_mass", nullptr},
              {"changes", Json::array()},
              {"forward_passes", report.forward_passes},
              {"plain_loop_passes", report.passing},
              {"refine_passes", answer.refine_passes},
              {"shots", report.shots},
              {"passing", report.passing},
              {"best_margin", number(report.best_margin)},
              {"certificate", nullptr}};
    json.update(search_json(answer));
    SettledFlip const* const best = answer.best();
    if (best == nullptr) return json;
    Instance const& instance = *episode.instance;
    json.update(settled_json(instance, *best));
    bool const was_refined = !answer.refined.empty();
    auto const& flips = was_refined ? answer.refined : answer.sampled;
    if (was_refined) json["sampled"] = settled_json(instance, answer.sampled.front());
    if (flips.size() > 1) {
        json["others"] = Json::array();
        for (std::size_t i = 1; i < flips.size(); ++i) json["others"].push_back(settled_json(instance, flips[i]));
    }
    return json;
}

Json family_json(Episode const& episode, FamilyAnswer const& answer) {
    Json json{{"family", episode.instance->problem().info().families[answer.family]},
              {"relative_size", answer.flip ? Json(answer.relative_size) : Json(nullptr)},
              {"reach", answer.reach},
              {"forward_passes", answer.forward_passes},
              {"flip", nullptr}};
    if (answer.flip) json["flip"] = settled_json(*episode.instance, *answer.flip);
    return json;
}

Json statuses_json(AnswerTally::Statuses const& statuses) {
    Json json = Json::object();
    for (auto const& [status, name, help] : names_of(CounterfactualStatus{})) {
        json[std::string(name)] = statuses.contains(status) ? statuses.at(status) : 0;
    }
    return json;
}

Json tally_json(AnswerTally const& tally) {
    Json json{{"cells", tally.decisions},
              {"forward_passes_per_cell", tally.per_cell(tally.forward_passes)},
              {"plain_loop_passes_per_cell", tally.per_cell(tally.passing)},
              {"refine_passes_per_cell", tally.per_cell(tally.refine_passes)},
              {"passing_share", tally.passing_share()},
              {"median_l1_sampled", tally.sampled.median_l1()},
              {"median_entries_sampled", tally.sampled.median_entries()}};
    if (tally.refined.l1.empty()) return json;
    json["sampled_counts"] = statuses_json(tally.sampled_statuses);
    json["median_l1_refined"] = tally.refined.median_l1();
    json["median_entries_refined"] = tally.refined.median_entries();
    json["median_shrinkage"] = tally.median_shrinkage();
    return json;
}

Json wachter_json(WachterCount const& count) {
    return {{"shots", count.shots},
            {"passing", count.passing},
            {"cells", count.decisions},
            {"flipped_cells", count.flipped_cells},
            {"passing_answers", count.passing_answers}};
}

} // namespace cax::records
