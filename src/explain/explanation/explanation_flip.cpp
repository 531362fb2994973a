// The counterfactual part of an explanation: the answer with its drawing, and the question "why not that one?".
#include "explanation_parts.hpp"

#include "cax/explain/words.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

Json finite_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json changes_json(Explained const& all, Flip const& flip) {
    ProblemInfo const& info = all.info();
    Json list = Json::array();
    for (EntryChange const& change : flip.changes) {
        TensorInfo const& tensor = info.tensors[change.tensor];
        double const scale = units_of(all.instance(), change.tensor).scale;
        std::string const from = number_words(scale * change.from);
        std::string const to = number_words(scale * change.to);
        std::size_t const node = node_of(tensor, flip.change[change.tensor].shape, change.index);
        bool const real = node < all.presentation.node_count(all.instance());
        list.push_back(
            {{"tensor", tensor.name},
             {"index", change.index},
             {"from", change.from},
             {"to", change.to},
             {"shown_from", scale * change.from},
             {"shown_to", scale * change.to},
             {"node", real ? Json(node) : Json(nullptr)},
             {"words", all.presentation.change_words(all.instance(), change.tensor, change.index, from, to)}});
    }
    return list;
}

std::string certificate_words(Certificate const& certificate, Certification asked) {
    std::string const what = asked == Certification::prefix
                                 ? "what was done so far, then the new action, can be completed on the changed instance"
                             : asked == Certification::bound ? "the changed instance has a solution within the bound"
                                                             : "the changed instance has a solution";
    switch (certificate.verdict) {
    case Verdict::certified:
        return what + ": there is a complete solution" +
               (certificate.checked ? ", which the problem's own checker accepts" : "");
    case Verdict::refuted: return "it is proved that this is not so: " + what + " (" + certificate.reason + ")";
    case Verdict::undecided: return "whether " + what + " is open: " + certificate.reason;
    }
    return what;
}

Json certificate_json(Explained const& all, Certificate const& certificate, Instance const* changed) {
    Certification const asked = certification_of(certificate.question);
    Json json = {{"mode", name_of(asked)},
                 {"source", name_of(certificate.source)},
                 {"verdict", name_of(certificate.verdict)},
                 {"doubt", name_of(certificate.doubt)},
                 {"reason", certificate.reason},
                 {"words", certificate_words(certificate, asked)},
                 {"checked", certificate.checked},
                 {"cost", certificate.witness ? Json(certificate.cost) : Json(nullptr)},
                 {"cost_word", all.info().cost_word},
                 {"witness", nullptr},
                 {"drawing", nullptr}};
    if (certificate.witness) {
        json["witness"] = solution_to_json(all.instance(), *certificate.witness);
        if (changed != nullptr) json["drawing"] = all.presentation.drawing(*changed, *certificate.witness);
    }
    return json;
}

/// The changed instance as it is drawn, and what the policy does on it.
void add_drawing(Explained const& all, Flip const& flip, std::size_t step, Json& json) {
    auto const actions = all.walk.actions();
    auto const prefix = std::span(actions).first(step);
    json["new"] = {{"action", flip.new_action},
                   {"words", describe_action(*flip.state, flip.new_action)},
                   {"probability", flip.new_probability ? Json(*flip.new_probability) : Json(nullptr)},
                   {"mark", all.presentation.mark(*flip.state, flip.new_action)}};
    json["scene"] = all.presentation.scene(*flip.changed);
    json["moment"] = all.presentation.moment(*flip.state, prefix);
}

/// Why is this action not in the mask?
Json refusal_json(Explained const& all, Cell const& cell, std::optional<std::size_t> action, std::size_t node) {
    if (action) {
        for (Slack const& slack : slacks_of(*cell.state, *action)) {
            if (slack.slack >= 0) continue;
            return {{"reason", slack.rule}, {"used", finite_number(slack.used)}, {"limit", finite_number(slack.limit)}};
        }
    }
    auto const actions = all.walk.actions();
    Json const moment = all.presentation.moment(*cell.state, std::span(actions).first(cell.step));
    for (Json const& done : moment["done"]) {
        if (done == node) return {{"reason", "it has been dealt with already"}};
    }
    return {{"reason", "it is not its turn"}};
}

