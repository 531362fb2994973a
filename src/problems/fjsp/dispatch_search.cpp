// Better episodes of a job shop, looked for among episodes: hill climbing over dispatching orders. The annealing of
// search() finds better schedules, but the environment dispatches whenever it can, so that most of those belong to no
// episode and cannot be learnt from.
#include "cax/core/rng.hpp"
#include "state.hpp"

#include <algorithm>

namespace cax::fjsp {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Which operation goes first, and where each one goes: an order of operations, and a machine for each.
struct DispatchPlan {
    std::vector<std::size_t> order;
    std::vector<std::size_t> machine;
};

struct Dispatched {
    std::vector<std::size_t> actions;
    DispatchPlan plan; ///< as it was really carried out
    double makespan = 0;
};

DispatchPlan plan_of(Instance const& instance, std::span<std::size_t const> actions) {
    DispatchPlan plan{.order = {}, .machine = std::vector<std::size_t>(instance.operation_count())};
    std::vector<std::size_t> next;
    for (std::size_t job = 0; job < instance.job_count(); ++job) next.push_back(instance.first_operation(job));
    for (std::size_t const action : actions) {
        std::size_t const operation = next[(action - 1) / instance.machine_count()]++;
        plan.order.push_back(operation);
        plan.machine[operation] = (action - 1) % instance.machine_count();
    }
    return plan;
}

/// The first operation of the order that may start on its machine. The environment dispatches whenever it can, so if
/// there is none, the first that may start anywhere, where it takes the least time.
std::size_t next_action(Instance const& instance, State const& state, DispatchPlan const& plan,
                        std::vector<std::size_t> const& rank) {
    auto const action_of = [&](std::size_t job, std::size_t machine) {
        return 1 + job * instance.machine_count() + machine;
    };
    std::size_t planned = none;
    std::size_t any = none;
    for (std::size_t job = 0; job < instance.job_count(); ++job) {
        if (state.job_done(job) || state.in_process(job)) continue;
        std::size_t const operation = state.next_operation(job);
        auto const goes_before = [&](std::size_t other) { return other == none || rank[operation] < rank[other]; };
        if (state.action_mask()[action_of(job, plan.machine[operation])] != 0) {
            if (goes_before(planned)) planned = operation;
        } else if (goes_before(any) &&
                   std::ranges::any_of(instance.alternatives(operation), [&](Alternative const& way) {
                       return state.action_mask()[action_of(job, way.machine)] != 0;
                   })) {
            any = operation;
        }
    }
    if (planned != none) return action_of(instance.job_of(planned), plan.machine[planned]);
    if (any == none) return 0;
    std::size_t const job = instance.job_of(any);
    Alternative best{};
    for (Alternative const& way : instance.alternatives(any)) {
        bool const allowed = state.action_mask()[action_of(job, way.machine)] != 0;
        if (allowed && (best.time == 0 || way.time < best.time)) best = way;
    }
    return action_of(job, best.machine);
}

Dispatched carry_out(Instance const& instance, DispatchPlan const& plan) {
    std::vector<std::size_t> rank(plan.order.size());
    for (std::size_t i = 0; i < plan.order.size(); ++i) rank[plan.order[i]] = i;
    StatePtr const base = instance.reset();
    auto& state = static_cast<State&>(*base);
    Dispatched done;
    while (!state.done()) {
        std::size_t const action = next_action(instance, state, plan, rank);
        if (action == 0) return {}; // never without waiting
        state.step(action);
        done.actions.push_back(action);
    }
    done.plan = plan_of(instance, done.actions);
    done.makespan = state.cost();
    return done;
}

/// One operation goes to another machine, or to another place of the order.
DispatchPlan neighbour(Instance const& instance, DispatchPlan plan, Rng& rng) {
    std::size_t const from = rng.below(plan.order.size());
    std::size_t const operation = plan.order[from];
    auto const ways = instance.alternatives(operation);
    if (ways.size() > 1 && rng.below(2) == 0) {
        plan.machine[operation] = ways[rng.below(ways.size())].machine;
        return plan;
    }
    std::size_t const to = rng.below(plan.order.size());
    auto const begin = plan.order.begin();
    auto const at = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
    if (from < to)
        std::rotate(at(from), at(from + 1), at(to + 1));
    else
        std::rotate(at(to), at(from), at(from + 1));
    return plan;
}

} // namespace

std::vector<std::size_t> Instance::improved_episode(std::span<std::size_t const> actions, std::uint64_t iterations,
                                                    Rng& rng) const {
    Instance const& instance = *this;
    Dispatched best = carry_out(instance, plan_of(instance, actions));
    if (best.actions.empty()) return {actions.begin(), actions.end()};
    for (std::uint64_t i = 0; i < iterations; ++i) {
        Dispatched tried = carry_out(instance, neighbour(instance, best.plan, rng));
        // Equally good ones, too: most changes leave the makespan as it is, and the way leads across them.
        if (!tried.actions.empty() && tried.makespan <= best.makespan) best = std::move(tried);
    }
    return best.actions;
}

} // namespace cax::fjsp
