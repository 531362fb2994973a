#include "cax/explain/alternatives.hpp"

#include "cax/core/same_cost.hpp"
#include "cax/problems/completions.hpp"
#include "cax/policies/rollout.hpp"
#include "decision/price_proof.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax {
namespace {

constexpr std::array cost_statuses{Named<CostStatus>{CostStatus::proved, "proved", "no completion is better"},
                                   Named<CostStatus>{CostStatus::bounded, "bounded", "none is better than the bound"},
                                   Named<CostStatus>{CostStatus::search, "search", "found by a search"},
                                   Named<CostStatus>{CostStatus::policy, "policy", "the policy's own completion"},
                                   Named<CostStatus>{CostStatus::unpriced, "unpriced", "nobody looked"}};
constexpr std::array pricing_modes{
    Named<PricingMode>{PricingMode::exact, "exact", "prove what can be proved, search elsewhere"},
    Named<PricingMode>{PricingMode::search, "search", "the problem's own search, the actions so far held fixed"},
    Named<PricingMode>{PricingMode::policy, "policy", "the policy's own completion"}};

/// The rule that an action breaks most, as a part of its limit.
std::optional<Slack> worst_broken(std::vector<Slack> const& slacks) {
    std::optional<Slack> worst;
    double depth = 0;
    for (Slack const& slack : slacks) {
        double const broken = -slack.slack / std::max(std::fabs(slack.limit), 1e-12);
        if (slack.slack < 0 && broken > depth) {
            depth = broken;
            worst = slack;
        }
    }
    return worst;
}

/// Actions of a decision about nodes that have been dealt with.
std::vector<std::uint8_t> spent_actions(Decision const& decision, std::span<std::size_t const> before) {
    State const& state = *decision.state;
    Presentation const& words = state.instance().problem().presentation();
    std::vector<std::uint8_t> done = state.spent_nodes();
    if (done.empty()) { // then actions are about the same nodes in every state
        done.assign(words.node_count(state.instance()), 0);
        for (std::size_t const action : before) {
            if (auto const node = words.node_of(state, action)) done[*node] = 1;
        }
    }
    std::vector<std::uint8_t> spent(state.action_mask().size(), 0);
    for (std::size_t a = 0; a < spent.size(); ++a) {
        auto const node = words.node_of(state, a);
        if (state.action_mask()[a] == 0 && node && done[*node] != 0) spent[a] = 1;
    }
    return spent;
}

Alternative described(Decision const& decision, std::size_t action, bool spent) {
    Alternative result;
    result.action = action;
    result.words = describe_action(*decision.state, action);
    result.allowed = decision.state->action_mask()[action] != 0;
    result.spent = spent;
    result.slacks = slacks_of(*decision.state, action);
    if (result.allowed) {
        result.probability = std::exp(decision.log_probs[action]);
    } else if (!spent) {
        result.forbidden_by = worst_broken(result.slacks);
    }
    auto const numbers = numbers_of(*decision.state, action);
    result.extra = numbers.extra;
    result.start = numbers.start;
    result.end = numbers.end;
    return result;
}

/// Prices the allowed actions of one decision.
class Pricer {
public:
    Pricer(Policy const& policy, Decision const& decision, std::span<std::size_t const> before, PricingOptions const& options,
           std::span<Solution const> known, Alternatives& result)
        : completer_(policy),
          cell_(decision),
          instance_(decision.state->instance()),
          before_(before),
          options_(options),
          known_(known.begin(), known.end()),
          first_(known.empty()),
          result_(result) {}

    [[nodiscard]] Result<void> run() {
        std::vector<std::size_t> const order = allowed_in_order();
        std::size_t const dear = std::min(options_.actions, order.size());
        for (std::size_t k = 0; k < dear; ++k) play_out(order[k]);
        if (options_.mode != PricingMode::policy) {
            // First what one programme can say about all of them, then work for each of the most interesting ones.
            bool const exact = options_.mode == PricingMode::exact;
            if (exact) {
                if (auto ok = ask(order, {.proof = options_.proof_work, .search = 0}); !ok) return ok;
            }
            std::vector<std::size_t> open;
            for (std::size_t k = 0; k < dear; ++k) {
                Alternative const& each = result_.all[order[k]];
                if (each.status != CostStatus::proved && !each.impossible) open.push_back(order[k]);
            }
            if (!open.empty()) {
                if (auto ok = ask(open, {.proof = exact ? options_.proof_work : 0, .search = options_.search_work});
                    !ok)
                    return ok;
                if (exact) {
                    if (auto ok = ask_solver(open); !ok) return ok;
                }
            }
        }
        settle_regret(order);
        return {};
    }

private:
    struct Work {
        std::uint64_t proof = 0;
        std::uint64_t search = 0;
    };

    /// The chosen action, then by probability, the lower index on ties.
    [[nodiscard]] std::vector<std::size_t> allowed_in_order() const {
        std::vector<std::size_t> order;
        for (std::size_t const a : result_.reading_order()) {
            if (result_.all[a].allowed) order.push_back(a);
        }
        return order;
    }

    /// What the policy itself makes of it.
    void play_out(std::size_t action) {
        StatePtr const state = cell_.state->clone();
        state->step(action);
        auto const rest = completer_.from(*state);
        if (!rest) return; // it runs into a dead end
        result_.forward_passes += rest->size();
        std::vector<std::size_t> actions(before_.begin(), before_.end());
        actions.push_back(action);
        actions.insert(actions.end(), rest->begin(), rest->end());
        auto solution = instance_.solution_of(actions);
        if (!solution) return;
        CheckReport const report = instance_.check(*solution);
        if (!report.valid()) return;
        Alternative& own = result_.all[action];
        own.policy_cost = report.cost;
        known_.push_back(*solution);
        take(own, report.cost, *std::move(solution), CostStatus::policy);
    }

