#pragma once
// JSON text in and out, used by every reader and writer of JSON in this layer. parse_json itself is public: it stands
// in cax/io/solutions.hpp.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <string>
#include <string_view>

namespace cax::io {

/// What a JSON value is, for messages: "a list", "the number -3", "the string 'abc'".
[[nodiscard]] std::string describe(Json const& value);

/// Compact text; bytes of strings that are not UTF-8 are replaced, so that what we write can be read again.
[[nodiscard]] std::string dump_json(Json const& value);

} // namespace cax::io
