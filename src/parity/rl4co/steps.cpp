#include "rl4co/golden.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>

namespace cax::parity {
namespace {

/// One decision of every instance of a trace.
struct Step {
    std::string name; ///< "single2/step05/"
    std::vector<StatePtr> const& states;
    std::vector<Observation> observations;
    std::vector<std::size_t> actions; ///< the reference's
};

std::string at_instance(std::string const& name, std::size_t i) { return fmt::format("{}, instance {}", name, i); }

std::vector<Observation> observe_all(std::vector<StatePtr> const& states) {
    std::vector<Observation> observations;
    for (StatePtr const& state : states) observations.push_back(state->observe());
    return observations;
}

std::vector<std::size_t> all_rows(std::size_t count) {
    std::vector<std::size_t> rows(count);
    for (std::size_t i = 0; i < count; ++i) rows[i] = i;
    return rows;
}

/// The reference's actions, or nothing (a failure) if one of them cannot be taken.
std::optional<std::vector<std::size_t>> read_actions(Rl4coCheck& check, std::string const& name,
                                                     std::vector<StatePtr> const& states) {
    auto const rows = golden_rows(check, name, states.size());
    if (rows.empty()) {
        check.ledger.fail(name + ": missing");
        return std::nullopt;
    }
    std::vector<std::size_t> actions;
    for (std::size_t i = 0; i < states.size(); ++i) {
        auto const mask = states[i]->action_mask();
        std::int64_t const action = rows[i].size() == 1 ? rows[i].as_int(0) : -1;
        if (action < 0 || static_cast<std::size_t>(action) >= mask.size() ||
            mask[static_cast<std::size_t>(action)] == 0) {
            check.ledger.fail(fmt::format("{}: action {} is not allowed by our mask", at_instance(name, i), action));
            return std::nullopt;
        }
        actions.push_back(static_cast<std::size_t>(action));
    }
    return actions;
}

/// The actions that the policy chooses from: it may be one that looks ahead.
ActionMask chosen_from(PolicyInfo const& info, Observation const& observation) {
    auto const* const graph = std::get_if<GraphObservation>(&observation);
    bool const careful = info.lookahead_mask && graph != nullptr && !graph->lookahead.empty();
    return careful ? graph->lookahead : action_mask(observation);
}

void compare_masks(Rl4coCheck& check, Step const& step) {
    std::string const name = step.name + "action_mask";
    auto const rows = golden_rows(check, name, step.states.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto const mask = chosen_from(check.policies.front().alone->info(), step.observations[i]);
        check.ledger.equal(check.ledger.folder().masks, at_instance(name, i), rows[i].to_doubles(),
                           std::vector<double>(mask.begin(), mask.end()));
    }
}

double gap_to_runner_up(LogProbs values) {
    if (values.size() < 2) return std::numeric_limits<double>::infinity();
    std::ranges::partial_sort(values, values.begin() + 2, std::greater<>());
    return values[0] - values[1]; // infinity if the runner-up is forbidden
}

std::size_t best_action(LogProbs const& values) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

/// What unclipped logits say: log-softmax over the allowed actions.
std::vector<double> masked_log_softmax(std::vector<double> logits, ActionMask const& mask, double temperature) {
    if (logits.size() != mask.size()) return logits;
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < logits.size(); ++a) {
        logits[a] = mask[a] != 0 ? logits[a] / temperature : -std::numeric_limits<double>::infinity();
        top = std::max(top, logits[a]);
    }
    double sum = 0;
    for (double const logit : logits) sum += std::exp(logit - top);
    for (double& logit : logits) logit -= top + std::log(sum);
    return logits;
}

void compare_log_probs(Rl4coCheck& check, Step const& step, std::string const& key, std::vector<LogProbs> const& ours,
                       bool in_double) {
    GoldenFolder& folder = check.ledger.folder();
    auto const rows = golden_rows(check, step.name + key, ours.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        check.ledger.close(in_double ? folder.log_probs64 : folder.log_probs32, at_instance(step.name + key, i),
                           rows[i].to_doubles(), ours[i],
                           Tolerance::absolute(in_double ? log_prob64_tolerance : check.tolerances.log_prob));
    }
}

void compare_logits(Rl4coCheck& check, Step const& step, Policy const& policy) {
    std::string const name = step.name + "logits";
    auto const rows = golden_rows(check, name, step.states.size());
    if (rows.empty()) return;
    auto const raw = policy.log_probs(step.observations, LogProbKind::raw);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<double> const logits = rows[i].to_doubles();
        double const size = std::max(1.0, largest_magnitude(logits));
        check.ledger.close(
            check.ledger.folder().log_probs32, at_instance(name, i),
            masked_log_softmax(logits, chosen_from(policy.info(), step.observations[i]), policy.info().temperature),
            raw[i], Tolerance::relative(check.tolerances.log_prob, size, 0));
    }
}

