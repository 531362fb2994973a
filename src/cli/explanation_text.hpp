#pragma once
// An explanation as text for the terminal: its sentences, with how sure each is.
#include "cax/explain/explanation.hpp"

#include <string>
#include <vector>

namespace cax::cli {

/// How much is told of each step: its first line, its lines, or those and every sentence with its numbers.
enum class Detail { one_line, lines, everything };
[[nodiscard]] std::string explanation_text(Explanation const& explanation, std::vector<std::string> const& notes,
                                           Detail detail);

/// One decision: its first line, then an alternatives table or what else was asked.
[[nodiscard]] std::string decision_text(std::string const& where, Step const& step);

} // namespace cax::cli
