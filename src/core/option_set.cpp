#include "cax/core/options.hpp"

#include "cax/core/json.hpp"
#include "option_text.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

Error not_this(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }
Error is_not(std::string_view value, std::string_view expected) {
    return not_this(fmt::format("{} is not {}", value, expected));
}
std::string shown(Json const& value) { return printable(value.dump(-1, ' ', true, Json::error_handler_t::replace)); }

std::string lower_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool is_open_ended(Option const& option) { return option.most == std::numeric_limits<std::uint64_t>::max(); }

std::string expected_count(Option const& option) {
    if (!is_open_ended(option)) return fmt::format("a whole number from {} to {}", option.least, option.most);
    return option.least == 0 ? "a whole number" : fmt::format("a whole number from {} on", option.least);
}
std::string expected_number(Option const& option) {
    if (std::isfinite(option.high)) {
        return fmt::format("a number {} {} {} {}", option.open_low ? "between" : "from", option.low,
                           option.open_low    ? "and"
                           : option.open_high ? "to below"
                                              : "to",
                           option.high);
    }
    return fmt::format("a number {} {}{}", option.open_low ? "above" : "from", option.low,
                       option.open_low ? "" : " on");
}

Result<std::uint64_t> fitting(Option const& option, std::uint64_t value) {
    if (value >= option.least && value <= option.most) return value;
    return is_not(fmt::format("{}", value), expected_count(option));
}
Result<double> fitting(Option const& option, double value) {
    bool const above = option.open_low ? value > option.low : value >= option.low;
    bool const below = option.open_high ? value < option.high : value <= option.high;
    if (above && below && std::isfinite(value)) return value;
    return is_not(fmt::format("{}", value), expected_number(option));
}

template <class T> Result<T> parsed(Option const& option, std::string const& text) {
    Result<T> const value = [&] {
        if constexpr (std::is_same_v<T, double>)
            return real_number(text);
        else
            return whole_number(text);
    }();
    if (!value) return value.error();
    return fitting(option, *value);
}

template <class T> Result<T> parsed(Option const& option, Json const& json) {
    constexpr bool real = std::is_same_v<T, double>;
    if (real ? json.is_number() : json.is_number_unsigned()) {
        if (auto const value = fitting(option, json.get<T>())) return value;
    }
    return is_not(shown(json), real ? expected_number(option) : expected_count(option));
}

Result<bool> read_flag(std::string const& text) {
    if (text == "true" || text == "false") return text == "true";
    return is_not("'" + printable(text) + "'", "true or false");
}
Result<bool> read_flag(Json const& json) {
    if (json.is_boolean()) return json.get<bool>();
    return is_not(shown(json), "true or false");
}

Result<void> choose_words(WordsTarget const& target, Texts const& given) {
    std::string names;
    for (OptionWord const& word : target.words) names += fmt::format("{}{}", names.empty() ? "" : ", ", word.name);
    if (target.many) names += ", all, none";
    WordList chosen;
    for (std::string const& text : given) {
        for (std::string part : target.many ? split_at_commas(text) : Texts{text}) {
            if (auto const renamed = target.former.find(part); renamed != target.former.end()) part = renamed->second;
            bool const all = target.many && part == "all";
            bool known = all || (target.many && part == "none");
            for (OptionWord const& word : target.words) {
                if (word.name != part && !all) continue;
                known = true;
                if (std::ranges::find(chosen, word.name) == chosen.end()) chosen.push_back(word.name);
            }
            if (!known) return not_this(fmt::format("'{}' is not one of {}", printable(part), names));
        }
    }
    target.set(chosen);
    return {};
}

auto into(auto* target) {
    return [target](auto const& value) { *target = value; };
}

/// What was read, where it belongs.
template <class T, class To> Result<void> put(Result<T> const& value, To const& to) {
    if (!value) return value.error();
    to(*value);
    return {};
}

bool is_nothing(std::string const&) { return false; }
bool is_nothing(Json const& json) { return json.is_null(); }

/// The cases that typed values and JSON have in common.
template <class Given> Result<void> put_plain(Option const& option, Given const& given) {
    return std::visit(Cases{[&](bool* target) { return put(read_flag(given), into(target)); },
                            [&](std::uint64_t* to) { return put(parsed<std::uint64_t>(option, given), into(to)); },
                            [&](std::optional<std::uint64_t>* to) {
                                if (is_nothing(given)) return to->reset(), Result<void>();
                                return put(parsed<std::uint64_t>(option, given), into(to));
                            },
                            [&](double* to) { return put(parsed<double>(option, given), into(to)); },
                            [&](std::optional<double>* to) {
                                if (is_nothing(given)) return to->reset(), Result<void>();
                                return put(parsed<double>(option, given), into(to));
                            },
                            [&](auto const&) -> Result<void> { return not_this("cannot be set"); }},
                      option.target);
}

