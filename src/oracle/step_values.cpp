#include "step_values.hpp"

#include "cax/baselines/baseline.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "cax/solvers/csp.hpp"

#include <algorithm>
#include <limits>

namespace cax::oracle {
namespace {

/// Completions of the problem itself: the best plan after one action, by a search at least.
class CompletionValues : public StepValues {
public:
    CompletionValues(InstancePtr instance, std::span<std::size_t const> actions, RegretOptions const& options)
        : instance_(std::move(instance)), actions_(actions), options_(options), sign_(sign_of(*instance_)) {}

    [[nodiscard]] Result<StepValue> value(std::size_t steps, std::span<Solution const> known) override {
        StepValue value;
        auto ok = steps == 0 ? ask_first(known, value) : ask(steps, known, options_.work, options_.search_work, value);
        if (!ok) return ok.error();
        if (!is_proved(value)) {
            if (ok = ask_solver(steps, value); !ok) return ok.error();
        }
        return value;
    }

protected:
    [[nodiscard]] Instance const& instance() const { return *instance_; }
    [[nodiscard]] RegretOptions const& options() const { return options_; }
    [[nodiscard]] std::span<std::size_t const> actions() const { return actions_; }

    [[nodiscard]] SearchOptions search_options(std::uint64_t iterations, bool exact) const {
        SearchOptions search;
        search.seconds = std::numeric_limits<double>::infinity();
        search.iterations = iterations;
        search.seed = options_.seed;
        search.exact = exact;
        return search;
    }
    void offer(Solution const& solution, StepValue& value) const {
        KnownPlan plan = plan_of(*instance_, solution, actions_);
        if (!value.plan || sign_ * plan.cost < sign_ * value.plan->cost) value.plan = std::move(plan);
    }
    static void raise(double low, StepValue& value) { value.low = std::max(low, value.low.value_or(low)); }
    [[nodiscard]] bool is_proved(StepValue const& value) const {
        return value.plan && value.low && sign_ * value.plan->cost <= *value.low;
    }

    /// After the last of so many actions.
    [[nodiscard]] Result<void> ask(std::size_t steps, std::span<Solution const> known, std::uint64_t proof,
                                   std::uint64_t search, StepValue& value) const {
        auto const answers = completions_of(*instance_, {.prefix = actions_.first(steps - 1),
                                                         .actions = actions_.subspan(steps - 1, 1),
                                                         .known = known,
                                                         .prove = proof > 0,
                                                         .proof_work = proof,
                                                         .search_work = search,
                                                         .opening_work = 0,
                                                         .seed = options_.seed});
        // An instance that the problem's methods are not made for keeps what is known.
        if (!answers && answers.error().code == ErrorCode::unsupported) return {};
        if (!answers) return answers.error();
        Completion const& answer = answers->front();
        value.work += answer.work;
        if (answer.solution) offer(*answer.solution, value);
        if (answer.bound) raise(sign_ * *answer.bound, value);
        if (answer.optimal) raise(sign_ * answer.cost, value);
        return {};
    }

private:
    /// The best plan of all: that of the best first action, or what the problem's own search finds and proves.
    [[nodiscard]] Result<void> ask_first(std::span<Solution const> known, StepValue& value) const {
        std::vector<std::size_t> allowed;
        StatePtr const state = instance_->reset();
        for (std::size_t a = 0; a < state->action_mask().size(); ++a) {
            if (state->action_mask()[a] != 0) allowed.push_back(a);
        }
        auto const answers = completions_of(*instance_, {.prefix = {},
                                                         .actions = allowed,
                                                         .known = known,
                                                         .prove = true,
                                                         .proof_work = options_.work,
                                                         .search_work = 0,
                                                         .opening_work = 0,
                                                         .seed = options_.seed});
        if (!answers && answers.error().code != ErrorCode::unsupported) return answers.error();
        if (answers) take_best(*answers, value);
        if (is_proved(value) || options_.opening_work == 0) return {};
        auto const found = find_baseline(*instance_, search_options(options_.opening_work, /*exact=*/true));
        if (!found && found.error().code == ErrorCode::unsupported) return {};
        if (!found) return found.error();
        value.work += found->iterations;
        offer(found->solution, value);
        if (found->lower_bound) raise(sign_ * *found->lower_bound, value);
        if (found->optimal) raise(sign_ * found->cost, value);
        return {};
    }

    void take_best(std::vector<Completion> const& answers, StepValue& value) const {
        std::optional<double> low;
        bool bounded = true;
        for (Completion const& answer : answers) {
            value.work = std::max(value.work, answer.work);
            if (answer.impossible) continue;
            if (answer.solution) offer(*answer.solution, value);
            bounded = bounded && answer.bound.has_value();
            if (bounded) low = std::min(sign_ * *answer.bound, low.value_or(std::numeric_limits<double>::infinity()));
        }
        if (bounded && low) raise(*low, value);
    }

