#include "cax/core/json.hpp"
#include "cax/core/options.hpp"
#include "option_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cax {
namespace {

std::string field_of(std::string const& name) {
    std::string field = name;
    std::ranges::replace(field, '-', '_');
    return field;
}

/// Under which names the option was given: former ones first, so that the present one has the last word.
Texts names_given(Option const& option, std::map<std::string, Texts> const& given) {
    Texts names;
    for (std::string const& name : option.former) {
        if (given.contains(name)) names.push_back(name);
    }
    if (given.contains(option.name)) names.push_back(option.name);
    return names;
}

} // namespace

Option& OptionTable::add(std::string const& name, OptionTarget target, std::string const& value,
                         std::string const& help) {
    Option& option = options_.emplace_back();
    option.name = name;
    option.key = field_of(name);
    option.help = help;
    option.value = value;
    option.target = std::move(target);
    option.group = group_;
    return option;
}

Option& OptionTable::setting(std::string const& field, std::function<Json()> get) {
    Option& option = add(field, CustomTarget{{}, std::move(get)}, "", "");
    option.typed = false;
    return option;
}

Option* OptionTable::find(std::string_view name) {
    auto const found = std::ranges::find(options_, name, &Option::name);
    return found == options_.end() ? nullptr : &*found;
}

Result<void> OptionTable::set(std::map<std::string, Texts> const& given) const {
    for (bool const early : {true, false}) {
        for (Option const& option : options_) {
            if (option.early != early) continue;
            for (std::string const& name : names_given(option, given)) {
                if (auto const ok = option.set(given.at(name)); !ok) {
                    return ok.error().within((option.positional ? "" : "--") + name);
                }
            }
        }
    }
    return {};
}

Texts OptionTable::deprecations(std::map<std::string, Texts> const& given) const {
    Texts notices;
    for (Option const& option : options_) {
        for (std::string const& name : names_given(option, given)) {
            if (name != option.name) notices.push_back(fmt::format("--{} is now --{}", name, option.name));
            auto const* const words = std::get_if<WordsTarget>(&option.target);
            if (words == nullptr) continue;
            for (std::string const& text : given.at(name)) {
                for (std::string const& part : split_at_commas(text)) {
                    auto const renamed = words->former.find(part);
                    if (renamed == words->former.end()) continue;
                    notices.push_back(fmt::format("{} of --{} is now {}", part, option.name, renamed->second));
                }
            }
        }
    }
    return notices;
}

Result<void> OptionTable::read_fields(Json const& object, std::string const& prefix) const {
    if (!object.is_object()) {
        std::string const where = prefix.empty() ? "settings" : prefix.substr(0, prefix.size() - 1);
        return Error{ErrorCode::invalid_value,
                     fmt::format("{}: {} is not an object", where, printable(object.dump(-1, ' ', true)))};
    }
    Texts known;
    Texts former;
    for (Option const& option : options_) {
        for (std::string const& key : option.former_keys()) {
            std::string const field = key.substr(std::min(key.size(), prefix.size()));
            if (!key.starts_with(prefix) || field.find('.') != std::string::npos || !object.contains(field)) continue;
            former.push_back(field);
            if (auto const ok = option.read(object.at(field)); !ok) return ok.error().within(key);
        }
    }
    for (Option const& option : options_) {
        if (option.key.empty() || !option.key.starts_with(prefix)) continue;
        std::string const rest = option.key.substr(prefix.size());
        std::string const field = rest.substr(0, rest.find('.'));
        bool const inside = field.size() < rest.size();
        if (std::ranges::find(known, field) != known.end()) continue; // the object that it lies in has been read
        known.push_back(field);
        if (!object.contains(field)) continue;
        Result<void> const ok =
            inside ? read_fields(object.at(field), prefix + field + ".") : option.read(object.at(field));
        if (ok) continue;
        if (inside) return ok.error();
        // A map's error goes on with the name inside: "sizes.op: ...".
        bool const in_map = std::holds_alternative<TextMap*>(option.target) && object.at(field).is_object();
        return Error{ErrorCode::invalid_value, option.key + (in_map ? "." : ": ") + ok.error().message};
    }
    for (auto const& [field, value] : object.items()) {
        if (std::ranges::find(known, field) != known.end()) continue;
        if (std::ranges::find(former, field) != former.end()) continue;
        return Error{ErrorCode::invalid_value, fmt::format("{}{}: no such setting; there are {}", prefix,
                                                           printable(field), fmt::join(known, ", "))};
    }
    return {};
}

Result<void> OptionTable::check() const {
    for (Option const& option : options_) {
        std::string const& name = option.key.empty() ? option.name : option.key;
        if (auto const ok = option.check(); !ok) return ok.error().within(name);
    }
    return {};
}

Json OptionTable::json() const {
    Json json = Json::object();
    for (Option const& option : options_) {
        if (option.key.empty()) continue;
        auto const dot = option.key.find('.');
        Json& place =
            dot == std::string::npos ? json[option.key] : json[option.key.substr(0, dot)][option.key.substr(dot + 1)];
        place = option.written ? option.written() : option.get();
    }
    return json;
}

} // namespace cax