Result<std::string> read_text(Option const& option, Json const& json) {
    if (json.is_string()) return json.get<std::string>();
    return is_not(shown(json), fmt::format("a {} in quotes", lower_case(option.value)));
}

/// One text, or a list where there may be several.
Result<Texts> read_texts(Option const& option, Json const& json) {
    if (json.is_array() && !option.is_list()) return is_not(shown(json), "a single value");
    Texts texts;
    for (Json const& each : json.is_array() ? json : Json::array({json})) {
        auto text = read_text(option, each);
        if (!text) return text.error();
        texts.push_back(*std::move(text));
    }
    return texts;
}

Result<std::vector<std::size_t>> read_places(Json const& json) {
    std::vector<std::size_t> places;
    if (json.is_null()) return places;
    for (Json const& each : json.is_array() ? json : Json::array({json})) {
        if (!each.is_number_unsigned()) return is_not(shown(each), "a whole number");
        places.push_back(each.get<std::size_t>());
    }
    std::ranges::sort(places);
    return places;
}

Texts parted(Texts const& texts) {
    Texts parts;
    for (std::string const& text : texts) {
        for (std::string& part : split_at_commas(text)) parts.push_back(std::move(part));
    }
    return parts;
}

Result<TextMap> read_map(Option const& option, Json const& json) {
    TextMap map;
    if (!json.is_object()) return is_not(shown(json), "an object");
    for (auto const& [name, value] : json.items()) {
        auto text = read_text(option, value);
        if (!text) return Error{ErrorCode::invalid_value, fmt::format("{}: {}", printable(name), text.error().message)};
        map[name] = *std::move(text);
    }
    return map;
}

} // namespace

Result<void> Option::finish(Result<void> const& ok) const {
    auto const* const flag = std::get_if<bool*>(&target);
    if (ok && effect && (flag == nullptr || **flag)) effect();
    return ok;
}

Result<void> Option::set(Texts const& given) const {
    if (given.empty() && !is_list()) return not_this("a value is missing");
    std::string const last = given.empty() ? "" : given.back();
    return finish(std::visit(
        Cases{[&](std::string* to) { return put(Result<std::string>(last), into(to)); },
              [&](Texts* to) { return put(Result<Texts>(commas ? parted(given) : given), into(to)); },
              [&](WordsTarget const& to) { return choose_words(to, given); },
              [&](PlacesTarget const& to) { return put(listed_places(last, to.first, to.things), into(to.places)); },
              [&](CustomTarget const& to) { return to.set ? to.set(last) : not_this("cannot be set"); },
              [&](auto const&) { return put_plain(*this, last); }},
        target));
}

Result<void> Option::check() const {
    auto const fits = [&](auto now) -> Result<void> {
        if (auto const ok = fitting(*this, now); !ok) return ok.error();
        return {};
    };
    auto const fits_if_any = [&](auto const* now) { return *now ? fits(**now) : Result<void>(); };
    return std::visit(Cases{[&](std::uint64_t* now) { return fits(*now); }, [&](double* now) { return fits(*now); },
                            [&](std::optional<std::uint64_t>* now) { return fits_if_any(now); },
                            [&](std::optional<double>* now) { return fits_if_any(now); },
                            [](auto const&) { return Result<void>(); }},
                      target);
}

Result<void> Option::read(Json const& given) const {
    auto const as_typed = [&]() -> Result<void> {
        auto const texts = read_texts(*this, given);
        if (!texts) return texts.error();
        return set(*texts);
    };
    return std::visit(Cases{[&](std::string*) { return as_typed(); }, [&](Texts*) { return as_typed(); },
                            [&](WordsTarget const&) { return as_typed(); },
                            [&](CustomTarget const&) { return as_typed(); },
                            [&](TextMap* to) { return finish(put(read_map(*this, given), into(to))); },
                            [&](PlacesTarget const& to) { return finish(put(read_places(given), into(to.places))); },
                            [&](auto const&) { return finish(put_plain(*this, given)); }},
                      target);
}

} // namespace cax
