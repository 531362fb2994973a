#include "cax/train/trainer.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace cax::train {
namespace {

constexpr std::string_view prefix = "train.";

Result<std::string> text_of(TensorFile const& file, std::string_view key) {
    auto const entry = file.metadata.find(key);
    if (entry == file.metadata.end())
        return Error{ErrorCode::file_malformed, fmt::format("metadata {}: missing; not a training checkpoint", key)};
    return entry->second;
}

template <class T> Result<void> read(TensorFile const& file, std::string_view key, T& value) {
    auto const text = text_of(file, key);
    if (!text) return text.error();
    auto const [end, failure] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (failure == std::errc{} && end == text->data() + text->size()) return {};
    return Error{ErrorCode::file_malformed, fmt::format("metadata {}: \"{}\" is not a number", key, printable(*text))};
}

Result<void> read(TensorFile const& file, std::string_view key, std::vector<float>& values) {
    auto const entry = file.tensors.find(key);
    if (entry == file.tensors.end())
        return Error{ErrorCode::file_malformed, fmt::format("{}: missing; not a training checkpoint", key)};
    values = entry->second.to_floats();
    return {};
}

/// File names may hold bytes that are no text.
std::string dumped(Json const& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// The first field in which two identities differ.
std::string first_difference(Json const& written, Json const& asked) {
    auto const value_in = [](Json const& json, std::string const& field) {
        return json.is_object() && json.contains(field) ? printable(dumped(json[field])) : std::string("nothing");
    };
    for (Json const& side : {asked, written}) {
        for (auto const& [field, value] : side.items()) {
            std::string const theirs = value_in(written, field);
            std::string const ours = value_in(asked, field);
            if (theirs != ours) return fmt::format("{} was {} and is {}", printable(field), theirs, ours);
        }
    }
    return "their order differs";
}

} // namespace

TensorFile to_checkpoint(TrainState const& state, Json const& identity) {
    TensorFile file = state.policy;
    file.tensors["train.first_moment"] = Tensor::from_floats({state.first_moment.size()}, state.first_moment);
    file.tensors["train.second_moment"] = Tensor::from_floats({state.second_moment.size()}, state.second_moment);
    file.tensors["train.average"] = Tensor::from_floats({state.average.size()}, state.average);
    file.metadata["train.settings"] = dumped(identity);
    file.metadata["train.steps"] = fmt::format("{}", state.steps);
    file.metadata["train.instances"] = fmt::format("{}", state.instances);
    file.metadata["train.validated"] = fmt::format("{}", state.validated);
    file.metadata["train.seconds"] = fmt::format("{}", state.seconds);
    file.metadata["train.spread"] = fmt::format("{}", state.spread);
    file.metadata["train.best"] = fmt::format("{}", state.best);
    file.metadata["train.has_best"] = state.has_best ? "1" : "0";
    return file;
}

Result<TrainState> from_checkpoint(TensorFile const& file, Json const& identity) {
    auto const settings = text_of(file, "train.settings");
    if (!settings) return settings.error();
    if (*settings != dumped(identity)) {
        Json const written = Json::parse(*settings, nullptr, false);
        return Error{ErrorCode::mismatch,
                     written.is_object() ? "was written with other settings: " + first_difference(written, identity)
                                         : "was written by a version that noted other settings"};
    }
    TrainState state;
    int has_best = 0;
    for (auto const& done :
         {read(file, "train.steps", state.steps), read(file, "train.instances", state.instances),
          read(file, "train.validated", state.validated), read(file, "train.seconds", state.seconds),
          read(file, "train.spread", state.spread), read(file, "train.best", state.best),
          read(file, "train.has_best", has_best), read(file, "train.first_moment", state.first_moment),
          read(file, "train.second_moment", state.second_moment), read(file, "train.average", state.average)})
        if (!done) return done.error();
    state.has_best = has_best != 0;
    state.policy = file;
    std::erase_if(state.policy.tensors, [](auto const& entry) { return entry.first.starts_with(prefix); });
    std::erase_if(state.policy.metadata, [](auto const& entry) { return entry.first.starts_with(prefix); });
    return state;
}

} // namespace cax::train
