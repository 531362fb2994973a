#pragma once
// What can still be had from here: the best known whole solution that begins with the actions so far and one more, with
// what has been proved about it. A capability of problems; where it is missing, only the policy's own completion tells
// what an action costs.
//
// Effort is counted in units of work (states of a programme, iterations of a search), never in seconds: the same
// request gives the same answer on every machine.
#include "cax/problems/problem.hpp"
#include "cax/problems/vehicle_model.hpp"

#include <cstdint>

namespace cax {

struct CompletionRequest {
    std::span<std::size_t const> prefix;  ///< actions so far; allowed ones
    std::span<std::size_t const> actions; ///< what may follow, each allowed after the prefix: answered in this order
    std::span<Solution const> known;      ///< whole solutions; those that begin so are not to be worsened
    bool prove = true;                    ///< methods that prove something may be used
    std::uint64_t proof_work = 0;         ///< units that they may take, for all actions together
    /// Iterations of a search for each action, if everything is still to be done; a search may take fewer in the
    /// measure in which less is left. 0 = no search.
    std::uint64_t search_work = 0;
    std::uint64_t opening_work =
        0; ///< so many in place of search_work for the first that is searched: others begin from it
    std::uint64_t seed = 0;
};

/// Of one action.
struct Completion {
    std::optional<Solution> solution; ///< the best one found; Instance::check() accepts it
    double cost = 0;                  ///< its cost, by Instance::check(); meaningful only with a solution
    bool optimal = false;             ///< proved: no completion is better
    bool impossible = false;          ///< proved: nothing completes it, and there is no solution
    std::optional<double> bound;      ///< proved: none is better than this (lower where costs are minimised)
    std::uint64_t work = 0;
};

/// What an action means at once, as far as the problem has such things.
struct ActionNumbers {
    std::optional<double> extra; ///< length: how much longer it is than going home now, if home follows it
    std::optional<double> start; ///< when service or processing begins, and ends
    std::optional<double> end;
};

/// Preconditions: the instance belongs to the problem, the prefix and each action after it are allowed.
class Completions {
public:
    virtual ~Completions() = default;
    /// One answer per action of the request. Error if the instance is too large or the search fails.
    [[nodiscard]] virtual Result<std::vector<Completion>> completions(Instance const& instance,
                                                                      CompletionRequest const& request) const = 0;
    /// Precondition: the action is one of the state's, allowed or not.
    [[nodiscard]] virtual ActionNumbers numbers(State const& /*state*/, std::size_t /*action*/) const { return {}; }
    /// For problems whose solutions are routes of a fleet: what exact methods over routes need to know.
    [[nodiscard]] virtual std::optional<VehicleModel> vehicle_model(Instance const& /*instance*/) const {
        return std::nullopt;
    }
};

/// Nothing where the problem has none.
[[nodiscard]] ActionNumbers numbers_of(State const& state, std::size_t action);
/// Where the problem has none: the best of the known solutions that begin so is not even looked for; every answer is
/// empty.
[[nodiscard]] Result<std::vector<Completion>> completions_of(Instance const& instance,
                                                             CompletionRequest const& request);

} // namespace cax
