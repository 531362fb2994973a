#pragma once
// Constraint satisfaction: the seam between those who write a ConstraintModel and the solver behind it. One thread per
// call, many calls at once if you like. Under a work budget the same model, seed and budget give the same answer on
// any machine; a time limit is there for those who would rather have no answer than wait.
#include "cax/core/result.hpp"
#include "cax/model/constraint_model.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace cax {

enum class CspStatus {
    satisfiable,   ///< here is an assignment that satisfies every constraint
    unsatisfiable, ///< proven: there is none
    budget_spent,  ///< stopped; nothing is known
    time_limit,    ///< stopped; nothing is known
};
[[nodiscard]] std::string_view name_of(CspStatus status); ///< "budget_spent"

struct CspLimits {
    std::uint64_t work = 0; ///< nodes of the search tree; 0 = no limit
    double seconds = 0;     ///< wall clock; 0 = no limit
    std::uint64_t seed = 0; ///< breaks ties between variables
};

struct CspAnswer {
    CspStatus status = CspStatus::budget_spent;
    std::vector<std::int64_t> assignment; ///< if satisfiable: one value per variable
    std::uint64_t work = 0;               ///< nodes looked at
};

class CspSolver {
public:
    virtual ~CspSolver() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Error if the model is not valid (see validate) or the solver broke down; an unpleasant answer is a status.
    [[nodiscard]] virtual Result<CspAnswer> solve(ConstraintModel const& model, CspLimits const& limits = {}) const = 0;
};

/// Gecode: depth-first search with Luby restarts and no-goods. May be shared by threads.
[[nodiscard]] CspSolver const& gecode_solver();

} // namespace cax
