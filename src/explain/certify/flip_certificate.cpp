#include "cax/explain/flip_certificate.hpp"

#include "cax/policies/rollout.hpp"

#include "cax/problems/questions.hpp"

#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// Streams of random numbers for completions, away from those that draw shots.
constexpr std::uint64_t completion_stream = 0x726f6c6c6f757473;
/// Attempts besides the greedy one, where that does not answer the question.
constexpr std::size_t random_completions = 4;

Certificate refuted_at_once(Question question, std::string reason) {
    Certificate certificate;
    certificate.question = std::move(question);
    certificate.verdict = Verdict::refuted;
    certificate.reason = std::move(reason);
    certificate.source = CertificateSource::bound;
    return certificate;
}

Question question_about(Episode const& episode, std::size_t step, Flip const& flip, CertificationOptions const& options) {
    Question question;
    if (options.mode == Certification::prefix) {
        for (std::size_t t = 0; t < step; ++t) question.prefix.push_back(episode.decisions[t].taken());
        question.prefix.push_back(flip.new_action);
    }
    if (options.mode == Certification::instance) return question;
    question.bound = options.bound;
    question.cost_bound = options.cost_bound;
    return question;
}

/// Solutions that begin with the question's prefix, by the policy, up to the first that answers the question.
std::vector<Solution> own_solutions(Policy const& policy, Decision const& decision, Instance const& instance,
                                    Question const& question, CertificationOptions const& options) {
    std::vector<Solution> solutions;
    auto const start = replay_actions(instance, question.prefix, options.state_options);
    if (!start) return solutions;
    bool const any_will_do = !question.bound && !question.cost_bound;
    Completer completer(policy);
    for (std::size_t n = 0; n <= random_completions; ++n) {
        Rng rng(options.certifier.seed ^ completion_stream,
                static_cast<std::uint32_t>(options.first_instance + decision.instance),
                static_cast<std::uint32_t>(decision.step), static_cast<std::uint32_t>(n));
        auto const rest = completer.from(**start, n == 0 ? nullptr : &rng);
        if (!rest) continue;
        std::vector<std::size_t> actions = question.prefix;
        actions.insert(actions.end(), rest->begin(), rest->end());
        auto solution = instance.solution_of(actions);
        if (!solution) continue;
        solutions.push_back(*std::move(solution));
        if (any_will_do || check_answer(instance, solutions.back(), question).valid()) break;
    }
    return solutions;
}

} // namespace

NameTable<Certification> names_of(Certification) {
    static constexpr std::array names{Named<Certification>{Certification::instance, "instance", "a solution"},
                                      Named<Certification>{Certification::bound, "bound", "one that keeps a bound"},
                                      Named<Certification>{Certification::prefix, "prefix",
                                                           "one that begins with the actions so far and the new one"},
                                      Named<Certification>{Certification::none, "none", "nothing"}};
    return names;
}

Certification certification_of(Question const& question) {
    if (!question.prefix.empty()) return Certification::prefix;
    return question.bound || question.cost_bound ? Certification::bound : Certification::instance;
}

Result<void> check_certification(ProblemInfo const& info, CertificationOptions const& options) {
    auto const invalid = [](std::string message) { return Error{ErrorCode::invalid_value, std::move(message)}; };
    if (options.mode == Certification::bound && !options.bound && !options.cost_bound) {
        return invalid(fmt::format("certification with a bound needs one: {}", info.bound_help));
    }
    if (options.bound && !(std::isfinite(*options.bound) && *options.bound >= 0)) {
        return invalid(fmt::format("{} is {}: expected 0 or more", info.bound_option, *options.bound));
    }
    if (options.cost_bound && !(std::isfinite(*options.cost_bound) && *options.cost_bound >= 0)) {
        return invalid(fmt::format("{} is {}: expected 0 or more", info.cost_option, *options.cost_bound));
    }
    return {};
}

Result<Certificate> certify(Policy const& policy, Episode const& episode, std::size_t step, Flip const& flip,
                            CertificationOptions const& options) {
    assert(options.mode != Certification::none && step < episode.decisions.size());
    if (auto ok = check_certification(episode.instance->problem().info(), options); !ok) return ok.error();
    Question const question = question_about(episode, step, flip, options);
    if (!flip.changed) {
        return refuted_at_once(question, fmt::format("there is no such instance: {}", flip.no_instance));
    }
    // A frozen state may choose what the changed instance does not allow.
    if (auto const state = replay_actions(*flip.changed, question.prefix, options.state_options); !state) {
        return refuted_at_once(question, fmt::format("the prefix cannot be executed: {}", state.error().message));
    }
    auto const candidates = own_solutions(policy, episode.decisions[step], *flip.changed, question, options);
    CertifyOptions certifier = options.certifier;
    certifier.candidates = candidates;
    return certify(*flip.changed, question, certifier);
}

} // namespace cax
