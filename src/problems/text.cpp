#include "text.hpp"

#include "cax/core/printable.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find_first_of(blanks, at), text.size());
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

} // namespace

std::optional<Line> LineReader::next() {
    while (!rest_.empty()) {
        std::size_t const end = std::min(rest_.find('\n'), rest_.size());
        std::string_view const text = trimmed(rest_.substr(0, end));
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        if (!text.empty()) return Line{number_, text, words_of(text)};
    }
    return std::nullopt;
}

Result<Line> LineReader::require(std::string_view expected) {
    auto line = next();
    if (!line) return error_at(number_, fmt::format("the file ends where {} was expected", expected));
    return *std::move(line);
}

Error error_at(std::size_t line, std::string_view message) {
    return {ErrorCode::file_malformed, fmt::format("line {}: {}", line, message)};
}

std::optional<double> parse_number(std::string_view word) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    double value = 0;
    auto const [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

bool same_word(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string quoted(std::string_view word) { return "'" + printable(word) + "'"; }

std::string one_line(std::string_view name) {
    std::string text(name);
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    }
    return text;
}

} // namespace cax
