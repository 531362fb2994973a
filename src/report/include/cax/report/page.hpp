#pragma once
// An explanation or a study as one HTML file that needs nothing else: the page was built with the binary, the JSON is
// put into it. Whatever strings the JSON holds, they cannot end the element they stand in, and the page's own content
// security policy lets no script run but its own.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <string>
#include <string_view>

namespace cax::report {

/// Error if `data` is neither cax/explanation/1 nor cax/study/1, or this binary was built without the page.
[[nodiscard]] Result<std::string> page(Json const& data);

/// The same page without data, for `cax serve`: it asks whoever it was loaded from, and nobody else.
[[nodiscard]] Result<std::string> live_page();

/// JSON text that may stand inside a <script> element: ASCII, without '<', '>' and '&'; broken UTF-8 is replaced.
[[nodiscard]] std::string embeddable(Json const& data);

} // namespace cax::report
