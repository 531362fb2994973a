// Counterfactuals of the published code: recorded noise on frozen states. Every shot's feasibility, size and action,
// and the winner of every decision.
#include "published/golden.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/counterfactual.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::parity {
namespace {

/// Of a sum of float32 numbers taken in float32.
constexpr double l1_tolerance = 1e-5;

/// What the file says about shots, shot by shot: [T, M, B].
struct Shots {
    std::size_t steps = 0;
    std::size_t count = 0;
    std::size_t batch = 0;
    std::vector<double> feasible, action, action64, flipped, l1, applied_l1, robust, gap, gap64;

    /// Is the action more than an accident of rounding? The file's own mark, and its rule applied to both gaps: a few
    /// shots carry the mark although their logits are of the order of 1e7. The gap of an only action is infinite.
    [[nodiscard]] bool is_clear(std::size_t at) const {
        auto const plausible = [](double size) { return size > 1e-4 && (size < 100 || std::isinf(size)); };
        return robust[at] != 0 && plausible(gap[at]) && plausible(gap64[at]);
    }
    [[nodiscard]] std::size_t place(std::size_t step, std::size_t shot, std::size_t instance) const {
        return (step * count + shot) * batch + instance;
    }
};

/// Per decision: [B, T].
struct Winners {
    std::vector<double> shot, shot64, l1, action, family;
};

Error malformed(std::string sentence) { return {ErrorCode::invalid_value, std::move(sentence)}; }

Result<Shots> read_shots(ReferenceCheck& check, GoldenTensors& golden) {
    Tensor const* const feasible = golden.find("shot/feasible");
    if (feasible == nullptr || feasible->shape().size() != 3) return malformed("shot/feasible: is no [T, M, B] table");
    Shape const& shape = feasible->shape();
    Shots shots;
    shots.steps = shape[0];
    shots.count = shape[1];
    shots.batch = shape[2];
    if (shots.steps > check.steps() || shots.count == 0 || shots.batch != check.instances.size()) {
        return malformed(fmt::format("shot/feasible: shape {} for {} instances and {} steps", to_string(shape),
                                     check.instances.size(), check.steps()));
    }
    for (auto const& [name, values] : {std::pair{"feasible", &shots.feasible},
                                       {"action", &shots.action},
                                       {"action64", &shots.action64},
                                       {"flipped", &shots.flipped},
                                       {"l1", &shots.l1},
                                       {"applied_l1", &shots.applied_l1},
                                       {"robust", &shots.robust},
                                       {"gap", &shots.gap},
                                       {"gap64", &shots.gap64}}) {
        auto read = golden_values(check, golden, fmt::format("shot/{}", name), shape);
        if (!read) return malformed(fmt::format("shot/{}: is missing or has another shape", name));
        *values = *std::move(read);
    }
    return shots;
}

Result<Winners> read_winners(ReferenceCheck& check, GoldenTensors& golden, Shots const& shots) {
    Winners winners;
    for (auto const& [name, values] : {std::pair{"winner_shot", &winners.shot},
                                       {"winner_shot64", &winners.shot64},
                                       {"winner_l1", &winners.l1},
                                       {"winner_action", &winners.action},
                                       {"winner_family", &winners.family}}) {
        auto read = golden_values(check, golden, name, {shots.batch, shots.steps});
        if (!read) return malformed(fmt::format("{}: is missing or has another shape", name));
        *values = *std::move(read);
    }
    return winners;
}

/// The noise of every tensor: entry i of step t belongs to shot (position of the tensor) + i * (number of tensors).
struct Noise {
    std::vector<std::vector<double>> values; ///< per tensor: [T, S_k, B, ...]
    std::vector<std::size_t> shots;          ///< per tensor: S_k
    std::size_t batch = 0;

    /// The change that a shot makes: one tensor moves.
    [[nodiscard]] Features of(Features const& like, std::size_t step, std::size_t instance, std::size_t shot) const {
        Features change = zero_change(like);
        std::size_t const k = shot % values.size();
        std::size_t const size = change[k].values.size();
        std::size_t const row = (step * shots[k] + shot / values.size()) * batch + instance;
        std::copy_n(values[k].begin() + static_cast<std::ptrdiff_t>(row * size), size, change[k].values.begin());
        return change;
    }
};

Result<Noise> read_noise(ReferenceCheck& check, GoldenTensors& golden, Shots const& shots) {
    Noise noise;
    noise.batch = shots.batch;
    auto const& tensors = check.problem.info().tensors;
    Features const like = check.states.front().front()->features();
    for (std::size_t k = 0; k < tensors.size(); ++k) {
        std::size_t const own = (shots.count + tensors.size() - 1 - k) / tensors.size();
        Shape shape{shots.steps, own, shots.batch};
        shape.insert(shape.end(), like[k].shape.begin(), like[k].shape.end());
        auto values = golden_values(check, golden, fmt::format("noise/{}", tensors[k].name), shape);
        if (!values) return malformed(fmt::format("noise/{}: is missing or has another shape", tensors[k].name));
        noise.values.push_back(*std::move(values));
        noise.shots.push_back(own);
    }
    return noise;
}

/// The tensors in the order of their turns, and their budgets.
Result<std::vector<std::optional<double>>> read_budgets(ReferenceCheck const& check) {
    auto const& tensors = check.problem.info().tensors;
    Json const settings = check.manifest.value("counterfactual", Json::object());
    Json const keys = settings.value("keys", Json::array());
    Json const budgets = settings.value("epsilon", Json::object());
    std::vector<std::optional<double>> result;
    for (std::size_t k = 0; k < tensors.size(); ++k) {
        std::string const name(tensors[k].name);
        if (keys.size() != tensors.size() || keys[k] != name || !budgets.contains(name) || !budgets[name].is_number()) {
            return malformed(fmt::format("manifest: counterfactual: keys and epsilon do not have {} at {}", name, k));
        }
        result.emplace_back(budgets[name].get<double>());
    }
    return result;
}

/// The recorded decisions of one instance as a episode of this policy.
Episode recorded_walk(ReferenceCheck const& check, Policy const& policy, std::size_t instance) {
    Episode episode{.instance = check.instances[instance], .decisions = {}, .finished = false};
    std::vector<Observation> observations;
    for (auto const& state : check.states[instance]) observations.push_back(state->observe());
    auto log_probs = policy.log_probs(observations);
    for (std::size_t t = 0; t < observations.size(); ++t) {
        episode.decisions.push_back(
            {instance, t, check.states[instance][t], check.actions[instance][t], std::move(log_probs[t])});
    }
    return episode;
}

class Comparison {
public:
    Comparison(ReferenceCheck& check, Shots const& shots, Winners const& winners, bool is_double)
        : check_(check), shots_(shots), winners_(winners), is_double_(is_double) {}

