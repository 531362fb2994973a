#pragma once
// The value of one step: what the best plan costs that begins with so many actions of an episode. Fleets have an oracle
// of their own; all others are asked for completions. Costs count so that less is better.
#include "cax/oracle/regret.hpp"

#include <memory>

namespace cax::oracle {

struct StepValue {
    std::optional<double> low; ///< proved: nothing is less
    std::optional<KnownPlan> plan; ///< the best one found
    std::uint64_t work = 0;
};

class StepValues {
public:
    virtual ~StepValues() = default;
    /// Of the first `steps` actions. `known`: plans that begin with all of them but the last, at least.
    [[nodiscard]] virtual Result<StepValue> value(std::size_t steps, std::span<Solution const> known) = 0;
};

/// The instance and the actions must outlive it.
[[nodiscard]] std::unique_ptr<StepValues> step_values(InstancePtr const& instance, std::span<std::size_t const> actions,
                                                      RegretOptions const& options);

/// +1 where costs are minimised, -1 where they are maximised.
[[nodiscard]] double sign_of(Instance const& instance);
/// As an episode that stays with the actions for as long as it can, where there is one.
[[nodiscard]] KnownPlan plan_of(Instance const& instance, Solution solution, std::span<std::size_t const> like);
/// Does the plan begin with these actions?
[[nodiscard]] bool begins_with(Instance const& instance, KnownPlan const& plan, std::span<std::size_t const> actions);

} // namespace cax::oracle
