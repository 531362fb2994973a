#pragma once
// Where the gap of a plan went. V_t is the least cost of any valid plan that begins with the plan's first t actions (where
// costs are maximised: the negated value). V_0 is the optimum, V_T the plan's own cost, and V never falls. The regret of
// decision t is V_{t+1} - V_t, never negative, and the regrets add up to the gap.
//
// Every V_t is known as an interval from a lower bound to the cost of the best plan found. A better plan that is found
// later on counts for all steps before it, so the estimates telescope whatever was proved.
#include "cax/oracle/cost_to_go.hpp"

#include <vector>

namespace cax {

/// What a reader may conclude about a decision.
enum class RegretStatus {
    forced,  ///< one action was allowed, and V did not change
    free,    ///< proved to cost nothing: a best plan of the step before goes on with this action
    proved,  ///< V is proved before and after: the regret is this number
    bounded, ///< the regret lies in the interval
    search,  ///< an estimate by the best plans found; there is no bound
    unknown, ///< nobody looked for anything better
};
[[nodiscard]] NameTable<RegretStatus> names_of(RegretStatus);

/// low <= high.
struct Range {
    double low = 0;
    double high = 0;
};

/// A whole plan.
struct KnownPlan {
    Solution solution;
    std::vector<std::size_t> actions; ///< the episode that makes it; empty if none does (a schedule that waits)
    double cost = 0;                  ///< by Instance::check()
};

struct DecisionRegret {
    std::size_t step = 0;
    std::size_t action = 0;
    RegretStatus status = RegretStatus::search;
    Range value;         ///< V after the action, in the problem's own cost
    Range regret;        ///< contains the regret; infinite above if there is no bound
    double estimate = 0; ///< by the best plans found; equal to both ends where the regret is proved
    /// If the estimate is above 0: the best plan known for the actions before. Its action at this step is another one.
    std::optional<KnownPlan> better;
    [[nodiscard]] bool is_proved() const { return status <= RegretStatus::proved; }
};

struct PlanRegret {
    double cost = 0;    ///< of the plan, by Instance::check()
    KnownPlan best;     ///< the best plan known
    bool optimal = false; ///< proved: no plan is better than `best`
    std::optional<double> bound; ///< no plan is better than this, in the problem's own cost
    Arithmetic arithmetic = Arithmetic::double_precision;
    Range gap;          ///< the estimates add up to its low end, in order and to the last digit
    double located = 0; ///< the part of the gap that certainly sits at single decisions: the sum of the regrets' low ends
    std::size_t proved_steps = 0; ///< decisions whose regret is proved
    std::vector<DecisionRegret> decisions;
    std::uint64_t work = 0;

    /// Steps with an estimate above 0, the most costly first, the earlier one on ties.
    [[nodiscard]] std::vector<std::size_t> ranking() const;
};

struct RegretOptions {
    std::uint64_t work = 500'000'000;    ///< for every V_t: units of roughly ten nanoseconds, or states of a programme
    std::uint64_t search_work = 10'000;  ///< iterations of a search, where nothing was proved; 0 = none
    std::uint64_t opening_work = 20'000; ///< iterations of the search for the best plan
    std::uint64_t solver_work = 2'000;   ///< steps of a constraint solver, where nothing else proves; 0 = do not ask it
    std::optional<std::size_t> vehicles{}; ///< routes at most, where a fleet is limited
    std::uint64_t seed = 0;
};

/// Error if the actions are no whole episode, if the plan breaks a rule, or if a solver breaks down.
[[nodiscard]] Result<PlanRegret> plan_regret(InstancePtr const& instance, std::span<std::size_t const> actions,
                                             RegretOptions const& options = {});

} // namespace cax