    [[nodiscard]] bool better(double a, double b) const {
        return instance_.problem().info().objective == Objective::minimise ? a < b : a > b;
    }
    void take(Alternative& own, double cost, Solution solution, CostStatus status) const {
        if (!own.cost || better(cost, *own.cost)) {
            own.cost = cost;
            own.solution = std::move(solution);
        }
        own.status = status;
    }

    [[nodiscard]] Result<void> ask(std::vector<std::size_t> const& actions, Work const& work) {
        CompletionRequest const request{.prefix = before_,
                                        .actions = actions,
                                        .known = known_,
                                        .prove = work.proof > 0,
                                        .proof_work = work.proof,
                                        .search_work = work.search,
                                        .opening_work = work.search > 0 && first_ ? options_.opening_work : 0,
                                        .seed = options_.seed};
        auto answers = completions_of(instance_, request);
        // An instance that the problem's methods are not made for keeps the policy's prices.
        if (!answers && answers.error().code == ErrorCode::unsupported) return {};
        if (!answers) return answers.error();
        std::uint64_t spent = 0;
        for (std::size_t k = 0; k < actions.size(); ++k) {
            spent = work.search > 0 ? spent + (*answers)[k].work : std::max(spent, (*answers)[k].work);
            use(std::move((*answers)[k]), result_.all[actions[k]], work);
        }
        (work.search > 0 ? result_.search_work : result_.proof_work) += spent;
        return {};
    }

    void use(Completion answer, Alternative& own, Work const& work) const {
        own.impossible = own.impossible || answer.impossible;
        if (!answer.solution) return;
        if (answer.optimal) {
            take(own, answer.cost, *std::move(answer.solution), CostStatus::proved);
            own.bound = own.cost;
        } else if (work.search > 0) {
            take(own, answer.cost, *std::move(answer.solution),
                 answer.bound ? CostStatus::bounded : CostStatus::search);
            own.bound = answer.bound;
        }
    }

    /// Is there a completion that is better by one grain? No: proved.
    [[nodiscard]] Result<void> ask_solver(std::vector<std::size_t> const& actions) {
        if (options_.solver_work == 0 || !can_prove_prices(instance_)) return {};
        for (std::size_t const action : actions) {
            Alternative& own = result_.all[action];
            if (own.status == CostStatus::proved || !own.cost) continue;
            std::vector<std::size_t> prefix(before_.begin(), before_.end());
            prefix.push_back(action);
            auto proof = prove_price(instance_, prefix, {*own.cost, *own.solution}, options_.solver_work);
            if (!proof) return proof.error();
            result_.solver_work += proof->work;
            take(own, proof->cost, std::move(proof->solution), proof->proved ? CostStatus::proved : own.status);
            if (proof->proved) own.bound = own.cost;
        }
        return {};
    }

    void settle_regret(std::vector<std::size_t> const& order) {
        std::optional<std::size_t> best;
        for (std::size_t const action : order) {
            Alternative const& own = result_.all[action];
            if (own.impossible) continue;
            if (own.status != CostStatus::proved) return;
            bool const lower = best && *own.cost == *result_.all[*best].cost && action < *best;
            if (!best || lower || better(*own.cost, *result_.all[*best].cost)) best = action;
        }
        if (!best) return;
        result_.best_action = best;
        result_.best_cost = result_.all[*best].cost;
        for (std::size_t const action : order) {
            Alternative& own = result_.all[action];
            if (!own.cost) continue;
            own.regret = same_cost(*own.cost, *result_.best_cost) ? 0 : std::fabs(*own.cost - *result_.best_cost);
        }
    }

    Completer completer_;
    Decision const& cell_;
    Instance const& instance_;
    std::span<std::size_t const> before_;
    PricingOptions const& options_;
    std::vector<Solution> known_;
    bool first_; ///< nobody has searched for a solution that begins like this
    Alternatives& result_;
};

} // namespace

NameTable<CostStatus> names_of(CostStatus) { return cost_statuses; }
NameTable<PricingMode> names_of(PricingMode) { return pricing_modes; }

std::vector<std::size_t> Alternatives::reading_order() const {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if ((a == chosen) != (b == chosen)) return a == chosen;
        if (all[a].allowed != all[b].allowed) return all[a].allowed;
        return all[a].probability > all[b].probability;
    });
    return order;
}

Result<Alternatives> alternatives(Policy const& policy, Decision const& decision, std::span<std::size_t const> before,
                                  PricingOptions const& options, std::span<Solution const> known) {
    Alternatives result;
    result.instance = decision.instance;
    result.step = decision.step;
    result.chosen = decision.taken();
    auto const spent = spent_actions(decision, before);
    for (std::size_t a = 0; a < spent.size(); ++a) result.all.push_back(described(decision, a, spent[a] != 0));
    Pricer pricer(policy, decision, before, options, known, result);
    if (auto const ok = pricer.run(); !ok) return ok.error();
    return result;
}

Result<std::vector<Alternatives>> alternatives(Policy const& policy, Episode const& episode, PricingOptions const& options) {
    std::vector<Alternatives> results;
    std::vector<std::size_t> const actions = episode.actions();
    std::vector<Solution> known;
    for (std::size_t step = 0; step < episode.decisions.size(); ++step) {
        auto result = alternatives(policy, episode.decisions[step], std::span(actions).first(step), options, known);
        if (!result) return result.error();
        known.clear();
        if (auto const& best = result->all[actions[step]].solution) known.push_back(*best);
        results.push_back(*std::move(result));
    }
    return results;
}

} // namespace cax
