#pragma once
// Sufficient subsets as records: the decisions of cax/subset/1, and what explanations and studies hold of them.
#include "cax/core/json_fwd.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/explain/subset_score.hpp"

namespace cax::records {

/// {rate, lower_bound, hoeffding, samples, preserved}
[[nodiscard]] Json share_json(Preserved const& share);
/// `curve`: every size was tested on every sample, so that the area means something.
[[nodiscard]] Json subset_json(Subset const& subset, bool curve);
/// One entry of "cells": the same with the decision's words and the nodes' labels.
[[nodiscard]] Json subset_decision_json(Decision const& decision, Subset const& subset, bool curve);
[[nodiscard]] Json score_json(SubsetScore const& score);

} // namespace cax::records
