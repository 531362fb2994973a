#pragma once
// What many sufficient subsets say together: how often a scan succeeds and how few nodes it needs. Scores the order
// that the scans followed, so that attribution methods can be compared.
#include "cax/explain/subset.hpp"

#include <optional>
#include <span>

namespace cax {

struct SubsetScore {
    std::size_t decisions = 0;
    std::size_t forced = 0;   ///< decisions with one allowed action, where any node suffices
    std::size_t accepted = 0; ///< forced ones included
    // Over accepted decisions; 0 if there is none.
    double mean_size = 0;
    double median_size = 0;
    std::size_t max_size = 0;
    double mean_size_of_all = 0;            ///< a decision without a subset counts as k_max + 1: comparable between orders
    std::optional<double> area_under_curve; ///< mean over decisions, if all have their curve
    /// Median margins of decisions with a choice; nothing where there is no such decision.
    std::optional<double> margin_accepted;
    std::optional<double> margin_rejected;
    std::size_t forward_passes = 0;
    std::size_t fixed_passes = 0;

    struct Exact {
        std::size_t searched = 0; ///< decisions with a search
        std::size_t found = 0;
        std::size_t proven = 0;      ///< the smallest size, or that there is none, is proven
        std::size_t optimal = 0;     ///< the scan's subset is proven to be a smallest one
        double mean_size = 0;        ///< of proven smallest subsets
        double mean_scan_size = 0;   ///< of the scans of those same decisions, where they succeeded
        std::size_t both = 0;        ///< decisions behind the two means: proven, and the scan succeeded
        std::size_t scan_missed = 0; ///< the search found a subset where the scan did not
        std::size_t confirmed = 0;   ///< winners whose lower bound on fresh samples reaches 1 - epsilon
        std::size_t forward_passes = 0;
    };
    std::optional<Exact> exact; ///< if some decision was searched
};

/// Options as the subsets were made with.
[[nodiscard]] SubsetScore score_subsets(std::span<Subset const> subsets, SubsetOptions const& options);

} // namespace cax
