#include "cax/oracle/regret.hpp"

#include "cax/problems/questions.hpp"
#include "fleet/work.hpp"
#include "step_values.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace cax {
namespace {

using namespace oracle;

constexpr std::array statuses{
    Named<RegretStatus>{RegretStatus::forced, "forced", "one action was allowed"},
    Named<RegretStatus>{RegretStatus::free, "free", "a best plan goes on with this action"},
    Named<RegretStatus>{RegretStatus::proved, "proved", "the values before and after are proved"},
    Named<RegretStatus>{RegretStatus::bounded, "bounded", "the regret lies in an interval"},
    Named<RegretStatus>{RegretStatus::search, "search", "an estimate by the best plans found"},
    Named<RegretStatus>{RegretStatus::unknown, "unknown", "nobody looked for anything better"}};

/// V_t, with costs so that less is better.
struct Value {
    std::optional<double> low;
    double high = 0;
    std::size_t plan = 0; ///< that costs `high`, among the plans
    bool proved = false;
    bool searched = false; ///< something was found, or bounded
    bool carried = false; ///< proved, because the best plan of the step before goes on with the action
};

class Account {
public:
    Account(InstancePtr const& instance, std::span<std::size_t const> actions, RegretOptions const& options)
        : instance_(*instance),
          actions_(actions),
          options_(options),
          sign_(sign_of(*instance)),
          values_of_steps_(step_values(instance, actions, options)) {}

    [[nodiscard]] Result<PlanRegret> run() {
        if (auto ok = read_plan(); !ok) return ok.error();
        for (std::size_t t = 0; t < actions_.size(); ++t) {
            if (auto ok = find_value(t); !ok) return ok.error();
        }
        values_.push_back({.low = high_of(0), .high = high_of(0), .plan = 0, .proved = true});
        telescope();
        return account();
    }

private:
    /// Plan 0 is the one that is judged.
    [[nodiscard]] Result<void> read_plan() {
        auto solution = instance_.solution_of(actions_);
        if (!solution) return solution.error();
        CheckReport const report = instance_.check(*solution);
        if (!report.valid())
            return Error{ErrorCode::invalid_value, "the plan is no solution: " + report.violations.front()};
        if (options_.vehicles && !vehicle_model_of(instance_)) return missing_capability(instance_.problem(), "fleet");
        if (options_.vehicles) {
            Question const fleet{.prefix = {}, .bound = static_cast<double>(*options_.vehicles)};
            CheckReport const within = check_answer(instance_, *solution, fleet);
            if (!within.valid()) return Error{ErrorCode::invalid_value, "the plan: " + within.violations.front()};
        }
        plans_.push_back({*std::move(solution), {actions_.begin(), actions_.end()}, report.cost});
        StatePtr const state = instance_.reset();
        for (std::size_t const action : actions_) {
            auto const mask = state->action_mask();
            forced_.push_back(std::ranges::count_if(mask, [](std::uint8_t open) { return open != 0; }) == 1);
            state->step(action);
        }
        return {};
    }

    [[nodiscard]] double high_of(std::size_t plan) const { return sign_ * plans_[plan].cost; }

    /// V_t, unless it is that of the step before.
    [[nodiscard]] Result<void> find_value(std::size_t t) {
        auto const prefix = actions_.first(t);
        if (t > 0 && values_.back().proved && begins_with(instance_, plans_[values_.back().plan], prefix)) {
            values_.push_back(values_.back());
            values_.back().carried = true;
            return {};
        }
        std::vector<Solution> known;
        Value value{.low = t > 0 ? values_.back().low : std::nullopt, .high = high_of(0), .plan = 0};
        for (std::size_t p = 0; p < plans_.size(); ++p) {
            // Without the last action: that is where a search begins.
            if (!begins_with(instance_, plans_[p], prefix.first(t - std::min<std::size_t>(t, 1)))) continue;
            known.push_back(plans_[p].solution);
            if (!begins_with(instance_, plans_[p], prefix)) continue;
            if (high_of(p) < value.high) value = {.low = value.low, .high = high_of(p), .plan = p};
        }
        auto found = values_of_steps_->value(t, known);
        if (!found) return found.error();
        work_ += found->work;
        value.searched = found->low || found->plan;
        if (found->low) value.low = std::max(*found->low, value.low.value_or(*found->low));
        if (found->plan && sign_ * found->plan->cost < value.high) {
            value.high = sign_ * found->plan->cost;
            value.plan = plans_.size();
            plans_.push_back(*std::move(found->plan));
        }
        close(value);
        // V never falls: a proof that says so is wrong.
        assert(t == 0 || !value.proved || !values_.back().proved ||
               value.high >= values_.back().high - 2 * sum_rounding * std::fabs(value.high));
        values_.push_back(value);
        return {};
    }

    /// A bound that meets the plan proves it.
    static void close(Value& value) {
        if (!value.low || value.high > *value.low + sum_rounding * std::fabs(value.high)) return;
        value.low = value.high;
        value.proved = true;
    }

