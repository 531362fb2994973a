#pragma once
// A Lagrangian relaxation: some families' constraints are dropped and breaking them costs lambda per unit instead. The
// relaxed problem is solved by a plain constructive heuristic, as in the paper's negative control, so its value is an
// estimate and not a bound. explain climbs in lambda; a problem only answers for a given lambda.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cax {

/// How the published ascent runs on this problem.
struct AscentSettings {
    double step = 1; ///< alpha
    std::size_t iterations = 40;
    std::optional<double> upper_bound; ///< on the Lagrangian, where one is known
    /// +1 if the published code adds lambda'g to the cost, as a Lagrangian does; -1 if it subtracts it.
    double published_sign = 1;
    std::vector<std::uint8_t> dualised; ///< per family: has it a multiplier?
};

/// The relaxed solution for some lambda. Costs are to be minimised, whatever the problem's own objective.
struct RelaxedSolution {
    double cost = 0;
    std::vector<double> violation; ///< per family; 0 if the family is not dualised
};

class LagrangianRelaxation {
public:
    virtual ~LagrangianRelaxation() = default;
    [[nodiscard]] virtual AscentSettings const& settings() const = 0;
    /// `lambda` has one entry >= 0 per family; those of families that are not dualised are not read.
    [[nodiscard]] virtual RelaxedSolution solve(std::span<double const> lambda) const = 0;
};

} // namespace cax
