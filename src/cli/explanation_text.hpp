#pragma once
// An explanation as text for the terminal: its sentences, with how sure each is.
#include "cax/explain/explanation.hpp"

#include <string>
#include <vector>

namespace cax::cli {

/// How much is told of each step: its first line, its lines, or those and every sentence with its numbers.
enum class Detail { one_line, lines, everything };
[[nodiscard]] std::string explanation_text(Explanation const& explanation, std::vector<std::string> const& notes,
                                           Detail detail, std::size_t width);
/// Columns of the terminal, within reason; a usual number where there is none.
[[nodiscard]] std::size_t terminal_width();

/// One decision: its first line, then an alternatives table or what else was asked.
[[nodiscard]] std::string decision_text(std::string const& where, Step const& step);

/// Text that comes from files, safe for a terminal: control characters are replaced.
[[nodiscard]] std::string printable_line(std::string const& text);

} // namespace cax::cli