    /// Is there a plan that is better by one grain of the cost? No: proved.
    [[nodiscard]] Result<void> ask_solver(std::size_t steps, StepValue& value) const {
        ProblemInfo const& info = instance_->problem().info();
        double const grain = cost_grain_of(*instance_);
        bool const can = info.bound_is_cost && info.objective == Objective::minimise && grain > 0;
        std::uint64_t left = can ? options_.solver_work : 0;
        while (left > 0 && value.plan && !is_proved(value)) {
            Question question{.prefix = {actions_.begin(), actions_.begin() + static_cast<std::ptrdiff_t>(steps)},
                              .bound = value.plan->cost - grain / 2};
            if (*question.bound < 0) return {};
            auto const model = decision_model_of(*instance_, question, Rounding::loose);
            if (!model && model.error().code == ErrorCode::unsupported) return {};
            if (!model) return model.error();
            auto const answer = gecode_solver().solve(model->model, {.work = left, .seed = options_.seed});
            if (!answer) return answer.error();
            std::uint64_t const spent = std::max<std::uint64_t>(answer->work, 1);
            value.work += spent;
            left -= std::min(left, spent);
            if (answer->status == CspStatus::unsatisfiable) raise(value.plan->cost, value);
            if (answer->status != CspStatus::satisfiable) return {};
            Solution const found = model->solution(answer->assignment);
            if (!check_answer(*instance_, found, question).valid()) return {}; // rounding has been too kind
            offer(found, value);
        }
        return {};
    }

    InstancePtr instance_;
    std::span<std::size_t const> actions_;
    RegretOptions const& options_;
    double sign_;
};

/// A fleet's oracle, and a search where it does not come to an end.
class FleetValues final : public CompletionValues {
public:
    FleetValues(InstancePtr const& instance, FleetOracle oracle, std::span<std::size_t const> actions,
                RegretOptions const& options)
        : CompletionValues(instance, actions, options), oracle_(std::move(oracle)) {}

    [[nodiscard]] Result<StepValue> value(std::size_t steps, std::span<Solution const> known) override {
        auto const prefix = actions().first(steps);
        CostToGoOptions const request{
            .work = options().work,
            .vehicles = options().vehicles,
            .search_work = options().search_work,
            .known = known,
            .like = actions()};
        auto const answer = oracle_.cost_to_go(prefix, request);
        if (!answer) return answer.error();
        StepValue value{.low = answer->lower_bound, .plan = {}, .work = answer->work};
        if (answer->solution) offer(*answer->solution, value);
        if (answer->proved && value.plan) raise(value.plan->cost, value);
        if (answer->proved || options().vehicles) return value; // searches know of no limit
        search(steps, known, value);
        return value;
    }

private:
    /// Whatever keeps a search from finding a plan: then there is none.
    void search(std::size_t steps, std::span<Solution const> known, StepValue& value) {
        if (steps > 0) {
            if (options().search_work == 0) return;
            [[maybe_unused]] auto const ok = ask(steps, known, 0, options().search_work, value);
            return;
        }
        if (options().opening_work == 0) return;
        auto const found = cax::search(instance(), search_options(options().opening_work, /*exact=*/false));
        if (found) offer(found->solution, value);
    }

    FleetOracle oracle_;
};

} // namespace

std::unique_ptr<StepValues> step_values(InstancePtr const& instance, std::span<std::size_t const> actions,
                                        RegretOptions const& options) {
    if (auto oracle = FleetOracle::of(instance))
        return std::make_unique<FleetValues>(instance, *std::move(oracle), actions, options);
    return std::make_unique<CompletionValues>(instance, actions, options);
}

double sign_of(Instance const& instance) {
    return instance.problem().info().objective == Objective::minimise ? 1 : -1;
}

KnownPlan plan_of(Instance const& instance, Solution solution, std::span<std::size_t const> like) {
    KnownPlan plan{.solution = std::move(solution), .actions = {}, .cost = 0};
    if (auto actions = actions_of(instance, plan.solution, like)) {
        auto same = instance.solution_of(*actions); // routes in the order of the episode, perhaps the other way round
        if (same && instance.check(*same).valid()) {
            plan.solution = *std::move(same);
            plan.actions = *std::move(actions);
        }
    }
    plan.cost = instance.check(plan.solution).cost;
    return plan;
}

bool begins_with(Instance const& instance, KnownPlan const& plan, std::span<std::size_t const> actions) {
    if (plan.actions.size() >= actions.size() &&
        std::equal(actions.begin(), actions.end(), plan.actions.begin()))
        return true;
    Question const question{.prefix = {actions.begin(), actions.end()}, .bound = {}};
    return plan.actions.empty() && check_answer(instance, plan.solution, question).valid();
}

} // namespace cax::oracle
