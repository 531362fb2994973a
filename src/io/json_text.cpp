#include "json_text.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/io/solutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cax::io {
namespace {

constexpr std::size_t deepest = 100;
constexpr std::size_t most_keys = 4096;

/// Looks at brackets and colons only. Deep nesting would overflow the stack when the value is destroyed, and ordered
/// objects look for duplicate keys one by one, which takes quadratic time.
Result<void> check_proportions(std::string_view text) {
    std::vector<std::size_t> keys; // per open bracket
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            keys.push_back(0);
            if (keys.size() > deepest) {
                return Error{ErrorCode::file_malformed, fmt::format("JSON nested deeper than {} levels", deepest)};
            }
        } else if ((c == ']' || c == '}') && !keys.empty()) {
            keys.pop_back();
        } else if (c == ':' && !keys.empty() && ++keys.back() > most_keys) {
            return Error{ErrorCode::file_malformed, fmt::format("a JSON object with more than {} keys", most_keys)};
        }
    }
    return {};
}

} // namespace

Result<Json> parse_json(std::string_view text) {
    if (auto const proportions = check_proportions(text); !proportions) return proportions.error();
    try {
        return Json::parse(text);
    } catch (Json::parse_error const& failure) {
        std::size_t const end = std::min(failure.byte, text.size());
        auto const line = 1 + std::ranges::count(text.substr(0, end), '\n');
        auto const column = end - (text.substr(0, end).rfind('\n') + 1);
        return Error{ErrorCode::file_malformed, fmt::format("not JSON at line {}, column {}", line, column)};
    } catch (Json::exception const&) { // a number beyond the range of double
        return Error{ErrorCode::file_malformed, "JSON with a number that is out of range"};
    }
}

std::string describe(Json const& value) {
    if (value.is_null()) return "null";
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    if (value.is_string()) return fmt::format("the string '{}'", printable(value.get_ref<std::string const&>()));
    return "the number " + value.dump();
}

std::string dump_json(Json const& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace cax::io
