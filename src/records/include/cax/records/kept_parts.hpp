#pragma once
// The parts of an explanation that a partial file keeps, whole and to the bit: what is read is what was written.
// Nothing but the program that is to go on reads these; records for people are elsewhere.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/kept_parts.hpp"

namespace cax::records {

[[nodiscard]] Json kept_json(Subset const& part);
[[nodiscard]] Json kept_json(Sensitivity const& part);
[[nodiscard]] Json kept_json(Instance const& instance, Alternatives const& part);

/// False if the JSON is not one of them.
[[nodiscard]] bool read_kept(Json const& json, Subset& part);
[[nodiscard]] bool read_kept(Json const& json, Sensitivity& part);
[[nodiscard]] bool read_kept(Instance const& instance, Json const& json, Alternatives& part);

} // namespace cax::records
