#pragma once
// The two ways to look for a sufficient subset, on any set function: along an order, and through all subsets by size.
#include "subset/preservation.hpp"

#include <cstdint>

namespace cax {

/// Samples of the search's last word have numbers from here on; those of a scan stay below.
inline constexpr std::size_t fresh_samples = std::size_t{1} << 31;

struct ScannedSubset {
    std::vector<SizeTest> tests;
    std::size_t accepted = 0; ///< size of the first accepted prefix of the order; 0 = none
};

/// Sizes 1, 2, ... min(k_max, order.size()), up to the first that passes (with options.curve: all of them). The
/// accepted size, or else the last one, is tested on all samples.
[[nodiscard]] ScannedSubset scan_order(Preservation& preservation, SubsetRule const& rule,
                                       std::span<std::size_t const> order, SubsetOptions const& options);

struct StagedSubset {
    ScannedSubset scanned;
    Preserved observed; ///< of the accepted size, with a bound that holds over all looks; else of the last, without one
    double level = 0;   ///< of the last attempt; 0 if there was none
    std::size_t attempts = 0;
};
/// The same sizes, with acceptances that are certified and as few samples as that takes (staged_scan.cpp).
[[nodiscard]] StagedSubset scan_in_stages(Preservation& preservation, SubsetRule const& rule,
                                          std::span<std::size_t const> order, SubsetOptions const& options);

/// `known` is the size of the prefix of the order that passes (0 = none does, up to k_max). Stops when a smallest
/// subset is proven or the budget is spent; the budget is looked at before every subset.
[[nodiscard]] ExactSubset search_subsets(Preservation& preservation, SubsetRule const& rule,
                                         std::span<std::size_t const> order, std::size_t known,
                                         SubsetOptions const& options);

} // namespace cax
