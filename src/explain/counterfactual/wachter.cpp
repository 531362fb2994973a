// The control that asks nobody whether a changed instance makes sense.
#include "counterfactual/what_if.hpp"

#include "cax/core/parallel.hpp"

#include <algorithm>

namespace cax {
namespace {

/// The smallest flip of all shots that the policy can be asked about, inside the envelope or not.
void find_answer(WhatIf& what_if, std::vector<std::pair<double, std::size_t>> shots, WachterCount& count) {
    std::ranges::sort(shots);
    constexpr std::size_t batch_size = 8;
    for (std::size_t first = 0; first < shots.size(); first += batch_size) {
        std::vector<WhatIf::Prepared> batch;
        for (std::size_t i = first; i < std::min(first + batch_size, shots.size()); ++i) {
            batch.push_back(what_if.prepare(what_if.shot(shots[i].second)));
        }
        auto const reactions = what_if.ask(batch);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (!reactions[i].flipped) continue;
            count.flipped_cells = 1;
            count.passing_answers = batch[i].feasible ? 1 : 0;
            return;
        }
    }
}

WachterCount count_cell(Policy const& policy, Episode const& episode, std::size_t step,
                        CounterfactualOptions const& options) {
    WhatIf what_if(policy, episode, step, options);
    WachterCount count{.shots = options.shots, .passing = 0, .decisions = 1, .flipped_cells = 0, .passing_answers = 0};
    std::vector<std::pair<double, std::size_t>> shots;
    for (std::size_t s = 0; s < options.shots; ++s) {
        auto const prepared = what_if.prepare(what_if.shot(s));
        count.passing += prepared.feasible ? 1 : 0;
        if (prepared.observation) shots.emplace_back(norm_of_change(prepared.change, options.norm), s);
    }
    find_answer(what_if, std::move(shots), count);
    return count;
}

} // namespace

WachterCount& WachterCount::operator+=(WachterCount const& other) {
    shots += other.shots;
    passing += other.passing;
    decisions += other.decisions;
    flipped_cells += other.flipped_cells;
    passing_answers += other.passing_answers;
    return *this;
}

Result<WachterCount> count_wachter(Policy const& policy, std::span<Episode const> episodes,
                                   CounterfactualOptions const& options, std::size_t threads) {
    CounterfactualOptions jointly = options;
    jointly.perturbation.joint = true;
    // A change that makes no instance has no state to replay, and could never be an answer: only tensors change.
    jointly.fidelity.state = StateMode::frozen;
    jointly.kind = ChangeKind::features;
    jointly.perturbation.toggles = false;
    jointly.perturbation.sparse = 0;
    std::vector<std::pair<Episode const*, std::size_t>> decisions;
    for (Episode const& episode : episodes) {
        if (auto ok = check_options(episode.instance->problem().info(), jointly); !ok) return ok.error();
        for (std::size_t step = 0; step < episode.decisions.size(); ++step) decisions.emplace_back(&episode, step);
    }
    std::vector<WachterCount> counts(decisions.size());
    parallel_for(decisions.size(), threads, [&](std::size_t c, std::size_t) {
        counts[c] = count_cell(policy, *decisions[c].first, decisions[c].second, jointly);
    });
    WachterCount all;
    for (WachterCount const& count : counts) all += count;
    return all;
}

} // namespace cax
