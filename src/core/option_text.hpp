#pragma once
// How numbers and lists of places are written by people; and a visitor for an option's target.
#include "cax/core/options.hpp"

#include <cstdint>
#include <string_view>

namespace cax {

/// One function for each alternative of a variant.
template <class... F> struct Cases : F... { using F::operator()...; };
template <class... F> Cases(F...) -> Cases<F...>;

/// "250000", "2.5e5". The error says why it is no whole number >= 0, or that it does not fit.
[[nodiscard]] Result<std::uint64_t> whole_number(std::string_view text);
/// Finite and >= 0.
[[nodiscard]] Result<double> real_number(std::string_view text);
/// "3,5,8-12" as places from 0, ascending, each once; "all" as none. `first` is what the first place is called,
/// `things` what the places are of.
[[nodiscard]] Result<std::vector<std::size_t>> listed_places(std::string_view text, std::size_t first,
                                                             std::string_view things);
/// At commas; "a,,b" has an empty part.
[[nodiscard]] std::vector<std::string> split_at_commas(std::string_view text);

} // namespace cax