    /// A plan that was found late counts for every step before, and bounds of early steps for every step after.
    void telescope() {
        for (std::size_t t = values_.size() - 1; t-- > 0;) {
            Value const& next = values_[t + 1];
            bool const no_better = values_[t].high >= next.high - sum_rounding * std::fabs(next.high);
            if (!no_better) continue;
            values_[t].high = next.high;
            values_[t].plan = next.plan;
            if (values_[t].proved) values_[t].low = next.high;
        }
        for (std::size_t t = 0; t < values_.size(); ++t) {
            Value& value = values_[t];
            if (t > 0 && values_[t - 1].low)
                value.low = std::max(*values_[t - 1].low, value.low.value_or(*values_[t - 1].low));
            if (value.low) value.low = std::min(*value.low, value.high);
            close(value);
        }
    }

    [[nodiscard]] Range in_own_cost(std::optional<double> low, double high) const {
        double const least = low.value_or(-std::numeric_limits<double>::infinity());
        return sign_ > 0 ? Range{least, high} : Range{-high, -least};
    }

    [[nodiscard]] PlanRegret account() const {
        PlanRegret result;
        Value const& optimum = values_.front();
        result.cost = plans_.front().cost;
        result.best = plans_[optimum.plan];
        result.optimal = optimum.proved;
        if (optimum.low) result.bound = sign_ * *optimum.low;
        result.arithmetic = cost_grain_of(instance_) > 0 ? Arithmetic::exact : Arithmetic::double_precision;
        result.work = work_;
        double sum = 0;
        for (std::size_t t = 0; t < actions_.size(); ++t) {
            DecisionRegret const decision = decide(t, sum);
            sum += decision.estimate;
            result.located += decision.regret.low;
            if (decision.is_proved()) ++result.proved_steps;
            result.decisions.push_back(decision);
        }
        double const plan = values_.back().high;
        result.gap = {sum, optimum.low ? std::max(sum, plan - *optimum.low) : std::numeric_limits<double>::infinity()};
        return result;
    }

    /// The number that, added to the sum so far, gives what V has risen by since the beginning: to the last digit.
    [[nodiscard]] double estimate_of(std::size_t t, double sum) const {
        double const risen = values_[t + 1].high - values_.front().high;
        double estimate = std::max(0.0, risen - sum);
        for (int k = 0; k < 2 && sum + estimate != risen; ++k)
            estimate = std::nextafter(estimate, sum + estimate < risen ? std::numeric_limits<double>::infinity() : 0);
        return estimate;
    }

    [[nodiscard]] DecisionRegret decide(std::size_t t, double sum) const {
        Value const& before = values_[t];
        Value const& after = values_[t + 1];
        DecisionRegret decision;
        decision.step = t;
        decision.action = actions_[t];
        decision.value = in_own_cost(after.low, after.high);
        decision.estimate = before.high == after.high ? 0 : estimate_of(t, sum);
        decision.regret = {decision.estimate, decision.estimate};
        if (before.proved && after.proved) {
            decision.status = RegretStatus::proved;
            if (decision.estimate == 0 && forced_[t])
                decision.status = RegretStatus::forced;
            else if (decision.estimate == 0 && after.carried)
                decision.status = RegretStatus::free;
        } else {
            bool const nobody_looked = !before.searched && decision.estimate == 0;
            decision.status = before.low      ? RegretStatus::bounded
                              : nobody_looked ? RegretStatus::unknown
                                              : RegretStatus::search;
            double const most = before.low ? after.high - *before.low : std::numeric_limits<double>::infinity();
            double const least = after.low ? std::max(0.0, *after.low - before.high) : 0;
            decision.regret = {std::min(least, decision.estimate), std::max(most, decision.estimate)};
        }
        if (decision.estimate > 0) decision.better = plans_[before.plan];
        return decision;
    }

    Instance const& instance_;
    std::span<std::size_t const> actions_;
    RegretOptions const& options_;
    double sign_;
    std::unique_ptr<StepValues> values_of_steps_;
    std::vector<KnownPlan> plans_;
    std::vector<bool> forced_; ///< by step: one action was allowed
    std::vector<Value> values_;
    std::uint64_t work_ = 0;
};

} // namespace

NameTable<RegretStatus> names_of(RegretStatus) { return statuses; }

std::vector<std::size_t> PlanRegret::ranking() const {
    std::vector<std::size_t> order;
    for (DecisionRegret const& decision : decisions) {
        if (decision.estimate > 0) order.push_back(decision.step);
    }
    std::ranges::stable_sort(order, std::greater<>{}, [this](std::size_t t) { return decisions[t].estimate; });
    return order;
}

Result<PlanRegret> plan_regret(InstancePtr const& instance, std::span<std::size_t const> actions,
                               RegretOptions const& options) {
    return Account(instance, actions, options).run();
}

} // namespace cax
