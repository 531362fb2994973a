#pragma once
// What all records are written with. A record is a value of the explain layer as JSON: the command line, the study and
// the report write and read the same ones. Nothing here computes anything that a value does not already hold.
#include "cax/core/json.hpp"
#include "cax/problems/problem.hpp"

#include <optional>
#include <span>
#include <vector>

namespace cax::records {

/// JSON has no infinities: null, also for what is not there.
[[nodiscard]] Json number(double value);
[[nodiscard]] Json number(std::optional<double> value);
/// A count or an index, or null.
[[nodiscard]] Json count(std::optional<std::size_t> value);
/// The name of a family or tensor, or null.
[[nodiscard]] Json family_name(ProblemInfo const& info, std::optional<std::size_t> family);
[[nodiscard]] Json tensor_name(ProblemInfo const& info, std::optional<std::size_t> tensor);

/// The place of an entry in its tensor's own shape: [3, 0].
[[nodiscard]] Json position(Shape const& shape, std::size_t index);

/// {"family": value, ...}
[[nodiscard]] Json by_family(ProblemInfo const& info, std::span<double const> values);

/// Gives the fields of `form` the values that they have in `from`; what `from` has not stays as it is.
void fill(Json& form, Json const& from);

} // namespace cax::records
