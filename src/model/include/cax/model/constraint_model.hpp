#pragma once
// A constraint satisfaction problem over whole numbers as plain data: variables with bounds, constraints tagged with
// the family they belong to. Problems write it, a solver reads it, tests evaluate it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cax {

struct IntVariable {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::string name;
};

struct ConstraintModel {
    std::vector<IntVariable> variables;
};

} // namespace cax
