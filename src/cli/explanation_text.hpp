#pragma once
// An explanation as text for the terminal: the sentences of its JSON, with how sure each is.
#include "cax/core/json_fwd.hpp"

#include <string>

namespace cax::cli {

/// `explanation` is cax/explanation/1. Brief: the decision, the leading rule, the counterfactual and the nodes only.
[[nodiscard]] std::string explanation_text(Json const& explanation, bool brief);

/// Text that comes from files, safe for a terminal: control characters are replaced.
[[nodiscard]] std::string printable_line(std::string const& text);

} // namespace cax::cli