Result<std::size_t> node_called(Explained const& all, std::string const& name) {
    std::size_t const count = all.presentation.node_count(all.instance());
    auto const called = [&](std::size_t node) { return all.presentation.node_short(all.instance(), node); };
    for (std::size_t node = 0; node < count; ++node) {
        if (called(node) == name) return node;
    }
    return Error{ErrorCode::invalid_value, fmt::format("why not '{}': there is no such {}; they are called {} to {}",
                                                       name, all.info().node_word, called(0), called(count - 1))};
}

} // namespace

Json counterfactual_json(Explained const& all, CounterfactualAnswer const& found) {
    ProblemInfo const& info = all.info();
    Json json = {{"status", name_of(found.status())},
                 {"new_action", nullptr},
                 {"new", nullptr},
                 {"l1", nullptr},
                 {"sampled_l1", nullptr},
                 {"tensor", nullptr},
                 {"family", nullptr},
                 {"family_mass", Json::object()},
                 {"entries", 0},
                 {"changes", Json::array()},
                 {"refined", false},
                 {"best_margin", finite_number(found.report.best_margin)},
                 {"shots", found.report.shots},
                 {"forward_passes", found.report.forward_passes + found.refine_passes},
                 {"scene", nullptr},
                 {"moment", nullptr},
                 {"certificate", nullptr}};
    SettledFlip const* const best = found.best();
    if (best == nullptr) return json;
    Flip const* const flip = &best->flip;
    json["new_action"] = flip->new_action;
    json["l1"] = flip->l1;
    json["sampled_l1"] = found.sampled.front().flip.l1;
    json["refined"] = !found.refined.empty();
    if (flip->tensor) json["tensor"] = info.tensors[*flip->tensor].name;
    if (flip->family) json["family"] = info.families[*flip->family];
    for (std::size_t k = 0; k < flip->family_mass.size(); ++k) {
        json["family_mass"][std::string(info.families[k])] = flip->family_mass[k];
    }
    json["entries"] = flip->entries;
    json["changes"] = changes_json(all, *flip);
    if (flip->state) add_drawing(all, *flip, found.step, json);
    if (json["new"].is_null()) { // a frozen state: the words are those of the state as it is
        json["new"] = {{"action", flip->new_action}, {"words", flip->new_action_words}, {"probability", nullptr}};
    }
    if (best->certificate) json["certificate"] = certificate_json(all, *best->certificate, flip->changed.get());
    return json;
}

Result<Json> why_not_json(Explained const& all, std::size_t step) {
    auto const node = node_called(all, all.options.why_not);
    if (!node) return node.error();
    Cell const& cell = all.walk.cells[step];
    std::optional<std::size_t> best; // allowed and most probable, or else any
    for (std::size_t a = 0; a < cell.log_probs.size(); ++a) {
        if (all.presentation.node_of(*cell.state, a) != *node) continue;
        if (!best || cell.log_probs[a] > cell.log_probs[*best]) best = a;
    }
    bool const allowed = best && cell.state->action_mask()[*best] != 0;
    Json json = {{"node", *node},
                 {"label", all.presentation.node_label(all.instance(), *node)},
                 {"allowed", allowed},
                 {"chosen", all.presentation.node_of(*cell.state, cell.action) == *node},
                 {"counterfactual", nullptr}};
    if (!allowed) {
        json.update(refusal_json(all, cell, best, *node));
        return json;
    }
    json.update(choice_json(all.presentation, *cell.state, cell.log_probs, *best));
    if (json["chosen"].get<bool>()) return json;
    CounterfactualRequest towards = all.options.counterfactuals;
    towards.search.towards = *best;
    auto const found = answer_counterfactual(all.policy, all.walk, step, towards);
    if (!found) return found.error();
    json["counterfactual"] = counterfactual_json(all, *found);
    return json;
}

} // namespace cax
