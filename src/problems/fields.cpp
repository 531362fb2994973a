#include "fields.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// What stands there, for an error message: the value itself if it is short, else its kind.
std::string found(Json const& value) {
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

} // namespace

Result<Json const*> require_field(Json const& object, std::string_view key) {
    if (!object.is_object()) {
        return Error{ErrorCode::file_malformed, fmt::format("expected an object, found {}", found(object))};
    }
    auto const place = object.find(key);
    if (place == object.end()) return Error{ErrorCode::file_malformed, fmt::format("{} is missing", key)};
    return &*place;
}

Result<Json const*> require_array(Json const& object, std::string_view key) {
    auto field = require_field(object, key);
    if (field && !(*field)->is_array()) {
        return Error{ErrorCode::file_malformed, fmt::format("{} is {}, not a list", key, found(**field))};
    }
    return field;
}

Result<double> require_number(Json const& object, std::string_view key) {
    auto const field = require_field(object, key);
    if (!field) return field.error();
    if (!(*field)->is_number()) {
        return Error{ErrorCode::file_malformed, fmt::format("{} is {}, not a number", key, found(**field))};
    }
    return (*field)->get<double>();
}

Result<float> require_float(Json const& object, std::string_view key) {
    auto const number = require_number(object, key);
    if (!number) return number.error();
    return static_cast<float>(*number);
}

std::string name_field(Json const& object) {
    auto const name = require_field(object, "name");
    return name && (*name)->is_string() ? (*name)->get<std::string>() : std::string();
}

Result<std::vector<std::size_t>> read_indices(Json const& list, std::string_view what) {
    if (!list.is_array()) {
        return Error{ErrorCode::file_malformed, fmt::format("{} is {}, not a list", what, found(list))};
    }
    std::vector<std::size_t> indices;
    indices.reserve(list.size());
    for (Json const& entry : list) {
        if (!entry.is_number_unsigned()) {
            return Error{ErrorCode::file_malformed,
                         fmt::format("{}: {} is not a number of a node", what, found(entry))};
        }
        indices.push_back(entry.get<std::size_t>());
    }
    return indices;
}

double readable(float value) {
    std::array<char, 32> text{};
    auto const written = std::to_chars(text.data(), text.data() + text.size(), value);
    double number = 0;
    std::from_chars(text.data(), written.ptr, number);
    // The decimal is shortest for a float reader; going through double may, very rarely, round to a neighbour.
    return static_cast<float>(number) == value ? number : double{value};
}

Json json_number(double value) {
    constexpr double exact = 1e15; // whole numbers up to here are exact in double
    return value == std::round(value) && std::fabs(value) < exact ? Json(static_cast<std::int64_t>(value))
                                                                  : Json(value);
}

Json json_string(std::string const& text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<Tensor const*> require_tensor(NamedTensors const& tensors, std::string_view name, Shape const& shape) {
    auto const place = tensors.find(name);
    if (place == tensors.end()) return Error{ErrorCode::file_malformed, fmt::format("{} is missing", name)};
    if (place->second.shape() != shape) {
        return Error{ErrorCode::file_malformed, fmt::format("{} has shape {}, expected {}", name,
                                                            to_string(place->second.shape()), to_string(shape))};
    }
    return &place->second;
}

Result<DataSetShape> shape_of_rows(NamedTensors const& tensors, std::string_view name, std::size_t width,
                                   std::string_view many, std::size_t max_nodes) {
    auto const place = tensors.find(name);
    if (place == tensors.end()) return Error{ErrorCode::file_malformed, fmt::format("{} is missing", name)};
    Shape const& shape = place->second.shape();
    bool const flat = width == 1;
    if (shape.size() != (flat ? 2U : 3U) || (!flat && shape[2] != width)) {
        return Error{ErrorCode::file_malformed,
                     fmt::format("{} has shape {}, expected [instances, {}{}]", name, to_string(shape), many,
                                 flat ? std::string() : fmt::format(", {}", width))};
    }
    if (shape[0] == 0) return Error{ErrorCode::invalid_value, fmt::format("{} holds no instance", name)};
    // Without rows the number of instances would not be bounded by the bytes of the file.
    if (shape[1] == 0 || shape[1] >= max_nodes) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("{} has {} {}, expected 1 to {}", name, shape[1], many, max_nodes - 1)};
    }
    return DataSetShape{shape[0], shape[1]};
}

Result<void> check_option_names(Options const& options, std::vector<std::string_view> const& known) {
    for (auto const& [name, value] : options) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("unknown option '{}' (known: {})", printable(name),
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")))};
    }
    return {};
}

Result<double> number_option(Options const& options, std::string_view name, double fallback, double low, double high) {
    auto const place = options.find(name);
    if (place == options.end()) return fallback;
    std::string const& text = place->second;
    double value = 0;
    auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("option {}: '{}' is not a number from {} to {}", name, printable(text), low, high)};
    }
    return value;
}

Result<std::size_t> parse_count(std::string_view text, std::string_view what, std::size_t low, std::size_t high) {
    std::size_t value = 0;
    auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < low || value > high) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("{}: '{}' is not a whole number from {} to {}", what, printable(text), low, high)};
    }
    return value;
}

} // namespace cax
