#pragma once
// Partial results of the parts that cost much: whole, and to the bit. Nothing but the program that goes on reads them;
// records for people are elsewhere.
#include "cax/core/json.hpp"
#include "cax/explain/explanation.hpp"

#include <cmath>
#include <limits>

namespace cax {

[[nodiscard]] Json partial_json(Subset const& part);
[[nodiscard]] Json partial_json(Sensitivity const& part);
[[nodiscard]] Json partial_json(Instance const& instance, Alternatives const& part);

/// False if the JSON is not one of them.
[[nodiscard]] bool read_partial(Json const& json, Subset& part);
[[nodiscard]] bool read_partial(Json const& json, Sensitivity& part);
[[nodiscard]] bool read_partial(Instance const& instance, Json const& json, Alternatives& part);

/// The part that was kept, or else what `work` gives, which is then kept.
template <class Part>
Result<Part> recalled_or(ExplanationContext const& context, std::size_t step, std::string_view name, auto const& read,
                         auto const& write, auto const& work) {
    PartialResults* const partial = context.options.partial.get();
    if (partial == nullptr) return work();
    Part part;
    if (Json const* const json = partial->recall(step, name); json != nullptr && read(*json, part)) return part;
    Result<Part> made = work();
    if (!made) return made;
    if (Json const json = write(*made); !json.is_null()) partial->keep(step, name, json);
    return made;
}

/// JSON has no infinities; everything else it gives back to the bit.
inline Json exact_json(double value) {
    return std::isfinite(value) ? Json(value) : Json(value > 0 ? "inf" : value < 0 ? "-inf" : "nan");
}
inline Json exact_json(std::optional<double> value) { return value ? exact_json(*value) : Json(nullptr); }
inline double exact_number(Json const& json) {
    if (!json.is_string()) return json.get<double>();
    double const infinity = std::numeric_limits<double>::infinity();
    return json == "inf" ? infinity : json == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}
inline std::optional<double> exact_or_nothing(Json const& json) {
    return json.is_null() ? std::nullopt : std::optional(exact_number(json));
}
inline std::vector<double> exact_numbers(Json const& json) {
    std::vector<double> values;
    for (Json const& each : json) values.push_back(exact_number(each));
    return values;
}
inline Json exact_json(std::vector<double> const& values) {
    Json json = Json::array();
    for (double const value : values) json.push_back(exact_json(value));
    return json;
}

/// Runs a reader; JSON that is not what it expects is no part.
template <class Read> bool readable(Read const& read) {
    try {
        read();
        return true;
    } catch (std::exception const&) {
        return false;
    }
}

} // namespace cax
