#pragma once
// Enumerators and their names: one table for each enum whose values people read or type. An enum offers its table as
//
//     [[nodiscard]] NameTable<Backend> names_of(Backend); // every name there is, whatever the argument
//
// and parsing, printing, help and error messages all read it.
#include "cax/core/printable.hpp"
#include "cax/core/result.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace cax {

template <class Enum> struct Named {
    Enum value;
    std::string_view name;
    std::string_view help = {}; ///< what choosing it means, in a few words
};

template <class Enum> using NameTable = std::span<Named<Enum> const>;

template <class Enum>
[[nodiscard]] std::string_view lookup(std::type_identity_t<NameTable<Enum>> const& table, Enum value) {
    for (Named<Enum> const& entry : table) {
        if (entry.value == value) return entry.name;
    }
    return "unknown";
}

template <class Enum>
requires requires(Enum value) { names_of(value); }
[[nodiscard]] std::string_view name_of(Enum value) { return lookup(names_of(value), value); }

/// By name; `what` it is of, for the error, which lists the names there are.
template <class Enum> [[nodiscard]] Result<Enum> parse_name(std::string_view what, std::string_view name) {
    std::string names;
    for (Named<Enum> const& entry : names_of(Enum{})) {
        if (entry.name == name) return entry.value;
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    return Error{ErrorCode::invalid_value,
                 std::string(what) + " '" + printable(name) + "' is not one of " + std::move(names)};
}

} // namespace cax
