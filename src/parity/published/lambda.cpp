#include "published/lambda.hpp"

#include "rl4co/golden.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::parity {
namespace {

void compare_features(ReferenceCheck& check, GoldenTensors& golden) {
    for (std::size_t i = 0; i < check.problem.info().tensors.size(); ++i) {
        std::string const name = fmt::format("feature/{}", check.problem.info().tensors[i].name);
        Tensor const* recorded = golden.find(name);
        if (recorded == nullptr) continue;
        if (recorded->shape().size() < 2 || recorded->shape()[0] != check.instances.size() ||
            recorded->shape()[1] != check.steps()) {
            check.ledger.fail(fmt::format("{}: shape {}", name, to_string(recorded->shape())));
            continue;
        }
        for (std::size_t b = 0; b < check.instances.size(); ++b) {
            Tensor const row = recorded->slice(b);
            for (std::size_t t = 0; t < check.steps(); ++t) {
                check.ledger.equal(check.ledger.folder().states, at_cell(name, b, t), row.slice(t).to_doubles(),
                                   check.states[b][t]->features()[i].values);
            }
        }
    }
}

void compare_actions(ReferenceCheck& check, ReferencePolicy const& contender,
                     std::vector<Observation> const& observations) {
    auto const log_probs = contender.policy->log_probs(observations);
    std::size_t const steps = check.steps();
    for (std::size_t i = 0; i < log_probs.size(); ++i) {
        check.ledger.equal(check.ledger.folder().actions, at_cell("action", i / steps, i % steps),
                           static_cast<double>(check.actions[i / steps][i % steps]),
                           static_cast<double>(most_probable(log_probs[i])));
    }
}

/// Of the two largest unclipped log-probabilities, recorded in single precision.
void compare_gaps(ReferenceCheck& check, GoldenTensors& golden, ReferencePolicy const& contender,
                  std::vector<Observation> const& observations) {
    std::size_t const steps = check.steps();
    auto const recorded = golden_values(check, golden, "top2_gap", {check.instances.size(), steps});
    if (!recorded) return;
    auto log_probs = contender.policy->log_probs(observations, LogProbKind::raw);
    for (std::size_t i = 0; i < log_probs.size(); ++i) {
        std::ranges::partial_sort(log_probs[i], log_probs[i].begin() + 2, std::greater<>());
        double const gap = log_probs[i][0] - log_probs[i][1];
        Tolerance const tolerance = Tolerance::absolute(Rl4coTolerances::for_inputs(false).log_prob);
        check.ledger.close(check.ledger.folder().log_probs32, at_cell("top2_gap", i / steps, i % steps),
                           std::span(&(*recorded)[i], 1), std::span(&gap, 1), tolerance);
    }
}

void compare_gradient(ReferenceCheck& check, GoldenTensors& golden, std::string const& prefix, std::size_t decision,
                      Features const& ours) {
    std::size_t const b = decision / check.steps(), t = decision % check.steps();
    for (std::size_t i = 0; i < ours.size(); ++i) {
        std::string const name = fmt::format("{}/{}", prefix, check.problem.info().tensors[i].name);
        Tensor const* recorded = golden.find(name);
        if (recorded == nullptr) continue;
        Shape expected{check.instances.size(), check.steps()};
        expected.insert(expected.end(), ours[i].shape.begin(), ours[i].shape.end());
        if (recorded->shape() != expected) {
            check.ledger.fail(
                fmt::format("{}: shape {} instead of {}", name, to_string(recorded->shape()), to_string(expected)));
            continue;
        }
        auto const row = recorded->slice(b).slice(t).to_doubles();
        check.ledger.close(check.ledger.folder().gradients64, at_cell(name, b, t), row, ours[i].values,
                           Tolerance::relative(reference64_tolerance, largest_magnitude(row), 1e-15));
    }
}

/// Log-probabilities and gradients of both kinds.
void compare_in_double(ReferenceCheck& check, GoldenTensors& golden, Policy const& policy,
                       std::vector<Observation> const& observations) {
    std::size_t const steps = check.steps();
    std::vector<std::vector<double>> weights;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        weights.emplace_back(action_count(observations[i]));
        weights.back()[check.actions[i / steps][i % steps]] = 1;
    }
    for (LogProbKind const kind : {LogProbKind::policy, LogProbKind::raw}) {
        std::string const suffix = kind == LogProbKind::policy ? "policy" : "raw";
        auto const recorded = golden_values(check, golden, "logp64_" + suffix, {check.instances.size(), steps});
        auto const ours = policy.gradients(observations, weights, kind);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            std::size_t const b = i / steps, t = i % steps;
            compare_gradient(check, golden, "grad64_" + suffix, i, check.states[b][t]->pull_back(ours[i].gradient));
            if (!recorded) continue;
            check.ledger.close(check.ledger.folder().log_probs64, at_cell("logp64_" + suffix, b, t),
                               std::span(&(*recorded)[i], 1), std::span(&ours[i].log_probs[check.actions[b][t]], 1),
                               Tolerance::absolute(log_prob64_tolerance));
        }
    }
}

} // namespace

double reference32_tolerance(ReferenceCheck const& check) {
    return Rl4coTolerances::for_inputs(inputs_are_scaled(check.instances)).gradient;
}

std::string at_cell(std::string const& name, std::size_t b, std::size_t t) {
    return fmt::format("{}, instance {}, step {}", name, b, t);
}

std::vector<Decision> reference_cells(ReferenceCheck const& check) {
    std::vector<Decision> decisions;
    for (std::size_t b = 0; b < check.states.size(); ++b) {
        for (std::size_t t = 0; t < check.states[b].size(); ++t) {
            decisions.push_back({b, t, check.states[b][t], check.actions[b][t], {}});
        }
    }
    return decisions;
}

Result<void> compare_lambda(ReferenceCheck& check, GoldenTensors& golden) {
    std::vector<Observation> observations;
    for (Decision const& decision : reference_cells(check)) observations.push_back(decision.state->observe());
    compare_features(check, golden);
    for (ReferencePolicy const& contender : check.policies) {
        compare_actions(check, contender, observations);
        if (contender.is_double()) {
            compare_in_double(check, golden, *contender.policy, observations);
        } else {
            compare_gaps(check, golden, contender, observations);
        }
    }
    check.ledger.folder().decisions += observations.size();
    if (auto const done = compare_masses(check, golden); !done) return done.error();
    return compare_multipliers(check, golden);
}

} // namespace cax::parity
