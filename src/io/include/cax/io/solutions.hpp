#pragma once
// Solution files: ours and best-known JSON, and VRPLIB's .sol for routing.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace cax::io {

/// A routing solution as VRPLIB writes it: "Route #1: 3 7 1" lines, then "Cost 827.3".
struct SolFile {
    Routes routes;
    std::optional<double> cost;
};
[[nodiscard]] Result<SolFile> parse_sol(std::string_view text);
[[nodiscard]] std::string format_sol(SolFile const& file);

/// One entry of a best-known file: problems.<set>.instances[i].
struct BestKnown {
    double cost = 0;
    bool optimal = false;
    std::optional<double> lower_bound;
    std::optional<Solution> solution;
};
/// The set of that name, one entry per instance of `instances`, in order. Errors name set, entry and field.
[[nodiscard]] Result<std::vector<BestKnown>> parse_best_known(std::string_view text, std::string_view set,
                                                              std::span<InstancePtr const> instances);

/// How many entries the set of that name has.
[[nodiscard]] Result<std::size_t> count_best_known(std::string_view text, std::string_view set);

/// JSON text to a value, with the position of the error.
[[nodiscard]] Result<Json> parse_json(std::string_view text);

} // namespace cax::io
