#pragma once
// THE list of the parts of an explanation. Command line, page, Python, records, tables and comparisons go through it;
// a part that is not in it does not exist. The order is that of help, of work (a part may use what those before it
// found) and of the numbers behind the lines.
#include "cax/explain/parts/alternatives.hpp"
#include "cax/explain/parts/attribution.hpp"
#include "cax/explain/parts/counterfactual.hpp"
#include "cax/explain/parts/forbidden.hpp"
#include "cax/explain/parts/regret.hpp"
#include "cax/explain/parts/sensitivity.hpp"
#include "cax/explain/parts/story.hpp"
#include "cax/explain/parts/subset.hpp"
#include "cax/explain/parts/swap.hpp"
#include "cax/explain/parts/thumb.hpp"
#include "cax/explain/parts/why_not.hpp"

namespace cax {

using Parts = PartList<parts::WhyNot, parts::Regret, parts::Alternatives, parts::Forbidden, parts::Swap, parts::Sensitivity,
                       parts::Thumb, parts::Attribution, parts::Counterfactual, parts::Subset, parts::Story>;
using ChosenParts = PartSet<Parts>;

} // namespace cax
