#include "edits.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/perturbation.hpp"
#include "cax/explain/sentence.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace cax::serve {
namespace {

Error refusal(std::string words) { return {ErrorCode::invalid_value, std::move(words)}; }

/// One entry, as features hold it.
struct Moved {
    std::size_t tensor = 0;
    std::size_t index = 0;
    double to = 0;
};

Result<std::vector<Moved>> entries_of(Instance const& instance, Edit const& edit) {
    ProblemInfo const& info = instance.problem().info();
    if (auto const* const number = std::get_if<NumberEdit>(&edit)) {
        auto const tensor = std::ranges::find(info.tensors, number->tensor, &TensorInfo::name);
        if (tensor == info.tensors.end()) {
            return refusal(fmt::format("{} has no numbers called '{}'", info.name, printable(number->tensor)));
        }
        auto const t = static_cast<std::size_t>(tensor - info.tensors.begin());
        return std::vector<Moved>{{t, number->index, number->to / units_of(instance, t).scale}};
    }
    auto const& place = std::get<PlaceEdit>(edit);
    Changes const* const changes = instance.problem().changes();
    auto const t = changes != nullptr ? changes->place_tensor() : std::nullopt;
    if (!t) return refusal(fmt::format("no {} of {} has a place", info.node_word, info.name));
    double const scale = units_of(instance, *t).scale;
    return std::vector<Moved>{{*t, 2 * place.node, place.x / scale}, {*t, 2 * place.node + 1, place.y / scale}};
}

/// The node that an entry belongs to, if it is not padding.
std::optional<std::size_t> node_of_entry(Instance const& instance, std::size_t tensor, Shape const& shape,
                                         std::size_t index) {
    std::size_t const node = node_of(instance.problem().info().tensors[tensor], shape, index);
    if (node < instance.problem().presentation().node_count(instance)) return node;
    return std::nullopt;
}

Json entry_json(Instance const& instance, Features const& original, std::size_t tensor, std::size_t index,
                double value) {
    TensorUnits const units = units_of(instance, tensor);
    auto const [low, high] = std::ranges::minmax(original[tensor].values);
    // Room for a hand to move: from 0 (or below, where there is such) to a quarter more than the largest there is.
    double const lowest = units.scale * std::min(0.0, low);
    double const highest = units.scale * std::max({1.25 * high, value, 10 * units.grain});
    return {{"tensor", instance.problem().info().tensors[tensor].name},
            {"index", index},
            {"label", instance.problem().presentation().describe_entry(instance, tensor, index)},
            {"value", units.scale * value},
            {"original", units.scale * original[tensor].values[index]},
            {"unit", units.unit},
            {"step", units.scale * units.grain},
            {"lowest", lowest},
            {"highest", highest}};
}

/// "node 8: ..." with the name that people know it by.
std::string by_name(Instance const& instance, std::string const& message) {
    constexpr std::string_view prefix = "node ";
    std::size_t node = 0;
    if (!message.starts_with(prefix)) return message;
    auto const [end, error] = std::from_chars(message.data() + prefix.size(), message.data() + message.size(), node);
    Presentation const& presentation = instance.problem().presentation();
    if (error != std::errc() || node >= presentation.node_count(instance)) return message;
    return presentation.node_label(instance, node) + std::string(end, message.data() + message.size());
}

} // namespace

Result<InstancePtr> edited(Instance const& instance, std::span<Edit const> edits) {
    StatePtr const state = instance.reset();
    Features features = state->features();
    Features change = zero_change(features);
    Adjustable const movable = adjustable(instance, ChangeKind::primitive);
    for (Edit const& edit : edits) {
        auto const entries = entries_of(instance, edit);
        if (!entries) return entries.error();
        for (auto const& [tensor, index, to] : *entries) {
            if (index >= movable[tensor].size()) {
                return refusal(
                    fmt::format("{} has no entry {}", instance.problem().info().tensors[tensor].name, index));
            }
            if (movable[tensor][index] == 0) {
                return refusal(fmt::format("{} cannot be changed",
                                           instance.problem().presentation().describe_entry(instance, tensor, index)));
            }
            change[tensor].values[index] += to - features[tensor].values[index];
            features[tensor].values[index] = to;
        }
    }
    if (auto const broken = envelope_violation(*state, features)) return refusal(by_name(instance, *broken));
    return changed(instance, change, ChangeKind::primitive);
}

Result<Json> numbers_of_node(Instance const& instance, Instance const& original, std::size_t node) {
    Presentation const& presentation = instance.problem().presentation();
    std::size_t const count = presentation.node_count(instance);
    if (node >= count) return refusal(fmt::format("node {}: there are {}", node, count));
    Features const now = instance.reset()->features();
    Features const first = original.reset()->features();
    Adjustable const movable = adjustable(instance, ChangeKind::primitive);
    Changes const* const changes = instance.problem().changes();
    auto const places = changes != nullptr ? changes->place_tensor() : std::nullopt;
    Json json{{"node", node},
              {"label", presentation.node_label(instance, node)},
              {"place", nullptr},
              {"entries", Json::array()}};
    for (std::size_t t = 0; t < now.size(); ++t) {
        if (places == t) {
            json["place"] = {now[t].values[2 * node], now[t].values[2 * node + 1]};
            continue;
        }
        for (std::size_t i = 0; i < now[t].values.size(); ++i) {
            if (movable[t][i] == 0 || node_of_entry(instance, t, now[t].shape, i) != node) continue;
            json["entries"].push_back(entry_json(instance, first, t, i, now[t].values[i]));
        }
    }
    return json;
}

std::vector<std::string> changes_in_words(Instance const& original, Instance const& instance) {
    std::vector<std::string> words;
    Presentation const& presentation = instance.problem().presentation();
    Features const before = original.reset()->features();
    Features const after = instance.reset()->features();
    Adjustable const movable = adjustable(original, ChangeKind::primitive);
    for (std::size_t t = 0; t < after.size(); ++t) {
        double const scale = units_of(instance, t).scale;
        for (std::size_t i = 0; i < after[t].values.size(); ++i) {
            double const from = before[t].values[i];
            double const to = after[t].values[i];
            if (movable[t][i] == 0 || from == to) continue;
            words.push_back(
                presentation.change_words(instance, t, i, number_words(scale * from), number_words(scale * to)));
        }
    }
    return words;
}

} // namespace cax::serve
