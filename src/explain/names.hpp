#pragma once
// Enumerators and their names, for options and result files.
#include "cax/core/printable.hpp"
#include "cax/core/result.hpp"

#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace cax {

template <class Enum> struct Named {
    Enum value;
    std::string_view name;
};

template <class Enum, std::size_t N> std::string_view lookup(std::array<Named<Enum>, N> const& table, Enum value) {
    for (Named<Enum> const& entry : table) {
        if (entry.value == value) return entry.name;
    }
    return "unknown";
}

template <class Enum, std::size_t N>
Result<Enum> parse_name(std::array<Named<Enum>, N> const& table, std::string_view what, std::string_view name) {
    std::string names;
    for (Named<Enum> const& entry : table) {
        if (entry.name == name) return entry.value;
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    return Error{ErrorCode::invalid_value, fmt::format("{} '{}' is not one of {}", what, printable(name), names)};
}

} // namespace cax
