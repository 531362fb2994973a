#include "cax/core/options.hpp"

#include "cax/core/json.hpp"
#include "option_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cax {

Option& Option::range(std::uint64_t low_end, std::uint64_t high_end) {
    least = low_end;
    most = high_end;
    return *this;
}
Option& Option::within(double low_end, double high_end) {
    low = low_end;
    high = high_end;
    return *this;
}
Option& Option::between(double low_end, double high_end) {
    open_low = open_high = true;
    return within(low_end, high_end);
}
Option& Option::from_to_below(double low_end, double high_end) {
    open_high = true;
    return within(low_end, high_end);
}
Option& Option::as(std::string field) {
    key = std::move(field);
    return *this;
}
Option& Option::as(std::string field, std::function<Json()> get_json) {
    written = std::move(get_json);
    return as(std::move(field));
}
Option& Option::also(char short_name) {
    letter = short_name;
    return *this;
}
Option& Option::default_is(std::string words_shown) {
    default_words = std::move(words_shown);
    return *this;
}
Option& Option::without(std::initializer_list<char const*> others) {
    excludes.insert(excludes.end(), others.begin(), others.end());
    return *this;
}
Option& Option::with(std::initializer_list<char const*> others) {
    needs.insert(needs.end(), others.begin(), others.end());
    return *this;
}

Option& Option::then(std::function<void()> also_happens) {
    effect = [before = std::move(effect), also = std::move(also_happens)] {
        if (before) before();
        also();
    };
    return *this;
}

Option& Option::formerly(std::initializer_list<char const*> names) {
    former.insert(former.end(), names.begin(), names.end());
    return *this;
}
Option& Option::word_formerly(std::string const& word, std::string const& now) {
    std::get<WordsTarget>(target).former[word] = now;
    return *this;
}

Texts Option::former_keys() const {
    Texts keys;
    if (key.empty()) return keys;
    std::string const inside = key.substr(0, key.rfind('.') + 1); // the whole key has no dot: npos + 1 is 0
    for (std::string each : former) {
        std::ranges::replace(each, '-', '_');
        keys.push_back(inside + each);
    }
    return keys;
}

bool Option::is_flag() const { return std::holds_alternative<bool*>(target); }

bool Option::is_list() const {
    auto const* const some = std::get_if<WordsTarget>(&target);
    return std::holds_alternative<Texts*>(target) || (some != nullptr && some->many);
}

std::vector<OptionWord> Option::words() const {
    auto const* const some = std::get_if<WordsTarget>(&target);
    return some != nullptr ? some->words : std::vector<OptionWord>{};
}

Json Option::get() const {
    auto const optional = [](auto const& maybe) { return maybe ? Json(*maybe) : Json(nullptr); };
    return std::visit(Cases{[&](std::optional<std::uint64_t>* from) { return optional(*from); },
                            [&](std::optional<double>* from) { return optional(*from); },
                            [](TextMap* from) {
                                Json json = Json::object();
                                for (auto const& [each, text] : *from) json[each] = text;
                                return json;
                            },
                            [](WordsTarget const& from) {
                                auto const chosen = from.get();
                                return from.many ? Json(chosen) : Json(chosen.front());
                            },
                            [](PlacesTarget const& from) {
                                if (from.places->empty()) return Json(nullptr);
                                return from.places->size() == 1 ? Json(from.places->front()) : Json(*from.places);
                            },
                            [](CustomTarget const& from) { return from.get(); },
                            [](auto* from) { return Json(*from); }},
                      target);
}

std::string Option::help_text() const {
    auto const all = words();
    if (both && get() == true) return help + " (the default)";
    if (all.empty()) return help;
    bool const explained = std::ranges::any_of(all, [](OptionWord const& word) { return !word.help.empty(); });
    std::string text;
    for (OptionWord const& word : all) {
        if (!text.empty()) text += explained ? "; " : ", ";
        text += word.name;
        if (!word.help.empty()) text += fmt::format(": {}", word.help);
    }
    if (auto const* some = std::get_if<WordsTarget>(&target); some->many)
        text += explained ? "; all; none" : ", all, none";
    return fmt::format("{}{} {}", help, explained ? "." : ":", text);
}

std::string Option::default_text() const {
    if (default_words) return *default_words;
    if (is_flag() || positional) return "";
    Json const now = get();
    if (now.is_string()) return now.get<std::string>();
    if (now.is_array()) {
        Texts parts;
        for (Json const& each : now) parts.push_back(each.is_string() ? each.get<std::string>() : each.dump());
        return fmt::format("{}", fmt::join(parts, ","));
    }
    if (now.is_number_float()) return fmt::format("{}", now.get<double>());
    return now.is_number() ? now.dump() : "";
}

} // namespace cax
