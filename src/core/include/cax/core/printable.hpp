#pragma once
// Names and snippets from files, fit for a one-line message: they may hold line breaks, terminal escapes or megabytes.
#include <string>
#include <string_view>

namespace cax {

/// The text with everything but printable ASCII and well-formed UTF-8 replaced by '?', cut to about 80 bytes.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace cax
