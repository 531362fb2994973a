#pragma once
// A finished solution as plain data, and what a checker says about it.
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace cax {

/// Customers (numbered from 1) in visiting order, one list per route; the depot is implied at both ends of each.
struct Routes {
    std::vector<std::vector<std::size_t>> routes;
    bool operator==(Routes const&) const = default;
};

/// When and where each operation runs. Operations are numbered through all jobs, padding not counted.
struct Schedule {
    struct Entry {
        std::size_t operation = 0;
        std::size_t machine = 0;
        double start = 0;
        bool operator==(Entry const&) const = default;
    };
    std::vector<Entry> entries;
    bool operator==(Schedule const&) const = default;
};

/// What is packed: items in ascending order, because the order of packing is no part of it.
struct Packing {
    std::vector<std::size_t> items;
    bool operator==(Packing const&) const = default;
};

using Solution = std::variant<Routes, Schedule, Packing>;

/// How distances are rounded before they are added up. Literature conventions; `exact` is what policies see.
enum class DistanceRule {
    exact,              ///< plain Euclidean, double precision
    truncated_to_tenth, ///< cut to one decimal: the usual convention for Solomon's instances
    nearest_integer,    ///< TSPLIB's EUC_2D
};

/// The verdict of a problem's checker: from the definition, in double precision, by no solver.
struct CheckReport {
    std::vector<std::string> violations; ///< empty means valid; each names the place and the values
    double cost = 0;                     ///< length, prize or makespan; meaningful only if valid
    [[nodiscard]] bool valid() const { return violations.empty(); }
};

} // namespace cax
