#include "rollout.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>

namespace cax::train {
namespace {

/// Which first moves to force: all that the mask allows, in random order, the first `count` of them.
std::vector<std::size_t> draw_starts(Instance const& instance, State const& reset, std::size_t count, Rng& rng) {
    std::vector<std::size_t> starts = instance.start_actions();
    std::erase_if(starts, [&](std::size_t action) { return !reset.action_mask()[action]; });
    for (std::size_t i = 0; i < std::min(count, starts.size()); ++i)
        std::swap(starts[i], starts[i + rng.below(starts.size() - i)]);
    starts.resize(std::min(count, starts.size()));
    return starts;
}

struct Draw {
    std::size_t action = 0;
    double entropy = 0;
    bool finite = true;
};

/// An action by its probability, and the entropy of the distribution on the way.
Draw draw_action(std::span<float const> log_probs, Rng& rng) {
    Draw draw;
    double const target = rng.uniform();
    double sum = 0;
    bool found = false;
    for (std::size_t a = 0; a < log_probs.size(); ++a) {
        float const log_p = log_probs[a];
        if (log_p == -std::numeric_limits<float>::infinity()) continue;
        if (std::isnan(log_p)) return {.finite = false};
        double const p = std::exp(log_p);
        if (p == 0) continue;
        draw.entropy -= p * double{log_p};
        sum += p;
        if (!found) draw.action = a; // rounding may leave a sliver at the end, which the last possible action takes
        found = found || target < sum;
    }
    draw.finite = sum > 0;
    return draw;
}

/// One of the planned actions that are still to be taken, by its probability among them; none if there is none left.
std::optional<std::size_t> draw_among(std::span<std::size_t const> planned, std::span<std::size_t const> taken,
                                      std::span<float const> log_probs, Rng& rng) {
    std::vector<std::size_t> left;
    std::vector<double> sums; // of probabilities
    for (std::size_t const action : planned) {
        double const p = std::exp(double{log_probs[action]});
        if (!(p > 0) || std::ranges::find(taken, action) != taken.end()) continue;
        left.push_back(action);
        sums.push_back((sums.empty() ? 0 : sums.back()) + p);
    }
    if (left.empty()) return std::nullopt;
    auto const found = std::ranges::upper_bound(sums, rng.uniform() * sums.back()) - sums.begin();
    return left[std::min(static_cast<std::size_t>(found), left.size() - 1)];
}

void subtract_mean(std::span<double> values) {
    if (values.empty()) return;
    double const mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& value : values) value -= mean;
}

/// Larger is better.
double reward_of(Instance const& instance, double cost) {
    return instance.problem().info().objective == Objective::maximise ? cost : -cost;
}

/// Whether the masks allow these actions, and the episode is over no later than they are.
bool leads_to_an_end(State const& reset, std::span<std::size_t const> plan) {
    StatePtr const state = reset.clone();
    for (std::size_t const action : plan) {
        if (state->done()) return true;
        if (action >= state->action_mask().size() || !state->action_mask()[action]) return false;
        state->step(action);
    }
    return state->done();
}

struct Played {
    std::span<std::size_t const> actions;
    double reward = 0;
};

/// A better episode from what the search makes of this one; none if it finds none that masks allow.
Result<ActionPlan> polished_solution(Instance const& instance, State const& reset, Played const& played,
                                     SearchOptions options) {
    auto solution = instance.solution_of(played.actions);
    if (!solution) return solution.error();
    if (!instance.check(*solution).valid()) return ActionPlan{}; // allowed by masks in single precision only
    options.start = *std::move(solution);
    auto const found = search(instance, options);
    if (!found) return found.error();
    double const gain = reward_of(instance, found->cost) - played.reward;
    if (!(gain > 1e-6 * std::abs(played.reward))) return ActionPlan{}; // costs are summed up in another order
    auto episode = action_plan_of(instance, found->solution);
    return !episode || leads_to_an_end(reset, episode->actions) ? std::move(episode) : ActionPlan{};
}

/// The same by the problem's own changes of episodes, where it has them.
Result<ActionPlan> polished(Instance const& instance, State const& reset, Played const& played,
                            std::uint64_t iterations, std::uint64_t seed, Rng rng) {
    auto actions = improved_episode(instance, played.actions, iterations, rng);
    if (!actions) {
        return polished_solution(instance, reset, played,
                                 {.seconds = 3600,
                                  .iterations = iterations,
                                  .seed = seed,
                                  .bound = {},
                                  .exact = false,
                                  .start = {},
                                  .stop = {}});
    }
    StatePtr const state = reset.clone();
    for (std::size_t const action : *actions) state->step(action);
    bool const better = state->done() && reward_of(instance, state->cost()) > played.reward;
    return better ? ActionPlan{*std::move(actions)} : ActionPlan{};
}

} // namespace

