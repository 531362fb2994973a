#pragma once
// Which families make a model impossible: the deletion filter (Chinneck and Dravnieks 1991) over families instead of
// single constraints. A family whose absence leaves the model impossible is not to blame and goes for good.
#include "certify/work_account.hpp"

#include <cstddef>
#include <vector>

namespace cax {

struct FamilyConflict {
    std::vector<std::size_t> families; ///< that together rule every solution out
    bool minimal = true;               ///< proven: without any one of them the rest can be satisfied
};

/// Precondition: the model is unsatisfiable. A family that the account cannot pay to clear stays under suspicion.
[[nodiscard]] Result<FamilyConflict> find_conflict(ConstraintModel const& model, std::size_t families,
                                                   WorkAccount& account, std::uint64_t seed);

} // namespace cax
