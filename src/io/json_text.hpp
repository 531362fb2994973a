#pragma once
// JSON text in and out, used by every reader and writer of JSON in this layer. parse_json itself is public: it stands
// in cax/io/solutions.hpp.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <string>
#include <string_view>

namespace cax::io {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // some editors put it before UTF-8

/// "not JSON at line 3, column 7", the place being just before byte `end`, and what is wrong there if that can be told.
/// `what` is the parser's own message, if there is one.
[[nodiscard]] Error broken_json(std::string_view text, std::size_t end, std::string_view what);

/// What a JSON value is, for messages: "a list", "the number -3", "the string 'abc'".
[[nodiscard]] std::string describe(Json const& value);

/// Compact text; bytes of strings that are not UTF-8 are replaced, so that what we write can be read again.
[[nodiscard]] std::string dump_json(Json const& value);

} // namespace cax::io
