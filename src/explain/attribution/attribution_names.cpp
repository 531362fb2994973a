#include "cax/explain/attribution.hpp"

#include "cax/core/names.hpp"

namespace cax {
namespace {

constexpr std::array methods{
    Named<AttributionMethod>{AttributionMethod::gradient, "gradient", "x feature, the paper"},
    Named<AttributionMethod>{AttributionMethod::integrated, "integrated", "gradients on the way from a baseline"},
    Named<AttributionMethod>{AttributionMethod::occlusion, "occlusion", "what is lost at the baseline"}};
constexpr std::array baselines{Named<MaskingBaseline>{MaskingBaseline::zero, "zero"},
                               Named<MaskingBaseline>{MaskingBaseline::mean, "mean"},
                               Named<MaskingBaseline>{MaskingBaseline::depot, "depot"}};
constexpr std::array kinds{Named<LogProbKind>{LogProbKind::policy, "policy", "its own, clipped"},
                           Named<LogProbKind>{LogProbKind::raw, "raw", "unclipped logits"}};
constexpr std::array statuses{Named<AttributionStatus>{AttributionStatus::computed, "computed"},
                              Named<AttributionStatus>{AttributionStatus::no_choice, "no_choice"},
                              Named<AttributionStatus>{AttributionStatus::no_influence, "no_influence"},
                              Named<AttributionStatus>{AttributionStatus::other_is_chosen, "other_is_chosen"},
                              Named<AttributionStatus>{AttributionStatus::other_not_allowed, "other_not_allowed"},
                              Named<AttributionStatus>{AttributionStatus::not_finite, "not_finite"},
                              Named<AttributionStatus>{AttributionStatus::no_gradients, "no_gradients"}};
constexpr std::array score_statuses{Named<ScoreStatus>{ScoreStatus::computed, "computed"},
                                    Named<ScoreStatus>{ScoreStatus::no_mass, "no_mass"},
                                    Named<ScoreStatus>{ScoreStatus::no_multiplier, "no_multiplier"},
                                    Named<ScoreStatus>{ScoreStatus::no_score, "no_score"}};

} // namespace

NameTable<AttributionMethod> names_of(AttributionMethod) { return methods; }
NameTable<MaskingBaseline> names_of(MaskingBaseline) { return baselines; }
NameTable<LogProbKind> names_of(LogProbKind) { return kinds; }
std::string_view name_of(AttributionStatus status) { return lookup(statuses, status); }
std::string_view name_of(ScoreStatus status) { return lookup(score_statuses, status); }

} // namespace cax
