#pragma once
// The least cost of any plan that begins with given actions, for problems with a fleet of equal vehicles (those that have
// a VehicleModel): by column generation over the ends of routes, enumeration of all routes within a gap, and branch and
// bound over them.
//
// Effort is counted in units of work, never in seconds: the same request gives the same answer on every machine.
#include "cax/core/names.hpp"
#include "cax/problems/vehicle_model.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace cax {

/// What "proved" rests on.
enum class Arithmetic {
    exact,            ///< whole numbers, or bounds rounded outward: no rounding error can be hidden in the proof
    double_precision, ///< an exact method computed in double precision, without a certificate of its bounds
};
[[nodiscard]] NameTable<Arithmetic> names_of(Arithmetic);

struct CostToGoOptions {
    std::uint64_t work = 500'000'000;     ///< units of roughly ten nanoseconds
    std::optional<std::size_t> vehicles;  ///< routes at most, finished ones included
    std::uint64_t search_work = 10'000;   ///< iterations of a search for an upper bound, where the first gap is too small
    std::span<Solution const> known;      ///< whole solutions: those that begin with the actions bound the answer, those
                                          ///< that begin with all but the last one are where a search begins
    std::span<std::size_t const> like;    ///< the plan found goes on like these actions for as long as it can
};

/// The answer lies in [lower_bound, cost], or there is none.
struct CostToGo {
    bool proved = false;     ///< no plan that begins so is cheaper
    bool impossible = false; ///< proved: no plan begins so
    std::optional<Solution> solution;  ///< the best one known; Instance::check() accepts it
    std::vector<std::size_t> actions;  ///< the episode that makes it; empty if none does
    double cost = std::numeric_limits<double>::infinity(); ///< of the solution, by Instance::check()
    double lower_bound = 0; ///< equal to the cost if proved
    Arithmetic arithmetic = Arithmetic::double_precision;
    std::uint64_t work = 0;
};

/// Of one instance, for prefixes one after the other. Routes that were useful for one prefix are where the next begins,
/// which changes the work and not the value.
class FleetOracle {
public:
    /// Nothing if the problem has no fleet.
    [[nodiscard]] static std::optional<FleetOracle> of(InstancePtr instance);
    FleetOracle(FleetOracle&&) noexcept;
    FleetOracle& operator=(FleetOracle&&) noexcept;
    ~FleetOracle();

    /// With more than 63 customers left there is only a simple bound, and what is known. Error if the prefix is none, or
    /// the solver breaks down.
    [[nodiscard]] Result<CostToGo> cost_to_go(std::span<std::size_t const> prefix, CostToGoOptions const& options = {});

private:
    class Search;
    explicit FleetOracle(std::unique_ptr<Search> search);
    std::unique_ptr<Search> search_;
};

/// Once. Error (unsupported) if the problem has no fleet.
[[nodiscard]] Result<CostToGo> cost_to_go(InstancePtr const& instance, std::span<std::size_t const> prefix,
                                          CostToGoOptions const& options = {});

} // namespace cax