void Rollout::clear(State const& reset) {
    trajectories_.clear();
    observations_.clear();
    owners_.clear();
    actions_.clear();
    log_probs_.clear();
    prices_ = nullptr;
    wanted_.clear();
    lesson_->begin(reset.observe());
}

void Rollout::start(Instance const& instance, RolloutPlan const& plan, std::uint64_t seed, std::uint32_t index) {
    StatePtr const reset = instance.reset();
    clear(*reset);
    Rng chooser(seed, index, 0xffffffffU, 2);
    auto const add = [&] {
        auto const name = static_cast<std::uint32_t>(trajectories_.size());
        trajectories_.push_back({reset->clone(), Rng(seed, index, name, 2)});
    };
    for (std::size_t const action : draw_starts(instance, *reset, plan.forced, chooser)) {
        add();
        trajectories_.back().step(action);
    }
    forced_ = trajectories_.size();
    for (std::size_t i = 0; i < plan.free; ++i) add();
}

Result<double> Rollout::step(std::span<std::size_t const> active) {
    double entropies = 0;
    std::vector<Observation const*> views;
    for (std::size_t const t : active) {
        observations_.push_back(trajectories_[t].state->observe_for_decoding());
        views.push_back(&observations_.back());
    }
    auto const log_probs = lesson_->decode(views);
    for (std::size_t i = 0; i < active.size(); ++i) {
        Trajectory& trajectory = trajectories_[active[i]];
        Draw draw = draw_action(log_probs[i], trajectory.rng);
        if (!draw.finite) return Error{ErrorCode::invalid_value, "the policy's probabilities are not numbers"};
        if (trajectory.any_order)
            draw.action = draw_among(trajectory.plan, trajectory.actions, log_probs[i], trajectory.rng)
                              .value_or(draw.action); // what rounding leaves room for, nobody planned
        else if (!trajectory.plan.empty())
            draw.action = trajectory.plan[trajectory.actions.size()];
        else if (trajectory.greedy)
            draw.action = static_cast<std::size_t>(std::ranges::max_element(log_probs[i]) - log_probs[i].begin());
        entropies += draw.entropy;
        owners_.push_back(active[i]);
        actions_.push_back(draw.action);
        log_probs_.push_back(log_probs[i]);
        if (prices_ != nullptr) {
            auto shares = wanted_actions(*trajectory.state, trajectory.actions, log_probs[i], *prices_);
            if (!shares) return shares.error();
            wanted_.push_back(*std::move(shares));
        }
        trajectory.step(draw.action);
    }
    return entropies;
}

Result<RolloutResult> Rollout::run(Instance const& instance, RolloutPlan const& plan, std::uint64_t seed,
                                   std::uint32_t index) {
    start(instance, plan, seed, index);
    RolloutResult result;
    if (auto ok = play(result, index); !ok) return ok.error();
    result.advantages = result.rewards;
    subtract_mean(std::span(result.advantages).first(forced_));
    subtract_mean(std::span(result.advantages).subspan(forced_));
    if (plan.polish == 0) return result;
    auto const originals = add_polished(instance, plan, result, seed, index);
    if (!originals) return originals.error();
    if (auto ok = play(result, index); !ok) return ok.error();
    for (std::size_t const original : *originals) {
        double const gain = result.rewards[result.advantages.size()] - result.rewards[original];
        result.advantages.push_back(plan.polish_weight * (result.advantages[original] + gain));
    }
    return result;
}

Result<std::vector<std::size_t>> Rollout::add_polished(Instance const& instance, RolloutPlan const& plan,
                                                       RolloutResult const& result, std::uint64_t seed,
                                                       std::uint32_t index) {
    StatePtr const reset = instance.reset();
    std::vector<std::size_t> originals;
    for (auto const& [begin, end] : {std::pair(std::size_t{0}, forced_), std::pair(forced_, result.rewards.size())}) {
        if (begin == end) continue;
        auto const first = result.rewards.begin();
        auto const best = static_cast<std::size_t>(
            std::max_element(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)) -
            first);
        auto const name = static_cast<std::uint32_t>(trajectories_.size());
        Rng rng(seed, index, name, 2);
        auto episode =
            polished(instance, *reset, {trajectories_[best].actions, result.rewards[best]}, plan.polish, seed, rng);
        if (!episode) return episode.error();
        if (episode->actions.empty()) continue;
        trajectories_.push_back({reset->clone(), rng, std::move(episode->actions), episode->any_order});
        originals.push_back(best);
    }
    return originals;
}

