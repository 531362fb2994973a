#include "cax/core/printable.hpp"
#include "cax/records/explanation.hpp"
#include "cax/records/parts.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace cax::records {
namespace {

/// The field, or null; results of other versions may lack one.
Json const& field(Json const& json, std::string const& pointer) {
    static Json const none;
    Json::json_pointer const place(pointer);
    return json.contains(place) ? json.at(place) : none;
}

std::optional<std::string> text_at(Json const& json, std::string const& pointer) {
    Json const& value = field(json, pointer);
    return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

std::optional<double> number_at(Json const& json, std::string const& pointer) {
    Json const& value = field(json, pointer);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::vector<std::string> texts_at(Json const& json, std::string const& pointer) {
    std::vector<std::string> texts;
    for (Json const& each : field(json, pointer)) {
        if (each.is_string()) texts.push_back(each.get<std::string>());
    }
    return texts;
}

Error no_such_word(std::string_view what, std::string const& word) {
    return {ErrorCode::file_malformed, fmt::format("{}: '{}' is not one", what, printable(word))};
}

Result<FlipRecord> read_flip(Json const& json) {
    FlipRecord flip;
    if (auto const word = text_at(json, "/status")) {
        constexpr std::array statuses{CounterfactualStatus::certified, CounterfactualStatus::refuted,
                                      CounterfactualStatus::undecided, CounterfactualStatus::flipped,
                                      CounterfactualStatus::no_flip};
        auto const* const found = std::ranges::find(statuses, *word, [](auto status) { return name_of(status); });
        if (found == statuses.end()) return no_such_word("status of a counterfactual", *word);
        flip.status = *found;
    }
    flip.new_words = text_at(json, "/new/words");
    for (Json const& change : field(json, "/changes")) {
        flip.conditions.push_back(text_at(change, "/words").value_or("none"));
    }
    if (auto const word = text_at(json, "/certificate/verdict")) {
        auto const verdict = parse_name<Verdict>("verdict", *word);
        if (!verdict) return no_such_word("verdict of a certificate", *word);
        flip.verdict = *verdict;
    }
    return flip;
}

Result<StepRecord> read_step(Json const& json) {
    StepRecord step;
    Json const& number = field(json, "/step");
    if (!number.is_number_unsigned()) return Error{ErrorCode::file_malformed, "step: is not a number"};
    step.step = number.get<std::size_t>();
    step.words = text_at(json, "/words");
    step.probability = number_at(json, "/probability");
    step.runner_up = text_at(json, "/runner_up/words");
    step.top = text_at(json, "/attribution/top");
    Json const& families = field(json, "/attribution/families");
    for (auto const& [name, family] : families.items()) {
        if (auto const share = number_at(family, "/share")) step.shares[name] = *share;
    }
    auto flip = read_flip(field(json, "/counterfactual"));
    if (!flip) return flip.error();
    step.counterfactual = *std::move(flip);
    step.labels = texts_at(json, "/subset/labels");
    Json const& why_not = field(json, "/why_not");
    step.why_not.label = text_at(why_not, "/label");
    if (field(why_not, "/allowed").is_boolean()) step.why_not.allowed = field(why_not, "/allowed").get<bool>();
    step.why_not.probability = number_at(why_not, "/probability");
    auto towards = read_flip(field(why_not, "/counterfactual"));
    if (!towards) return towards.error().within("why_not");
    step.why_not.counterfactual = *std::move(towards);
    return step;
}

} // namespace

std::optional<double> StepRecord::share_of(std::string_view family) const {
    auto const found = shares.find(family);
    return found == shares.end() ? std::nullopt : std::optional(found->second);
}

StepRecord const* ExplanationRecord::find(std::size_t step) const {
    auto const found = std::ranges::find(steps, step, &StepRecord::step);
    return found == steps.end() ? nullptr : &*found;
}

Result<ExplanationRecord> read_explanation(Json const& json) {
    Error const incomplete{ErrorCode::file_malformed, "not a whole cax/explanation/1"};
    ExplanationRecord record;
    if (!field(json, "/problem/families").is_array() || !field(json, "/steps").is_array()) return incomplete;
    for (Json const& family : json["problem"]["families"]) {
        auto const name = text_at(family, "/name");
        if (!name) return incomplete;
        record.families.push_back({*name, text_at(family, "/label")});
    }
    record.policy_sha256 = text_at(json, "/policy/sha256");
    record.instances_sha256 = text_at(json, "/instances_sha256");
    if (field(json, "/seed").is_number_unsigned()) record.seed = json["seed"].get<std::uint64_t>();
    record.cost_word = text_at(json, "/problem/cost_word");
    record.cost = number_at(json, "/solution/cost");
    if (Json const& actions = field(json, "/solution/actions"); actions.is_array()) {
        record.actions.emplace();
        for (Json const& action : actions) {
            if (!action.is_number_unsigned()) return incomplete;
            record.actions->push_back(action.get<std::size_t>());
        }
    }
    for (std::size_t i = 0; i < json["steps"].size(); ++i) {
        auto step = read_step(json["steps"][i]);
        if (!step) return step.error().within(fmt::format("steps[{}]", i));
        record.steps.push_back(*std::move(step));
    }
    return record;
}

} // namespace cax::records
