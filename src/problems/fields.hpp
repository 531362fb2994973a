#pragma once
// Values by name, out of JSON objects, array sets and option maps: what the readers of all problems have in common.
// Every error is one line that names the field and what was found instead; callers add where ("customer 7").
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"
#include "cax/core/tensor.hpp"
#include "cax/problems/problem.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cax {

/// Error: "demand is missing", or that `object` is no object.
[[nodiscard]] Result<Json const*> require_field(Json const& object, std::string_view key);
[[nodiscard]] Result<Json const*> require_array(Json const& object, std::string_view key);
[[nodiscard]] Result<double> require_number(Json const& object, std::string_view key);
/// Rounded to float32; what does not fit becomes infinite and is for make() to refuse.
[[nodiscard]] Result<float> require_float(Json const& object, std::string_view key);
/// "name" if it is there and a string, else empty.
[[nodiscard]] std::string name_field(Json const& object);
/// A list of customer numbers; `what` names it in errors.
[[nodiscard]] Result<std::vector<std::size_t>> read_indices(Json const& list, std::string_view what);

/// The shortest decimal number that rounds to this float32 and no other: 0.37 rather than 0.37000000476837158.
[[nodiscard]] double readable(float value);
/// A JSON number, written without a point if it is whole.
[[nodiscard]] Json json_number(double value);
/// A JSON string; bytes that are not UTF-8 are replaced.
[[nodiscard]] Json json_string(std::string const& text);

/// The array of that name, if it has that shape.
[[nodiscard]] Result<Tensor const*> require_tensor(NamedTensors const& tensors, std::string_view name,
                                                   Shape const& shape);
/// Shape [B, N, width] (or [B, N] of width 1) of that array with B >= 1 and 1 <= N < max_nodes; `many` says what the N
/// are called.
struct DataSetShape {
    std::size_t instances = 0;
    std::size_t rows = 0;
};
[[nodiscard]] Result<DataSetShape> shape_of_rows(NamedTensors const& tensors, std::string_view name, std::size_t width,
                                                 std::string_view many, std::size_t max_nodes);

/// Error if `options` has a name that is not in `known`.
[[nodiscard]] Result<void> check_option_names(Options const& options, std::vector<std::string_view> const& known);
/// The option as a number within [low, high], or `fallback` if it is not given.
[[nodiscard]] Result<double> number_option(Options const& options, std::string_view name, double fallback, double low,
                                           double high);
/// A plain decimal count within [low, high]: the size of an instance to generate.
[[nodiscard]] Result<std::size_t> parse_count(std::string_view text, std::string_view what, std::size_t low,
                                              std::size_t high);

} // namespace cax
