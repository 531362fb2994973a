#pragma once
// Can a tour collect so much? As a constraint model: one closed tour through everybody, of which the part between where
// the tour stands and home is driven, and the part after home only lists who is left out.
#include "beginning.hpp"

#include "cax/problems/decision_model.hpp"

namespace cax::op {

/// More customers than this make tables that no solver would get through.
inline constexpr std::size_t max_model_customers = 300;

/// Precondition: the beginning is not closed. `left` are the customers that it has not visited.
[[nodiscard]] DecisionModel tour_model(Data const& data, Beginning const& begun, std::vector<std::size_t> const& left,
                                       double bound, Rounding rounding);

} // namespace cax::op
