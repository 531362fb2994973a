#pragma once
// An explanation as text for the terminal: its sentences, with how sure each is.
#include "cax/explain/explanation.hpp"

#include <string>
#include <vector>

namespace cax::cli {

/// Brief: the decision, the leading rule, the counterfactual and the nodes only.
[[nodiscard]] std::string explanation_text(Explanation const& explanation, std::vector<std::string> const& notes,
                                           bool brief);

/// Text that comes from files, safe for a terminal: control characters are replaced.
[[nodiscard]] std::string printable_line(std::string const& text);

} // namespace cax::cli
