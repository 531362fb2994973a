#pragma once
// The only family and the only field of a travelling salesman instance.
#include "../routing/field.hpp"

namespace cax::tsp {

/// Place in ProblemInfo::families.
enum Family : std::size_t { spatial };
/// Place in the table.
enum FieldIndex : std::size_t { field_locs };

inline constexpr std::array<routing::Field, 1> fields{routing::places(spatial, 0.3, 0.01)};

} // namespace cax::tsp
