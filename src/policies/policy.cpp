#include "cax/policies/policy.hpp"

#include "attention.hpp"
#include "cax/core/printable.hpp"
#include "cax/problems/registry.hpp"
#include "matnet.hpp"
#include "network_policy.hpp"
#include "stepwise.hpp"

#include <fmt/format.h>

namespace cax {
namespace {

template <Network Net>
Result<std::unique_ptr<Policy>> make_network(WeightFile const& file, std::string const& problem,
                                             PolicyOptions const& options) {
    auto config = Net::configure(file, options);
    if (!config) return config.error();
    config->info.problem = problem;
    auto net = std::make_unique<Net>(*config);
    if (auto loaded = load_parameters(file, net->parameters()); !loaded) return loaded.error();
    net->pack();
    bool const stepwise = net->info().stepwise;
    std::unique_ptr<Policy> policy = std::make_unique<NetworkPolicy<Net>>(std::move(net), options);
    if (stepwise) policy = std::make_unique<StepwisePolicy>(std::move(policy));
    return policy;
}

struct NetworkKind {
    std::string_view name;
    bool (*recognises)(WeightFile const& file);
    Result<std::unique_ptr<Policy>> (*make)(WeightFile const& file, std::string const& problem,
                                            PolicyOptions const& options);
};

template <template <class> class Net> constexpr NetworkKind kind_of() {
    return {Net<float>::name, &Net<float>::recognises,
            [](WeightFile const& file, std::string const& problem, PolicyOptions const& options) {
                return options.precision == Precision::float64 ? make_network<Net<double>>(file, problem, options)
                                                               : make_network<Net<float>>(file, problem, options);
            }};
}

/// All networks. Adding one is a line here.
constexpr NetworkKind networks[] = {
    kind_of<AttentionNetwork>(),
    kind_of<MatnetNetwork>(),
};

/// What a fresh instance of the problem looks like to a policy.
Result<Observation> sample_observation(Problem const& problem) {
    Rng rng(0);
    auto const instance = problem.generate(problem.info().default_size, {}, rng);
    if (!instance) return instance.error();
    return (*instance)->reset()->observe();
}

Result<void> reads(Policy const& policy, Problem const& problem) {
    auto const observation = sample_observation(problem);
    if (!observation) return observation.error();
    return policy.accepts(*observation);
}

/// The problem that the metadata names, or else the only one whose observations the policy can read.
Result<Problem const*> problem_of(Policy const& policy, std::string const& env_name) {
    if (!env_name.empty()) {
        Problem const* const problem = find_problem(env_name);
        if (!problem)
            return Error{ErrorCode::unsupported, fmt::format("metadata env_name: \"{}\" is not a problem of cax ({})",
                                                             printable(env_name), problem_names())};
        if (auto ok = reads(policy, *problem); !ok) return ok.error().within("metadata env_name: " + env_name);
        return problem;
    }
    Problem const* found = nullptr;
    for (Problem const* const problem : all_problems()) {
        if (!reads(policy, *problem)) continue;
        if (found)
            return Error{ErrorCode::mismatch, fmt::format("metadata env_name: missing, and the tensors fit {} and {}",
                                                          found->info().name, problem->info().name)};
        found = problem;
    }
    if (found) return found;
    return Error{ErrorCode::mismatch, fmt::format("the tensors fit none of the problems of cax ({})", problem_names())};
}

} // namespace

Observation Policy::observe(State const& state, Features const& features) const { return state.observe(features); }

Observation Policy::observe_for_decoding(State const& state) const { return state.observe_for_decoding(); }

Features Policy::pull_back(State const& state, Observation const& gradient) const { return state.pull_back(gradient); }

Result<std::unique_ptr<Policy>> make_policy(TensorFile const& file, PolicyOptions const& options) {
    auto const weights = WeightFile::open(file);
    if (!weights) return weights.error();
    for (NetworkKind const& kind : networks) {
        if (!kind.recognises(*weights)) continue;
        auto policy = kind.make(*weights, weights->info().problem, options);
        if (!policy) return policy;
        auto const problem = problem_of(**policy, weights->info().problem);
        if (!problem) return problem.error();
        if (!weights->info().problem.empty()) return policy;
        return kind.make(*weights, std::string((*problem)->info().name), options);
    }
    std::string names;
    for (NetworkKind const& kind : networks) names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
    return Error{ErrorCode::unsupported, fmt::format("the tensors are those of no network of cax ({})", names)};
}

} // namespace cax
