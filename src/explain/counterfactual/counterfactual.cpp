#include "cax/explain/counterfactual.hpp"

#include "counterfactual/refiner.hpp"
#include "counterfactual/shot_search.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

Error no_such_search(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

Result<void> check_cell(Episode const& episode, std::size_t step, CounterfactualOptions const& options) {
    if (auto ok = check_options(episode.instance->problem().info(), options); !ok) return ok;
    if (step >= episode.decisions.size()) {
        return no_such_search(fmt::format("step {}: the policy takes {} decisions here", step + 1, episode.decisions.size()));
    }
    Decision const& decision = episode.decisions[step];
    if (!options.towards) return {};
    if (*options.towards >= decision.log_probs.size()) {
        return no_such_search(fmt::format("towards action {}: there are {}", *options.towards, decision.log_probs.size()));
    }
    if (*options.towards == decision.action) {
        return no_such_search(fmt::format("towards action {}: that is what the policy chooses", decision.action));
    }
    return {};
}

ShotOutcome outcome_of(WhatIf& what_if, std::size_t shot) {
    Features const& before = what_if.perturbation().from();
    auto const prepared = what_if.prepare(what_if.shot(shot));
    ShotOutcome outcome;
    outcome.shot = shot;
    outcome.l1 = norm_of_change(prepared.change, Norm::l1);
    Features const after = what_if.applied(prepared.change);
    for (std::size_t k = 0; k < after.size(); ++k) {
        for (std::size_t i = 0; i < after[k].values.size(); ++i) {
            outcome.applied_l1 += std::fabs(after[k].values[i] - before[k].values[i]);
        }
    }
    outcome.feasible = prepared.feasible;
    outcome.refusal = prepared.refusal;
    if (prepared.observation) {
        auto const reaction = what_if.ask({&prepared, 1}).front();
        outcome.action = reaction.action;
        outcome.flipped = reaction.flipped;
        outcome.margin = reaction.margin;
    }
    return outcome;
}

} // namespace

Result<void> check_options(ProblemInfo const& info, CounterfactualOptions const& options) {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    if (options.shots == 0) return no_such_search("0 shots: at least one is needed");
    if (options.shots > most) return no_such_search(fmt::format("{} shots: at most {}", options.shots, most));
    if (options.count == 0) return no_such_search("0 answers: at least one is needed");
    if (options.fidelity.truncate && options.fidelity.state != StateMode::frozen) {
        return no_such_search("truncated tensors belong to frozen states: a replayed instance would differ from them");
    }
    if (options.kind == ChangeKind::primitive && options.fidelity.state == StateMode::frozen) {
        return no_such_search("primitive changes need replayed states: a frozen state derives nothing anew");
    }
    return check_perturbation(info, options.perturbation);
}

Result<Counterfactual> find_counterfactual(Policy const& policy, Episode const& episode, std::size_t step,
                                           CounterfactualOptions const& options) {
    return find_counterfactual(policy, episode, step, ShotSource(), options);
}

Result<Counterfactual> find_counterfactual(Policy const& policy, Episode const& episode, std::size_t step,
                                           ShotSource const& shots, CounterfactualOptions const& options) {
    if (auto ok = check_cell(episode, step, options); !ok) return ok.error();
    WhatIf what_if(policy, episode, step, options, shots);
    return search_shots(what_if);
}

Result<Refinement> refine(Policy const& policy, Episode const& episode, std::size_t step, Flip const& flip,
                          CounterfactualOptions const& options) {
    if (auto ok = check_cell(episode, step, options); !ok) return ok.error();
    WhatIf what_if(policy, episode, step, options);
    return refined(what_if, flip);
}

Result<std::vector<ShotOutcome>> evaluate_shots(Policy const& policy, Episode const& episode, std::size_t step,
                                                CounterfactualOptions const& options) {
    return evaluate_shots(policy, episode, step, ShotSource(), options);
}

Result<std::vector<ShotOutcome>> evaluate_shots(Policy const& policy, Episode const& episode, std::size_t step,
                                                ShotSource const& shots, CounterfactualOptions const& options) {
    if (auto ok = check_cell(episode, step, options); !ok) return ok.error();
    WhatIf what_if(policy, episode, step, options, shots);
    std::vector<ShotOutcome> outcomes;
    for (std::size_t s = 0; s < options.shots; ++s) outcomes.push_back(outcome_of(what_if, s));
    return outcomes;
}

} // namespace cax
