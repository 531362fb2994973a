#include "reference_golden.hpp"

#include "cax/explain/cells.hpp"

#include <fmt/format.h>

namespace cax::parity {
namespace {

constexpr double double_tolerance = 1e-8; ///< relative to the largest entry, as all double numbers of this format

std::string at_cell(std::string const& name, std::size_t b, std::size_t t) {
    return fmt::format("{}, instance {}, step {}", name, b, t);
}

std::vector<Observation> observations_of(ReferenceCheck const& check) {
    std::vector<Observation> observations;
    for (auto const& states : check.states) {
        for (auto const& state : states) observations.push_back(state->observe());
    }
    return observations;
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

void compare_log_probs(ReferenceCheck& check, GoldenTensors& golden, ReferencePolicy const& contender,
                       std::vector<Observation> const& observations) {
    if (!contender.is_double()) return;
    std::size_t const steps = check.steps();
    for (LogProbKind const kind : {LogProbKind::policy, LogProbKind::raw}) {
        std::string const name = kind == LogProbKind::policy ? "logp64_policy" : "logp64_raw";
        auto const recorded = golden_values(check, golden, name, {check.instances.size(), steps});
        if (!recorded) continue;
        auto const ours = contender.policy->log_probs(observations, kind);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            std::size_t const b = i / steps, t = i % steps;
            check.ledger.close(check.ledger.folder().log_probs64, at_cell(name, b, t), std::span(&(*recorded)[i], 1),
                               std::span(&ours[i][check.actions[b][t]], 1), Tolerance::absolute(double_tolerance));
        }
    }
}

} // namespace

Result<void> compare_lambda(ReferenceCheck& check, GoldenTensors& golden) {
    auto const observations = observations_of(check);
    for (ReferencePolicy const& contender : check.policies) {
        compare_actions(check, contender, observations);
        compare_log_probs(check, golden, contender, observations);
    }
    check.ledger.folder().decisions += observations.size();
    return {};
}

} // namespace cax::parity
