// What interventions show: the truths that explanations are judged by. Noise (G2): the total variation of the decision
// under noise of five sizes on one family's open data. Redraws (G3): the same under fresh draws of the generator. Each
// comes in two halves with random numbers of their own: how well one half tells the other is the ceiling for whoever
// tries to tell the truth.
#include "run/task_work.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/sensitivity.hpp"
#include "cax/problems/noise.hpp"
#include "cax/records/parts.hpp"

namespace cax::study {
namespace {

constexpr std::uint32_t truth_halves = 2;

Json half_json(ProblemInfo const& info, std::vector<double> const& score, std::vector<double> const& flip,
               std::vector<double> const& shots) {
    return {{"score", records::by_family(info, score)},
            {"flip", records::by_family(info, flip)},
            {"shots", records::by_family(info, shots)}};
}

/// What fresh draws of one family have shown.
struct RedrawTally {
    double distance = 0;
    double flips = 0;
    double asked = 0;
};

Result<RedrawTally> tally_redraws(Policy const& policy, Decision const& decision, std::size_t family, std::size_t draws,
                                  std::uint64_t seed) {
    std::vector<Observation> seen;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        Rng rng(seed, static_cast<std::uint32_t>(decision.instance), static_cast<std::uint32_t>(decision.step),
                static_cast<std::uint32_t>(family * draws + draw));
        auto const state = redrawn(*decision.state, family, rng);
        if (!state && state.error().code != ErrorCode::invalid_value) return state.error();
        if (!state || (*state)->done() || nothing_allowed(**state)) continue;
        seen.push_back(policy.observe(**state));
    }
    RedrawTally tally;
    for (LogProbs const& log_probs : policy.log_probs(seen)) {
        tally.distance += total_variation(decision.log_probs, log_probs);
        tally.flips += most_probable(log_probs) != decision.action ? 1 : 0;
        ++tally.asked;
    }
    return tally;
}

Json without_truth(std::string_view status) { return {{"status", status}, {"halves", Json::array()}}; }

} // namespace

Result<Json> TaskWork::decision(Intervention intervention, std::size_t step) {
    return intervention == Intervention::noise ? noise_truth_cell(step) : redraw_truth_cell(step);
}

Result<Json> TaskWork::noise_truth_cell(std::size_t step) const {
    Json json = without_truth("computed");
    for (std::uint32_t half = 0; half < truth_halves; ++half) {
        SensitivityOptions options;
        options.sizes = {0.05, 0.1, 0.2, 0.4, 0.8};
        options.shots = settings_.judge.noise;
        options.pool = 1; // the definition, without the help of a gradient
        options.seed = seed_for(10 + half);
        auto const found = sensitivity(*policy_.policy, episode_.decisions[step], options);
        if (!found) return found.error();
        if (found->status != SensitivityStatus::computed) return without_truth(name_of(found->status));
        std::vector<double> score;
        std::vector<double> flip;
        std::vector<double> shots;
        for (FamilySensitivity const& family : found->families) {
            score.push_back(family.score);
            flip.push_back(family.flip_rate);
            shots.push_back(static_cast<double>(family.asked));
        }
        json["halves"].push_back(half_json(info(), score, flip, shots));
    }
    return json;
}

Result<Json> TaskWork::redraw_truth_cell(std::size_t step) const {
    Decision const& decision = episode_.decisions[step];
    if (!decision.runner_up()) return without_truth(name_of(SensitivityStatus::no_choice));
    Json json = without_truth("computed");
    for (std::uint32_t half = 0; half < truth_halves; ++half) {
        std::vector<double> score;
        std::vector<double> flip;
        std::vector<double> shots;
        for (std::size_t k = 0; k < info().families.size(); ++k) {
            auto const tally = tally_redraws(*policy_.policy, decision, k, settings_.judge.redraws, seed_for(20 + half));
            if (!tally && tally.error().code == ErrorCode::unsupported) {
                return without_truth(name_of(SensitivityStatus::unsupported));
            }
            if (!tally) return tally.error();
            score.push_back(tally->asked > 0 ? tally->distance / tally->asked : 0);
            flip.push_back(tally->asked > 0 ? tally->flips / tally->asked : 0);
            shots.push_back(tally->asked);
        }
        json["halves"].push_back(half_json(info(), score, flip, shots));
    }
    return json;
}

} // namespace cax::study
