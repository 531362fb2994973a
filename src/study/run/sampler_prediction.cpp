#include "run/sampler_prediction.hpp"

#include "cax/problems/changes.hpp"

#include <limits>

namespace cax::study {
namespace {

/// The smallest so far.
struct Smallest {
    double size = std::numeric_limits<double>::infinity();
    Features change = {};
    void offer(double candidate, Features const& by) {
        if (candidate < size) *this = {candidate, by};
    }
};

bool is_possible(Instance const& instance, Features const& change, Envelope envelope) {
    if (changed_entries(change) == 0) return false;
    auto const moved = changed(instance, change);
    if (!moved) return false;
    auto const state = (*moved)->reset();
    return !envelope_violation(*state, state->features(), envelope);
}

Features in_units_of(Features change, std::vector<double> const& scales) {
    for (std::size_t t = 0; t < change.size(); ++t) {
        for (double& value : change[t].values) value /= scales[t];
    }
    return change;
}

} // namespace

SamplerPrediction predict_sampler(Instance const& instance, Decision const& decision, CounterfactualOptions const& options) {
    ProblemInfo const& info = instance.problem().info();
    auto const scales = tensor_scales(instance);
    SamplerPrediction prediction;
    auto const note = [&](SamplerReading reading, Features const& change) {
        if (auto const family = heaviest_family(family_masses(info, change))) prediction.families[reading] = *family;
    };
    for (bool const joint : {false, true}) {
        PerturbationOptions perturbation = options.perturbation;
        perturbation.joint = joint;
        Perturbation const sampler(instance, instance.reset()->features(), adjustable(instance), perturbation);
        Smallest raw;
        Smallest relative;
        for (std::size_t s = 0; s < options.shots; ++s) {
            Features const change = sampler.shot(options.first_instance + decision.instance, decision.step, s);
            if (!is_possible(instance, change, options.fidelity.envelope)) continue;
            prediction.possible += joint ? 0 : 1;
            raw.offer(norm_of_change(change, Norm::l1), change);
            relative.offer(relative_size(change, scales), change);
        }
        // Joint searches look for the smallest in raw units; only the reading of its masses is relative.
        note(joint ? SamplerReading::joint : SamplerReading::one_tensor, raw.change);
        note(joint ? SamplerReading::joint_relative : SamplerReading::one_tensor_relative,
             joint ? in_units_of(raw.change, scales) : relative.change);
    }
    return prediction;
}

} // namespace cax::study
