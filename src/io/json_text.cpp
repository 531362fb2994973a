#include "json_text.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/io/json_pieces.hpp"
#include "cax/io/solutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace cax::io {
namespace {

bool is_token(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.'; }

/// The word or number that byte `last` belongs to.
std::string_view token_at(std::string_view text, std::size_t last) {
    if (last >= text.size() || !is_token(text[last])) return {};
    std::size_t begin = last;
    while (begin > 0 && is_token(text[begin - 1])) --begin;
    std::size_t end = last + 1;
    while (end < text.size() && is_token(text[end])) ++end;
    return text.substr(begin, end - begin);
}

/// What a person would like to hear about the place, or nothing.
std::string diagnosis(std::string_view text, std::size_t end, std::string_view what) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return "it is UTF-16; save it as UTF-8";
    if (what.find("UTF-8") != std::string_view::npos) return "this byte is not UTF-8";
    std::string_view const token = end > 0 ? token_at(text, end - 1) : std::string_view();
    if (token.empty()) return {};
    std::string_view const word = token.substr(token[0] == '-' ? 1 : 0);
    for (std::string_view const number : {"NaN", "nan", "Infinity", "inf"}) {
        if (word == number) return fmt::format("{} is no number of JSON, though Python writes it", token);
    }
    if (what.find("number overflow") != std::string_view::npos) {
        return fmt::format("the number {} is out of range", printable(token));
    }
    return {};
}

} // namespace

Error broken_json(std::string_view text, std::size_t end, std::string_view what) {
    end = std::min(end, text.size());
    auto const line = 1 + std::ranges::count(text.substr(0, end), '\n');
    auto const column = end - (text.substr(0, end).rfind('\n') + 1);
    std::string const why = diagnosis(text, end, what);
    return {ErrorCode::file_malformed,
            fmt::format("not JSON at line {}, column {}{}{}", line, column, why.empty() ? "" : ": ", why)};
}

Result<Json> parse_json(std::string_view text) {
    auto const pieces = JsonPieces::cut(text);
    if (!pieces) return pieces.error();
    return pieces->value(pieces->whole());
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
