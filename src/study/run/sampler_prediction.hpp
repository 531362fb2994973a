#pragma once
// What the sampler of counterfactuals names if every shot flips: a baseline that needs no policy. Algorithm 1 keeps the
// smallest shot that flips, and a shot moves one tensor, so units and numbers of entries decide which tensors can win.
#include "cax/policies/rollout.hpp"
#include "cax/explain/counterfactual.hpp"
#include "cax/study/names.hpp"

#include <map>

namespace cax::study {

struct SamplerPrediction {
    std::size_t possible = 0; ///< one-tensor shots that are instances inside the envelope: only they count
    std::map<SamplerReading, std::size_t> families;

    /// Nothing if no shot is possible.
    [[nodiscard]] std::optional<std::size_t> of(SamplerReading reading) const {
        auto const found = families.find(reading);
        return found == families.end() ? std::nullopt : std::optional(found->second);
    }
};

/// The shots that find_counterfactual() draws for this decision with these options, and those with all tensors moved.
/// Only the number of the instance and of the step are read of the decision.
[[nodiscard]] SamplerPrediction predict_sampler(Instance const& instance, Decision const& decision,
                                                CounterfactualOptions const& options);

} // namespace cax::study
