#include "certify/conflict.hpp"

#include <algorithm>

namespace cax {

Result<FamilyConflict> find_conflict(ConstraintModel const& model, std::size_t families, WorkAccount& account,
                                     std::uint64_t seed) {
    FamilyConflict conflict;
    ConstraintModel rest = model;
    for (std::size_t family = 0; family < families; ++family) {
        if (std::ranges::find(rest.constraints, family, &Constraint::family) == rest.constraints.end()) continue;
        ConstraintModel without = without_family(rest, family);
        auto const answer = account.solve(without, seed);
        if (!answer) return answer.error();
        if (answer->status == CspStatus::unsatisfiable) {
            rest = std::move(without);
            continue;
        }
        conflict.families.push_back(family);
        conflict.minimal = conflict.minimal && answer->status == CspStatus::satisfiable;
    }
    return conflict;
}

} // namespace cax
