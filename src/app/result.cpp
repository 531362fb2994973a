#include "cax/app/result.hpp"

#include "cax/core/json.hpp"
#include "cax/policies/repeatable.hpp"
#include "cax/records/explanation.hpp"

#include <fmt/format.h>

namespace cax::app {

std::string_view version() { return CAX_VERSION; }

Json result_with_head(ResultHead const& head, Json settings) {
    Json json;
    json["schema"] = fmt::format("cax/{}/1", head.kind);
    json["version"] = version();
    json["command"] = head.command.empty() ? head.kind : head.command;
    json["seed"] = head.seed;
    json["settings"] = std::move(settings);
    json["policy"] = head.policy != nullptr ? policy_json(*head.policy) : Json(nullptr);
    json["instances_sha256"] = nullptr;
    if (head.instances != nullptr && !head.instances->sha256.empty()) json["instances_sha256"] = head.instances->sha256;
    json["wall_seconds"] = head.wall_seconds;
    return json;
}

Json result_of(ResultHead head, Loaded const& loaded, Json settings) {
    head.policy = &loaded.policy;
    head.instances = &loaded.file;
    Json json = result_with_head(head, std::move(settings));
    if (!loaded.scales.note.empty()) json["shown_scales"] = loaded.scales.values;
    return json;
}

std::vector<std::string> notes_about(Loaded const& loaded, std::string const& scale_note,
                                     Episode const& episode) {
    std::vector<std::string> notes;
    if (loaded.in_file > 1) {
        notes.push_back(
            fmt::format("The file has {} instances; this is instance {}.", loaded.in_file, loaded.numbers.front()));
    }
    if (!loaded.size_note.empty()) notes.push_back("Take it with care: " + loaded.size_note + ".");
    if (!scale_note.empty()) notes.push_back(scale_note);
    if (episode.external && episode.external->waits)
        notes.emplace_back("The plan waits where something could be done, so the policy was offered to wait, too.");
    if (episode.state.encode == EncodeMode::each_step && loaded.policy.policy->encoding_changes()) {
        notes.emplace_back(
            "The encoder is run at every step; a plan that is decoded as usual, encoded once, may differ.");
    }
    if (auto const [actions, decisions] = ruled_out(episode); actions > 0) {
        notes.push_back(fmt::format("The policy itself rules out {} allowed action{} in {} decision{}: it gives {} the "
                                    "probability 0. Other plans may take them; comparisons do not know its rule.",
                                    actions, actions == 1 ? "" : "s", decisions, decisions == 1 ? "" : "s",
                                    actions == 1 ? "it" : "them"));
    }
    return notes;
}

Json explanation_result(Json head, Loaded const& loaded, std::vector<std::string> notes,
                        Explanation const& explanation) {
    head["notes"] = std::move(notes);
    head["scale"] = loaded.scales.values.front();
    head.update(records::explanation_json(explanation));
    head["instance"]["number"] = loaded.numbers.front();
    return head;
}

} // namespace cax::app
