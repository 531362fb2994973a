#pragma once
// Text that fits a page.
#include <string>
#include <string_view>

namespace cax::cli {

/// Lines of at most `width` characters, broken at spaces; line breaks in the text stay.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width);

} // namespace cax::cli