/// Scalars that the reference derived from its float32 log-probabilities.
void compare_chosen(Rl4coCheck& check, Step const& step, std::vector<LogProbs> const& ours) {
    auto compare = [&](std::string const& key, double slack, auto const& value) {
        auto const rows = golden_rows(check, step.name + key, ours.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double const mine = value(i);
            check.ledger.close(check.ledger.folder().log_probs32, at_instance(step.name + key, i), rows[i].to_doubles(),
                               std::span(&mine, 1),
                               Tolerance{check.tolerances.log_prob, slack * check.tolerances.log_prob, 0});
        }
    };
    compare("logp_action", 1, [&](std::size_t i) { return ours[i][step.actions[i]]; });
    compare("top2_gap", 2, [&](std::size_t i) { return gap_to_runner_up(ours[i]); });
}

/// Largest entry, and largest disagreement of the reference with itself (float32 against float64), of one block.
struct Scale {
    double largest = 0;
    double own_noise = 0;
};

Scale scale_of(std::span<Tensor const> grad64, std::span<Tensor const> grad32) {
    Scale scale;
    for (std::size_t i = 0; i < grad64.size(); ++i) {
        auto const exact = grad64[i].to_doubles();
        scale.largest = std::max(scale.largest, largest_magnitude(exact));
        if (i >= grad32.size() || grad32[i].size() != exact.size()) continue;
        auto const rounded = grad32[i].to_doubles();
        for (std::size_t k = 0; k < exact.size(); ++k) {
            scale.own_noise = std::max(scale.own_noise, distance(exact[k], rounded[k]));
        }
    }
    return scale;
}

void compare_gradient(Rl4coCheck& check, Step const& step, std::string const& feature,
                      std::vector<std::vector<double>> const& ours, bool in_double) {
    auto const grad64 = golden_rows(check, step.name + "grad64/" + feature, ours.size());
    auto const grad32 = golden_rows(check, step.name + "grad/" + feature, ours.size());
    GoldenFolder& folder = check.ledger.folder();
    for (std::size_t i = 0; in_double && i < grad64.size(); ++i) {
        double const largest = scale_of(std::span(&grad64[i], 1), {}).largest;
        check.ledger.close(folder.gradients64, at_instance(step.name + "grad64/" + feature, i), grad64[i].to_doubles(),
                           ours[i], Tolerance::relative(gradient64_tolerance, largest, gradient64_floor));
    }
    if (in_double) return;
    Scale const scale = grad64.empty() ? scale_of(grad32, {}) : scale_of(grad64, grad32);
    auto tolerance = Tolerance::relative(check.tolerances.gradient, scale.largest, check.tolerances.gradient_floor);
    // A hidden unit near the kink of its ReLU has one sign in float32 and the other in float64. There the reference
    // disagrees with itself, and we may disagree with it as much. Our rounding is not its rounding, so ours may fall on
    // the other side where the reference's did not: those are counted, and there must be few.
    tolerance.kink = check.tolerances.kink * scale.largest;
    tolerance.allowed = std::max(tolerance.allowed, std::min(2 * scale.own_noise, tolerance.kink));
    for (std::size_t i = 0; i < grad32.size(); ++i) {
        check.ledger.close(folder.gradients32, at_instance(step.name + "grad/" + feature, i), grad32[i].to_doubles(),
                           ours[i], tolerance);
    }
}

