#pragma once
// Reference tables of sensitivity as records: cax/reference/1, one per policy and settings.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/sensitivity_reference.hpp"

namespace cax::records {

/// {schema, identity: {...}, shares: [[..]]}
[[nodiscard]] Json reference_json(ReferenceTable const& table);
/// Error names the field that makes no sense: a table that is not whole, or of another version.
[[nodiscard]] Result<ReferenceTable> read_reference(Json const& json);

} // namespace cax::records
