#include "cax/explain/attribution.hpp"

#include "names.hpp"

namespace cax {
namespace {

constexpr std::array methods{Named<AttributionMethod>{AttributionMethod::gradient, "gradient"},
                             Named<AttributionMethod>{AttributionMethod::integrated, "integrated"},
                             Named<AttributionMethod>{AttributionMethod::occlusion, "occlusion"}};
constexpr std::array mass_kinds{Named<MassKind>{MassKind::entry, "entry"}, Named<MassKind>{MassKind::node, "node"}};
constexpr std::array baselines{Named<Baseline>{Baseline::zero, "zero"}, Named<Baseline>{Baseline::mean, "mean"},
                               Named<Baseline>{Baseline::depot, "depot"}};
constexpr std::array kinds{Named<LogProbKind>{LogProbKind::policy, "policy"},
                           Named<LogProbKind>{LogProbKind::raw, "raw"}};
constexpr std::array statuses{Named<AttributionStatus>{AttributionStatus::computed, "computed"},
                              Named<AttributionStatus>{AttributionStatus::no_choice, "no_choice"},
                              Named<AttributionStatus>{AttributionStatus::no_influence, "no_influence"},
                              Named<AttributionStatus>{AttributionStatus::other_is_chosen, "other_is_chosen"},
                              Named<AttributionStatus>{AttributionStatus::other_not_allowed, "other_not_allowed"},
                              Named<AttributionStatus>{AttributionStatus::not_finite, "not_finite"}};
constexpr std::array score_statuses{Named<ScoreStatus>{ScoreStatus::computed, "computed"},
                                    Named<ScoreStatus>{ScoreStatus::no_mass, "no_mass"},
                                    Named<ScoreStatus>{ScoreStatus::no_multiplier, "no_multiplier"},
                                    Named<ScoreStatus>{ScoreStatus::no_score, "no_score"}};

} // namespace

std::string_view name_of(AttributionMethod method) { return lookup(methods, method); }
std::string_view name_of(MassKind mass) { return lookup(mass_kinds, mass); }
std::string_view name_of(Baseline baseline) { return lookup(baselines, baseline); }
std::string_view name_of(LogProbKind kind) { return lookup(kinds, kind); }
std::string_view name_of(AttributionStatus status) { return lookup(statuses, status); }
std::string_view name_of(ScoreStatus status) { return lookup(score_statuses, status); }

Result<AttributionMethod> attribution_method_of(std::string_view name) { return parse_name(methods, "method", name); }
Result<MassKind> mass_kind_of(std::string_view name) { return parse_name(mass_kinds, "mass", name); }
Result<Baseline> baseline_of(std::string_view name) { return parse_name(baselines, "baseline", name); }
Result<LogProbKind> log_prob_kind_of(std::string_view name) { return parse_name(kinds, "log-prob", name); }

} // namespace cax