Result<RolloutResult> Rollout::imitate(Instance const& instance, Solution const& solution, std::size_t count,
                                       std::uint64_t seed, std::uint32_t index) {
    StatePtr const reset = instance.reset();
    clear(*reset);
    forced_ = 0;
    for (std::size_t t = 0; t < count; ++t) {
        Rng rng(seed, index, static_cast<std::uint32_t>(t), 2);
        auto plan = action_plan_of(instance, solution, &rng);
        if (!plan) return plan.error();
        if (leads_to_an_end(*reset, plan->actions))
            trajectories_.push_back({reset->clone(), rng, std::move(plan->actions), plan->any_order});
    }
    RolloutResult result;
    if (auto ok = play(result, index); !ok) return ok.error();
    result.advantages.assign(result.rewards.size(), 1);
    return result;
}

Result<RolloutResult> Rollout::price(Instance const& instance, PriceLesson const& lesson, std::size_t count,
                                     std::uint64_t seed, std::uint32_t index) {
    StatePtr const reset = instance.reset();
    clear(*reset);
    forced_ = 0;
    Rng chooser(seed, index, 0xffffffffU, 2);
    trajectories_.push_back({.state = reset->clone(), .rng = chooser, .greedy = true});
    RolloutResult alone;
    if (auto ok = play(alone, index); !ok) return ok.error();
    std::vector<std::size_t> const own = trajectories_.front().actions;

    clear(*reset);
    if (own.empty()) return RolloutResult{}; // there was nothing to decide
    std::size_t const back_to = chooser.below(own.size());
    prices_ = &lesson;
    for (std::size_t t = 0; t < count; ++t) {
        trajectories_.push_back({reset->clone(), Rng(seed, index, static_cast<std::uint32_t>(t), 2)});
        for (std::size_t k = 0; k < back_to; ++k) trajectories_.back().step(own[k]);
    }
    RolloutResult result;
    if (auto ok = play(result, index); !ok) return ok.error();
    result.advantages.assign(result.rewards.size(), 1);
    return result;
}

Result<void> Rollout::play(RolloutResult& result, std::uint32_t index) {
    double entropies = result.entropy * static_cast<double>(result.decisions);
    while (true) {
        std::vector<std::size_t> active;
        for (std::size_t t = 0; t < trajectories_.size(); ++t) {
            State const& state = *trajectories_[t].state;
            if (state.done()) continue;
            if (std::ranges::none_of(state.action_mask(), [](std::uint8_t allowed) { return allowed != 0; }))
                return Error{ErrorCode::invalid_value, fmt::format("instance {}: no action is allowed", index)};
            active.push_back(t);
        }
        if (active.empty()) break;
        auto const added = step(active);
        if (!added) return added.error();
        entropies += *added;
    }
    for (std::size_t t = result.rewards.size(); t < trajectories_.size(); ++t) {
        State const& state = *trajectories_[t].state;
        result.rewards.push_back(reward_of(state.instance(), state.cost()));
    }
    result.decisions = actions_.size();
    if (result.decisions > 0) result.entropy = entropies / static_cast<double>(result.decisions);
    return {};
}

void Rollout::add_weights(RolloutResult const& result, std::size_t i, std::vector<float>& weights) const {
    if (!wanted_.empty()) {
        weights.insert(weights.end(), wanted_[i].begin(), wanted_[i].end());
        return;
    }
    weights.resize(weights.size() + log_probs_[i].size());
    weights[weights.size() - log_probs_[i].size() + actions_[i]] = static_cast<float>(result.advantages[owners_[i]]);
}

void Rollout::backward(RolloutResult const& result, double scale, double entropy_weight, std::span<float> gradient) {
    std::vector<float> weights;
    for (std::size_t i = 0; i < owners_.size(); ++i) add_weights(result, i, weights);
    for (float& weight : weights) weight *= static_cast<float>(-scale);
    lesson_->backward(weights, static_cast<float>(-entropy_weight), gradient);
}

double Rollout::log_likelihood(RolloutResult const& result) const {
    double sum = 0;
    std::vector<float> weights;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
        weights.clear();
        add_weights(result, i, weights);
        for (std::size_t a = 0; a < weights.size(); ++a)
            if (weights[a] != 0) sum += double{weights[a]} * double{log_probs_[i][a]};
    }
    return sum;
}

} // namespace cax::train
