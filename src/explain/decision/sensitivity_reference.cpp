#include "cax/explain/sensitivity_reference.hpp"

#include "cax/core/parallel.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>

namespace cax {
namespace {

/// Streams of their own, whatever else uses the seed: instances, and which of their decisions are taken.
constexpr std::uint64_t reference_instances = 0x7265666572656e63;
constexpr std::uint64_t reference_choices = 0x63686f6963657321;

/// Decisions with a choice of one generated instance, in order.
Result<std::vector<Decision>> drawn_cells(Problem const& problem, Policy const& policy, ReferenceIdentity const& identity,
                                      StateOptions const& state, std::size_t number) {
    Rng rng(identity.seed ^ reference_instances, static_cast<std::uint32_t>(number));
    auto const instance = problem.generate(identity.instance_size, {}, rng);
    if (!instance) return instance.error();
    auto episodes = rollout(policy, std::vector{*instance}, {.numbers = {number}, .state = state});
    if (!episodes) return episodes.error();
    std::vector<Decision> decisions;
    for (Decision const& decision : episodes->front().decisions) {
        if (decision.runner_up()) decisions.push_back(decision);
    }
    Rng choice(identity.seed ^ reference_choices, static_cast<std::uint32_t>(number));
    std::size_t const wanted = std::min(identity.per_instance, decisions.size());
    for (std::size_t i = 0; i < wanted; ++i) std::swap(decisions[i], decisions[i + choice.below(decisions.size() - i)]);
    decisions.resize(wanted);
    std::ranges::sort(decisions, {}, &Decision::step);
    return decisions;
}

Result<std::vector<Decision>> reference_cells(Problem const& problem, Policy const& policy,
                                          ReferenceIdentity const& identity, StateOptions const& state) {
    std::vector<Decision> decisions;
    std::size_t const most = 10 * (identity.decisions / identity.per_instance + 1); // instances that are looked at
    for (std::size_t number = 0; decisions.size() < identity.decisions && number < most; ++number) {
        auto drawn = drawn_cells(problem, policy, identity, state, number);
        if (!drawn) return drawn.error();
        std::size_t const room = identity.decisions - decisions.size();
        if (drawn->size() > room) drawn->resize(room);
        decisions.insert(decisions.end(), drawn->begin(), drawn->end());
    }
    if (decisions.size() == identity.decisions) return decisions;
    return Error{ErrorCode::invalid_value,
                 fmt::format("reference decisions: {} instances of size {} have only {} decisions with a choice", most,
                             identity.instance_size, decisions.size())};
}

} // namespace

std::string ReferenceIdentity::text() const {
    return fmt::format("{} {} {} {} {}/{} {}x{}/{} seed {}{}{}", version, problem, instance_size, policy, decisions,
                       per_instance, fmt::join(sizes, ","), shots, shots * pool, seed,
                       encode_once ? " encode-once" : "", allow_waiting ? " waiting" : "");
}

double ReferenceTable::percentile(std::size_t family, double share) const {
    if (shares.empty()) return 0;
    double below = 0;
    for (auto const& decision : shares) {
        if (decision[family] < share) below += 1;
        if (decision[family] == share) below += 0.5;
    }
    return below / static_cast<double>(shares.size());
}

std::vector<double> ReferenceTable::percentiles(std::vector<double> const& of) const {
    std::vector<double> result;
    for (std::size_t k = 0; k < of.size(); ++k) result.push_back(percentile(k, of[k]));
    return result;
}

std::optional<std::size_t> unusual_family(std::vector<double> const& percentiles) {
    if (percentiles.empty()) return std::nullopt;
    return static_cast<std::size_t>(std::ranges::max_element(percentiles) - percentiles.begin());
}

ReferenceIdentity identity_of(Problem const& problem, Policy const& policy, ReferenceOptions const& options) {
    std::string size = options.instance_size;
    if (size.empty()) size = policy.info().size;
    if (size.empty()) size = problem.info().default_size;
    return {.policy = options.policy_sha256,
            .problem = std::string(problem.info().name),
            .instance_size = std::move(size),
            .decisions = options.decisions,
            .per_instance = options.per_instance,
            .sizes = options.sensitivity.sizes,
            .shots =
                options.sensitivity.shots > 0 ? options.sensitivity.shots : usual_shots(problem.info().families.size()),
            .pool = options.sensitivity.pool,
            .seed = options.sensitivity.seed,
            .encode_once = options.state.encode == EncodeMode::once,
            .allow_waiting = options.state.allow_waiting};
}

Result<ReferenceTable> sensitivity_reference(Problem const& problem, Policy const& policy,
                                             ReferenceOptions const& options) {
    if (options.decisions == 0 || options.per_instance == 0) {
        return Error{ErrorCode::invalid_value, "reference decisions: at least one, of at least one per instance"};
    }
    if (auto const ok = check_options(options.sensitivity); !ok) return ok.error();
    ReferenceTable table{identity_of(problem, policy, options), {}};
    auto const decisions = reference_cells(problem, policy, table.identity, options.state);
    if (!decisions) return decisions.error();
    // Never the noise that a decision of the same number gets when it is asked about itself.
    SensitivityOptions settings = options.sensitivity;
    settings.seed ^= reference_instances;
    settings.first_instance = 0;
    std::vector<std::optional<Error>> errors(decisions->size());
    table.shares.resize(decisions->size());
    std::mutex mutex; // progress is reported by one at a time
    std::size_t done = 0;
    parallel_for(decisions->size(), options.threads, [&](std::size_t c, std::size_t) {
        auto const result = sensitivity(policy, (*decisions)[c], settings);
        if (!result)
            errors[c] = result.error();
        else if (result->status == SensitivityStatus::unsupported)
            errors[c] = missing_capability(problem, "noise on data");
        else
            table.shares[c] = result->shares();
        if (!options.progress) return;
        std::lock_guard const lock(mutex);
        options.progress(++done, decisions->size());
    });
    for (auto const& error : errors) {
        if (error) return *error;
    }
    return table;
}

} // namespace cax
