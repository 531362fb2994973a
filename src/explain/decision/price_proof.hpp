#pragma once
// Proofs of prices by the constraint solver: if no completion is better by one grain, the price is the best there is.
// For problems whose scarce resource is the cost itself, and whose costs are whole multiples of a grain.
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"

#include <cstdint>

namespace cax {

[[nodiscard]] bool can_prove_prices(Instance const& instance);

struct PriceProof {
    double cost = 0; ///< of the best completion known now
    Solution solution;
    bool proved = false;    ///< none is better
    std::uint64_t work = 0; ///< steps of the solver
};
/// Starts from a completion that is known; each better one that the solver finds takes its place. Precondition:
/// can_prove_prices(), the solution begins with the prefix.
[[nodiscard]] Result<PriceProof> prove_price(Instance const& instance, std::vector<std::size_t> const& prefix,
                                             PriceProof known, std::uint64_t work);

} // namespace cax
