#include "cell_certificate.hpp"

#include "rollout.hpp"

#include <fmt/format.h>

namespace cax {
namespace {

/// Streams of random numbers for rollouts, away from those that draw shots.
constexpr std::uint64_t rollout_stream = 0x726f6c6c6f757473;
/// Attempts besides the greedy one where not every solution answers the question.
constexpr std::size_t random_rollouts = 4;

Certificate refuted(std::string reason) {
    Certificate certificate;
    certificate.verdict = Verdict::refuted;
    certificate.reason = std::move(reason);
    certificate.source = CertificateSource::bound;
    return certificate;
}

Question question_for(WhatIf const& what_if, Flip const& flip) {
    Question question;
    CounterfactualOptions const& options = what_if.options();
    if (options.certify == Certification::prefix) {
        question.prefix = what_if.prefix();
        question.prefix.push_back(flip.new_action);
    }
    if (options.certify != Certification::instance) question.bound = options.bound;
    return question;
}

/// Solutions that begin with the question's prefix, by the policy.
std::vector<Solution> own_solutions(Policy const& policy, WhatIf const& what_if, Instance const& instance,
                                    Question const& question) {
    std::vector<Solution> solutions;
    CounterfactualOptions const& options = what_if.options();
    auto const start = replay(instance, question.prefix, options.state_options);
    if (!start) return solutions;
    bool const any_will_do = !question.bound;
    for (std::size_t n = 0; n <= random_rollouts; ++n) {
        if (any_will_do && !solutions.empty()) break;
        Rng rng(options.perturbation.seed ^ rollout_stream,
                static_cast<std::uint32_t>(options.first_instance + what_if.cell().instance),
                static_cast<std::uint32_t>(what_if.cell().step), static_cast<std::uint32_t>(n));
        auto const rest = rollout(policy, **start, n == 0 ? nullptr : &rng);
        if (!rest) continue;
        std::vector<std::size_t> actions = question.prefix;
        actions.insert(actions.end(), rest->begin(), rest->end());
        if (auto solution = instance.solution_of(actions)) solutions.push_back(*std::move(solution));
    }
    return solutions;
}

} // namespace

Result<Certificate> certify_flip(Policy const& policy, WhatIf const& what_if, Flip const& flip) {
    auto const instance = what_if.changed_instance(flip.change);
    if (!instance) return refuted(fmt::format("there is no such instance: {}", instance.error().message));
    Question const question = question_for(what_if, flip);
    // A frozen state may choose what the changed instance does not allow.
    if (auto const state = replay(**instance, question.prefix, what_if.options().state_options); !state) {
        return refuted(fmt::format("the prefix cannot be executed: {}", state.error().message));
    }
    std::vector<Solution> const candidates = own_solutions(policy, what_if, **instance, question);
    CertifyOptions options = what_if.options().certifier;
    options.seed = what_if.options().perturbation.seed;
    options.candidates = candidates;
    return certify(**instance, question, options);
}

} // namespace cax
