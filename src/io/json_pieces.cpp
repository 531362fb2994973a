#include "cax/io/json_pieces.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cax::io {
namespace {

constexpr std::string_view json_blanks = " \t\r\n";
constexpr std::size_t deepest = 100;
constexpr std::size_t most_keys = 4096;
constexpr std::size_t most_values = 20'000'000; // about a gigabyte in memory

void skip_blanks(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(json_blanks), rest.size()));
}

/// Where the string that opens at `at` closes.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return std::min(at, text.size());
}

/// One value at the front of a text: how long it is, and how many values are in it (commas and brackets tell).
struct Extent {
    std::size_t length = 0;
    std::size_t values = 1;
    bool closed = true; ///< false: the text ends before the value does
};

/// Looks at brackets, colons, commas and quotes only. Deep nesting would overflow the stack when the value is
/// destroyed, and ordered objects look for duplicate keys one by one, which takes quadratic time.
Result<Extent> measure_value(std::string_view text) {
    std::vector<std::size_t> keys; // per open bracket
    Extent extent;
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
        case '"': i = end_of_string(text, i); break;
        case '[':
        case '{':
            keys.push_back(0);
            ++extent.values;
            if (keys.size() > deepest) {
                return Error{ErrorCode::file_malformed, fmt::format("JSON nested deeper than {} levels", deepest)};
            }
            break;
        case ']':
        case '}':
            if (keys.empty()) return extent;
            keys.pop_back();
            break;
        case ',':
            if (keys.empty()) return extent;
            ++extent.values;
            break;
        case ':':
            if (!keys.empty() && ++keys.back() > most_keys) {
                return Error{ErrorCode::file_malformed, fmt::format("a JSON object with more than {} keys", most_keys)};
            }
            break;
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            if (keys.empty()) return extent;
            break;
        default: break;
        }
        extent.length = std::min(i + 1, text.size());
        bool const whole = keys.empty() && (text[0] == '[' || text[0] == '{' || text[0] == '"');
        if (whole && i < text.size()) return extent;
    }
    extent.closed = keys.empty() && !text.empty() && text[0] != '"';
    return extent;
}

/// Reads and forgets.
class Reader final : public nlohmann::json_sax<Json> {
public:
    std::size_t position = 0; ///< of the error
    std::string what;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, string_t const&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, std::string const&, nlohmann::detail::exception const& failure) override {
        position = at;
        what = failure.what();
        return false;
    }
};

} // namespace

Result<JsonPieces> JsonPieces::cut(std::string_view text) {
    JsonPieces pieces(text);
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    // The parser takes a zero byte for the end and would not look at what follows it in a piece.
    if (std::size_t const zero = text.find('\0'); zero != std::string_view::npos) {
        bool const marked = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); // UTF-16 says so at once
        return pieces.not_json(marked ? text : text.substr(zero));
    }
    auto whole = pieces.take_value(text);
    if (!whole) return whole.error();
    if (!text.empty()) return pieces.not_json(text);
    pieces.whole_ = *whole;
    return pieces;
}

Error JsonPieces::not_json(std::string_view at) const {
    auto const byte = static_cast<std::size_t>(at.data() - text_.data());
    return broken_json(text_, at.empty() ? byte : byte + 1, {});
}

Result<JsonPiece> JsonPieces::take_value(std::string_view& rest) const {
    skip_blanks(rest);
    if (rest.starts_with(byte_order_mark)) return not_json(rest); // the parser would skip one before every piece
    auto const extent = measure_value(rest);
    if (!extent) return extent.error();
    if (!extent->closed) return not_json(rest.substr(rest.size()));
    if (extent->length == 0) return not_json(rest);
    JsonPiece const piece{.text = rest.substr(0, extent->length), .values = extent->values};
    rest.remove_prefix(extent->length);
    skip_blanks(rest);
    return piece;
}

Result<std::vector<JsonMember>> JsonPieces::members(JsonPiece const& object) const {
    std::vector<JsonMember> found;
    std::string_view rest = object.text.substr(1);
    skip_blanks(rest);
    for (bool first = true; !rest.starts_with('}'); first = false) {
        if (!first) {
            if (!rest.starts_with(',')) return not_json(rest);
            rest.remove_prefix(1);
            skip_blanks(rest);
        }
        if (!rest.starts_with('"')) return not_json(rest);
        auto const name = take_value(rest);
        if (!name) return name.error();
        auto const key = value(*name);
        if (!key) return key.error();
        if (!rest.starts_with(':')) return not_json(rest);
        rest.remove_prefix(1);
        auto const piece = take_value(rest);
        if (!piece) return piece.error();
        auto const& text = key->get_ref<std::string const&>();
        auto const again = std::ranges::find(found, text, &JsonMember::key);
        if (again != found.end()) {
            // The last one counts, and nobody will look at the one before it any more.
            if (auto const checked = check(again->piece); !checked) return checked.error();
            again->piece = *piece;
        } else {
            found.push_back({text, *piece});
        }
    }
    return rest.size() == 1 ? Result(std::move(found)) : not_json(rest.substr(1));
}

Result<std::optional<JsonPiece>> JsonPieces::member(JsonPiece const& object, std::string_view key) const {
    auto const all = members(object);
    if (!all) return all.error();
    auto const found = std::ranges::find(*all, key, &JsonMember::key);
    return found == all->end() ? std::optional<JsonPiece>() : std::optional(found->piece);
}

JsonPieces::Elements::Elements(JsonPieces const& pieces, JsonPiece const& list)
    : pieces_(pieces), rest_(list.text.substr(1)) {
    skip_blanks(rest_);
}

Result<std::optional<JsonPiece>> JsonPieces::Elements::next() {
    if (rest_ == "]") return std::optional<JsonPiece>();
    if (!std::exchange(first_, false)) {
        if (!rest_.starts_with(',')) return pieces_.not_json(rest_);
        rest_.remove_prefix(1);
    }
    auto const piece = pieces_.take_value(rest_);
    if (!piece) return piece.error();
    return std::optional(*piece);
}

Result<std::size_t> JsonPieces::count(JsonPiece const& list) const {
    if (auto const checked = check(list); !checked) return checked.error();
    Elements all = elements(list);
    for (std::size_t found = 0;; ++found) {
        auto const piece = all.next();
        if (!piece) return piece.error();
        if (!*piece) return found;
    }
}

Result<Json> JsonPieces::value(JsonPiece const& piece) const {
    if (piece.values > most_values) {
        return Error{ErrorCode::unsupported,
                     fmt::format("JSON of {} values; at most {} are read at once", piece.values, most_values)};
    }
    try {
        return Json::parse(piece.text);
    } catch (Json::exception const& failure) {
        auto const place = check(piece);
        return place ? Error{ErrorCode::file_malformed, printable(failure.what())} : place.error();
    }
}

Result<void> JsonPieces::check(JsonPiece const& piece) const {
    Reader reader;
    if (Json::sax_parse(piece.text, &reader)) return {};
    auto const begin = static_cast<std::size_t>(piece.text.data() - text_.data());
    return broken_json(text_, begin + std::min(reader.position, piece.text.size()), reader.what);
}

} // namespace cax::io
