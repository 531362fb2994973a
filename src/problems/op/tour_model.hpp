#pragma once
// Can a tour collect so much? As a constraint model: one closed tour through everybody, of which the part between where
// the tour stands and home is driven, and the part after home only lists who is left out.
#include "prefix.hpp"

#include "cax/problems/decision_model.hpp"

namespace cax::op {

/// More customers than this make tables that no solver would get through.
inline constexpr std::size_t max_model_customers = 300;

/// Precondition: the prefix is not closed.
[[nodiscard]] DecisionModel tour_model(Data const& data, Prefix const& prefix, double bound, Rounding rounding);

} // namespace cax::op