void compare_gradients(Rl4coCheck& check, Step const& step, std::vector<Policy::Gradient> const& gradients,
                       bool in_double) {
    auto const& tensors = step.states.front()->instance().problem().info().tensors;
    std::vector<Features> pulled;
    for (std::size_t i = 0; i < gradients.size(); ++i)
        pulled.push_back(step.states[i]->pull_back(gradients[i].gradient));
    for (std::string const& feature : check.gradient_features) {
        auto const found = std::ranges::find(tensors, feature, &TensorInfo::name);
        std::vector<std::vector<double>> ours;
        for (std::size_t i = 0; i < pulled.size(); ++i) {
            ours.push_back(found != tensors.end() ? pulled[i][static_cast<std::size_t>(found - tensors.begin())].values
                                                  : step.states[i]->pull_back_constant(feature, gradients[i].gradient));
        }
        if (ours.front().empty()) {
            check.ledger.fail(fmt::format("{}grad/{}: our problem has no such feature", step.name, feature));
            continue;
        }
        compare_gradient(check, step, feature, ours, in_double);
    }
}

void check_decision(Rl4coCheck& check, Step const& step, Rl4coPolicy const& contender, Policy const& policy,
                    Encoding const& reset_encoding) {
    bool const in_double = contender.is_double();
    std::vector<std::vector<double>> weights;
    for (std::size_t i = 0; i < step.actions.size(); ++i) {
        weights.emplace_back(action_count(step.observations[i]), 0.0);
        weights.back()[step.actions[i]] = 1;
    }
    auto const forward = policy.log_probs(step.observations);
    auto const gradients = policy.gradients(step.observations, weights);
    std::vector<LogProbs> backward;
    for (Policy::Gradient const& each : gradients) backward.push_back(each.log_probs);

    std::string const key = in_double ? "logprobs64" : "logprobs";
    compare_log_probs(check, step, key, forward, in_double);
    compare_log_probs(check, step, key, backward, in_double);
    for (std::size_t i = 0; i < forward.size(); ++i) {
        check.ledger.equal(check.ledger.folder().actions, at_instance(step.name + "action", i),
                           static_cast<double>(step.actions[i]), static_cast<double>(best_action(forward[i])));
    }
    if (!in_double) {
        compare_logits(check, step, policy);
        compare_chosen(check, step, forward);
        auto const cached = policy.decode(reset_encoding, all_rows(step.states.size()), step.observations);
        compare_log_probs(check, step, "logprobs_cached", cached, false);
    }
    compare_gradients(check, step, gradients, in_double);
}

void compare_states(Rl4coCheck& check, std::string const& where, std::vector<NamedTensors> const& expected,
                    std::vector<StatePtr> const& states) {
    for (std::size_t i = 0; i < states.size(); ++i) {
        compare_state(check.ledger, fmt::format("instance {}, {}", i, where), expected[i], *states[i]);
    }
}

/// Numbers of the steps stored below the prefix: "step07/..." -> 7.
std::size_t count_steps(Rl4coCheck const& check, std::string const& prefix) {
    std::set<std::string> names;
    for (std::string const& key : check.golden.keys_below(prefix + "step")) names.insert(key.substr(0, key.find('/')));
    return names.size();
}

} // namespace

void check_steps(Rl4coCheck& check, Rl4coTrace const& trace) {
    std::vector<StatePtr> states;
    for (InstancePtr const& instance : trace.instances) states.push_back(instance->reset());
    std::vector<NamedTensors> expected = trace.reset;
    compare_states(check, trace.prefix + "reset/", expected, states);

    std::vector<Observation> const at_reset = observe_all(states);
    std::vector<std::unique_ptr<Encoding>> encodings;
    for (Rl4coPolicy const& each : check.policies) encodings.push_back(trace.pick(each).encode(at_reset));

    std::size_t const steps = count_steps(check, trace.prefix);
    for (std::size_t t = 0; t < steps; ++t) {
        std::string const name = fmt::format("{}step{:02}/", trace.prefix, t);
        auto actions = read_actions(check, name + "action", states);
        if (!actions) return;
        Step const step{name, states, observe_all(states), std::move(*actions)};
        compare_masks(check, step);
        for (std::size_t p = 0; p < check.policies.size(); ++p) {
            check_decision(check, step, check.policies[p], trace.pick(check.policies[p]), *encodings[p]);
        }
        check.ledger.folder().decisions += states.size();

        for (std::size_t i = 0; i < states.size(); ++i) states[i]->step(step.actions[i]);
        for (std::string const& key : check.golden.keys_below(name + "next/")) {
            auto const rows = golden_rows(check, name + "next/" + key, states.size());
            for (std::size_t i = 0; i < rows.size(); ++i) expected[i][key] = rows[i];
        }
        compare_states(check, name + "next/", expected, states);
    }
}

} // namespace cax::parity
