#pragma once
// Can the shop be done by the horizon? As a constraint model: operations choose a machine and a start; machines do one
// thing at a time.
//
// Times become whole numbers of 1/scale. A scale that represents every time exactly makes both roundings one and the
// same; otherwise strict rounds times up and the horizon down, loose the other way round.
#include "prefix.hpp"

#include "cax/problems/decision_model.hpp"

namespace cax::fjsp {

/// More operations than this are left to searches.
inline constexpr std::size_t max_model_operations = 500;

/// Precondition: horizon > 0.
[[nodiscard]] DecisionModel shop_model(Instance const& instance, Prefix prefix, double horizon, Rounding rounding);

} // namespace cax::fjsp
