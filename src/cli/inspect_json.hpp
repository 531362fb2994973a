#pragma once
// What `cax inspect` finds out about JSON files: results and best known solutions, read piece by piece.
#include "cax/core/json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace cax::cli {

/// What was found out: lines for a person, fields for a machine.
struct Findings {
    std::string text;
    Json fields = Json::object();
};

/// What a JSON object is; nothing if it is not a result or best known solutions of ours (instances, for one, which
/// io::parse_instances reads).
[[nodiscard]] std::optional<Findings> inspect_object(std::string_view text);

} // namespace cax::cli
