#include "option_text.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

Error refusal(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool looks_negative(std::string_view text) {
    return text.size() > 1 && text[0] == '-' && (is_digit(text[1]) || text[1] == '.');
}

/// digits * 10 ^ exponent.
struct Decimal {
    std::string digits;
    long exponent = 0;
};

/// Nothing if it is not written like a number: "12", "0.5", "2.5e5".
std::optional<Decimal> decimal_of(std::string_view text) {
    Decimal decimal;
    bool after_point = false;
    std::size_t i = 0;
    for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !after_point)); ++i) {
        if (text[i] == '.') {
            after_point = true;
            continue;
        }
        decimal.digits += text[i];
        decimal.exponent -= after_point ? 1 : 0;
    }
    if (decimal.digits.empty()) return std::nullopt;
    if (i == text.size()) return decimal;
    if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
    i += i + 1 < text.size() && text[i + 1] == '+' ? 2 : 1;
    long exponent = 0;
    auto const [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), exponent);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    decimal.exponent += exponent;
    return decimal;
}

/// One part of a list of places: "5", or "8-12", as what it is called.
Result<std::pair<std::uint64_t, std::uint64_t>> stretch_of(std::string_view part, std::string_view things) {
    auto const dash = part.find('-');
    auto const low = whole_number(part.substr(0, dash));
    auto const high = dash == std::string_view::npos ? low : whole_number(part.substr(dash + 1));
    if (!low || !high || *high < *low) {
        return refusal(fmt::format("'{}' is not a list of {} such as 3 or 3,5,8-12", printable(part), things));
    }
    return std::pair{*low, *high};
}

} // namespace

Result<std::uint64_t> whole_number(std::string_view text) {
    if (looks_negative(text)) return refusal(fmt::format("{} is negative", printable(text)));
    auto decimal = decimal_of(text);
    if (!decimal) return refusal(fmt::format("'{}' is not a whole number", printable(text)));
    std::string& digits = decimal->digits;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.empty()) return std::uint64_t{0};
    while (digits.back() == '0') {
        digits.pop_back();
        ++decimal->exponent;
    }
    if (decimal->exponent < 0) return refusal(fmt::format("{} is not a whole number", printable(text)));
    constexpr long most_digits = 20;
    auto const too_large = refusal(fmt::format("{} is too large: {} is the largest number that fits", printable(text),
                                               std::numeric_limits<std::uint64_t>::max()));
    if (decimal->exponent > most_digits || static_cast<long>(digits.size()) + decimal->exponent > most_digits) {
        return too_large;
    }
    digits.append(static_cast<std::size_t>(decimal->exponent), '0');
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc()) return too_large;
    return value;
}

Result<double> real_number(std::string_view text) {
    if (looks_negative(text)) return refusal(fmt::format("{} is negative", printable(text)));
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || std::signbit(value)) {
        return refusal(fmt::format("'{}' is not a number", printable(text)));
    }
    return value;
}

Result<std::vector<std::size_t>> listed_places(std::string_view text, std::size_t first, std::string_view things) {
    constexpr std::uint64_t longest = 1'000'000; // a typing mistake, not a wish
    std::vector<std::size_t> places;
    if (text == "all") return places;
    if (looks_negative(text)) return refusal(fmt::format("{} is negative", printable(text)));
    for (std::string const& part : split_at_commas(text)) {
        auto const stretch = stretch_of(part, things);
        if (!stretch) return stretch.error();
        auto const [low, high] = *stretch;
        if (low < first) return refusal(fmt::format("{}: {} count from {}", low, things, first));
        if (high > longest) return refusal(fmt::format("{}: there are not so many {}", high, things));
        for (std::uint64_t place = low; place <= high; ++place) places.push_back(place - first);
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (true) {
        auto const comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

Result<double> parse_number(std::string_view text, std::string_view where) {
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
    return refusal(fmt::format("{}: '{}' is not a number", where, printable(text)));
}

Result<TextMap> parse_pairs(Texts const& pairs, std::string_view option) {
    TextMap map;
    for (std::string const& pair : pairs) {
        auto const equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            return refusal(fmt::format("{}: '{}' is not key=value", option, printable(pair)));
        }
        map[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    return map;
}

} // namespace cax
