#include "cax/explain/counterfactual.hpp"

#include "cell_certificate.hpp"
#include "refine.hpp"
#include "shot_search.hpp"

#include "cax/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

namespace cax {
namespace {

Error invalid(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

Result<void> check_cell(Walk const& walk, std::size_t step, CounterfactualOptions const& options) {
    if (step >= walk.cells.size()) {
        return invalid(fmt::format("step {}: the policy takes {} decisions here", step + 1, walk.cells.size()));
    }
    Cell const& cell = walk.cells[step];
    if (!options.towards) return {};
    if (*options.towards >= cell.log_probs.size()) {
        return invalid(fmt::format("towards action {}: there are {}", *options.towards, cell.log_probs.size()));
    }
    if (*options.towards == cell.action) {
        return invalid(fmt::format("towards action {}: that is what the policy chooses", cell.action));
    }
    return {};
}

/// Certifies an answer in place.
Result<void> settle(Policy const& policy, WhatIf const& what_if, Flip& flip) {
    if (what_if.options().certify == Certification::none) return {};
    auto certificate = certify_flip(policy, what_if, flip);
    if (!certificate) return certificate.error();
    switch (certificate->verdict) {
    case Verdict::certified: flip.status = CounterfactualStatus::certified; break;
    case Verdict::refuted: flip.status = CounterfactualStatus::refuted; break;
    case Verdict::undecided: flip.status = CounterfactualStatus::undecided; break;
    }
    flip.certificate = *std::move(certificate);
    return {};
}

/// The refined answer; if that loses the certificate, the last step before it that keeps it.
Result<Flip> refined_and_settled(Policy const& policy, WhatIf& what_if, Flip const& flip) {
    std::vector<Flip> answers = refined(what_if, flip);
    bool const was_certified = flip.status == CounterfactualStatus::certified;
    for (Flip& answer : answers) {
        if (auto ok = settle(policy, what_if, answer); !ok) return ok.error();
        if (!was_certified || answer.status == CounterfactualStatus::certified) return std::move(answer);
    }
    return flip; // certified as it was
}

} // namespace

void CounterfactualOptions::make_published() {
    state = StateMode::frozen;
    envelope = Envelope::published;
    truncate = true;
    log_prob = LogProbKind::raw;
}

Flip const* Counterfactual::best() const {
    if (!refined.empty()) return &refined.front();
    return sampled.empty() ? nullptr : &sampled.front();
}

Result<void> check_options(ProblemInfo const& info, CounterfactualOptions const& options) {
    if (options.shots == 0) return invalid("0 shots: at least one is needed");
    if (options.shots > std::numeric_limits<std::uint32_t>::max()) {
        return invalid(fmt::format("{} shots: at most {}", options.shots, std::numeric_limits<std::uint32_t>::max()));
    }
    if (options.count == 0) return invalid("0 answers: at least one is needed");
    if (options.certify == Certification::bound && !options.bound) {
        return invalid(fmt::format("certification with a bound needs one: {}", info.bound_help));
    }
    if (options.bound && !(std::isfinite(*options.bound) && *options.bound >= 0)) {
        return invalid(fmt::format("{} is {}: expected 0 or more", info.bound_option, *options.bound));
    }
    if (options.truncate && options.state != StateMode::frozen) {
        return invalid("truncated tensors belong to frozen states: a replayed instance would differ from them");
    }
    if (options.kind == ChangeKind::primitive && options.state == StateMode::frozen) {
        return invalid("primitive changes need replayed states: a frozen state derives nothing anew");
    }
    return check_perturbation(info, options.perturbation);
}

Result<Counterfactual> find_counterfactual(Policy const& policy, Walk const& walk, std::size_t step,
                                           CounterfactualOptions const& options) {
    if (auto ok = check_options(walk.instance->problem().info(), options); !ok) return ok.error();
    if (auto ok = check_cell(walk, step, options); !ok) return ok.error();
    WhatIf what_if(policy, walk, step, options);
    Counterfactual result = search_shots(what_if);
    for (Flip& flip : result.sampled) {
        if (auto ok = settle(policy, what_if, flip); !ok) return ok.error();
    }
    if (options.refine) {
        std::size_t const before = what_if.forward_passes();
        for (Flip const& flip : result.sampled) {
            auto better = refined_and_settled(policy, what_if, flip);
            if (!better) return better.error();
            result.refined.push_back(*std::move(better));
        }
        result.refine_passes = what_if.forward_passes() - before;
    }
    if (Flip const* const best = result.best()) result.status = best->status;
    return result;
}

Result<std::vector<Counterfactual>> find_counterfactuals(Policy const& policy, std::span<Walk const> walks,
                                                         CounterfactualOptions const& options) {
    std::vector<std::pair<Walk const*, std::size_t>> cells;
    for (Walk const& walk : walks) {
        for (std::size_t step = 0; step < walk.cells.size(); ++step) cells.emplace_back(&walk, step);
    }
    std::vector<Counterfactual> results(cells.size());
    std::vector<std::optional<Error>> errors(cells.size());
    std::mutex mutex;
    std::size_t finished = 0;
    parallel_for(cells.size(), options.threads, [&](std::size_t c, std::size_t) {
        auto result = find_counterfactual(policy, *cells[c].first, cells[c].second, options);
        if (result)
            results[c] = *std::move(result);
        else
            errors[c] = result.error();
        std::scoped_lock const lock(mutex);
        if (options.progress) options.progress(++finished, cells.size());
    });
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (!errors[c]) continue;
        Cell const& cell = cells[c].first->cells[cells[c].second];
        return errors[c]->within(fmt::format("instance {}, step {}", cell.instance, cell.step + 1));
    }
    return results;
}

Result<std::vector<ShotOutcome>> evaluate_shots(Policy const& policy, Walk const& walk, std::size_t step,
                                                CounterfactualOptions const& options) {
    if (auto ok = check_options(walk.instance->problem().info(), options); !ok) return ok.error();
    if (auto ok = check_cell(walk, step, options); !ok) return ok.error();
    WhatIf what_if(policy, walk, step, options);
    Features const& before = what_if.perturbation().from();
    std::vector<ShotOutcome> outcomes;
    for (std::size_t s = 0; s < options.shots; ++s) {
        auto const prepared = what_if.prepare(what_if.shot(s));
        ShotOutcome outcome;
        outcome.shot = s;
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
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

Result<InstancePtr> changed_instance(Walk const& walk, std::size_t step, Features const& change,
                                     CounterfactualOptions const& options) {
    if (options.state == StateMode::replay) return walk.instance->changed(change, options.kind);
    // A frozen state's tensors are blank where a node has been dealt with: noise there is none of the instance's.
    ProblemInfo const& info = walk.instance->problem().info();
    State const& state = *walk.cells[step].state;
    std::vector<std::uint8_t> const spent = state.spent_nodes();
    Features const before = state.features();
    Features real = change;
    for (std::size_t k = 0; k < real.size(); ++k) {
        TensorInfo const& tensor = info.tensors[k];
        bool const cut = options.truncate && walk.instance->units(k).whole_numbers;
        for (std::size_t i = 0; i < real[k].values.size(); ++i) {
            double const from = before[k].values[i];
            double& value = real[k].values[i];
            if (cut) value = std::trunc(static_cast<double>(static_cast<float>(from + value))) - from;
            if (!spent.empty() && spent[node_of(tensor, real[k].shape, i)] != 0) value = 0;
        }
    }
    return walk.instance->changed(real, options.kind);
}

} // namespace cax