    void shot(std::string const& where, ShotOutcome const& ours, std::size_t place) {
        Ledger& ledger = check_.ledger;
        ledger.equal(ledger.count("shots: feasible"), where + ": feasible", shots_.feasible[place],
                     ours.feasible ? 1 : 0);
        close("shots: L1", where + ": l1", shots_.l1[place], ours.l1);
        close("shots: applied L1", where + ": applied_l1", shots_.applied_l1[place], ours.applied_l1);
        if (!shots_.is_clear(place)) return;
        double const golden = is_double_ ? shots_.action64[place] : shots_.action[place];
        double const action = ours.action ? static_cast<double>(*ours.action) : -1;
        ledger.equal(ledger.count("shots: action"), where + ": action", golden, action);
        ledger.equal(ledger.count("shots: flipped"), where + ": flipped", shots_.flipped[place], ours.flipped ? 1 : 0);
    }

    void winner(std::string const& where, Counterfactual const& ours, std::size_t place) {
        Ledger& ledger = check_.ledger;
        Count& count = ledger.count("winners");
        Flip const* const best = ours.best();
        double const none = -1;
        double const shot = best != nullptr ? static_cast<double>(*best->shot) : none;
        double const family = best != nullptr ? static_cast<double>(*best->family) : none;
        double const action = static_cast<double>(best != nullptr ? best->new_action : ours.action);
        ledger.equal(count, where + ": winner_shot", (is_double_ ? winners_.shot64 : winners_.shot)[place], shot);
        ledger.equal(count, where + ": winner_action", winners_.action[place], action);
        ledger.equal(count, where + ": winner_family", winners_.family[place], family);
        close("winners: L1", where + ": winner_l1", winners_.l1[place], best != nullptr ? best->l1 : 0);
    }

private:
    void close(std::string const& what, std::string const& where, double golden, double ours) {
        check_.ledger.close(check_.ledger.difference(what), where, {&golden, 1}, {&ours, 1},
                            Tolerance::relative(l1_tolerance, golden, 1e-12));
    }

    ReferenceCheck& check_;
    Shots const& shots_;
    Winners const& winners_;
    bool is_double_;
};

} // namespace

Result<void> compare_counterfactual(ReferenceCheck& check, GoldenTensors& golden) {
    auto const shots = read_shots(check, golden);
    if (!shots) return shots.error();
    auto const winners = read_winners(check, golden, *shots);
    if (!winners) return winners.error();
    auto const noise = read_noise(check, golden, *shots);
    if (!noise) return noise.error();
    if (auto const base = golden_values(check, golden, "base_action", {shots->steps, shots->batch})) {
        for (std::size_t t = 0; t < shots->steps; ++t) {
            for (std::size_t b = 0; b < shots->batch; ++b) {
                check.ledger.equal(check.ledger.count("base actions"), fmt::format("instance {} step {}", b, t),
                                   (*base)[t * shots->batch + b], static_cast<double>(check.actions[b][t]));
            }
        }
    }
    auto const budgets = read_budgets(check);
    if (!budgets) return budgets.error();
    for (ReferencePolicy const& each : check.policies) {
        Comparison comparison(check, *shots, *winners, each.is_double());
        for (std::size_t b = 0; b < shots->batch; ++b) {
            Episode const episode = recorded_walk(check, *each.policy, b);
            for (std::size_t t = 0; t < shots->steps; ++t) {
                CounterfactualOptions options;
                options.fidelity = CounterfactualFidelity::published();
                options.shots = shots->count;
                options.perturbation.budgets = *budgets;
                Features const like = episode.decisions[t].state->features();
                auto const recorded = [&](std::size_t shot) { return noise->of(like, t, b, shot); };
                auto const outcomes = evaluate_shots(*each.policy, episode, t, recorded, options);
                if (!outcomes) return outcomes.error();
                std::string const where =
                    fmt::format("{} instance {} step {}", each.is_double() ? "double" : "float", b, t);
                for (ShotOutcome const& outcome : *outcomes) {
                    comparison.shot(fmt::format("{} shot {}", where, outcome.shot), outcome,
                                    shots->place(t, outcome.shot, b));
                }
                auto const winner = find_counterfactual(*each.policy, episode, t, recorded, options);
                if (!winner) return winner.error();
                comparison.winner(where, *winner, b * shots->steps + t);
            }
        }
    }
    return {};
}

} // namespace cax::parity
