#pragma once
// The families and the fields of a CVRP instance.
#include "../routing/field.hpp"

namespace cax::cvrp {

/// Places in ProblemInfo::families.
enum Family : std::size_t { capacity, spatial };
/// Places in the table, and of the features in ProblemInfo::tensors.
enum FieldIndex : std::size_t { field_locs, field_demand, field_capacity };

inline constexpr std::array<routing::Field, 3> fields{{
    routing::places(spatial, 0.3, 0.01),
    routing::demands(capacity, 0.1),
    routing::vehicle_capacity(),
}};

} // namespace cax::cvrp
