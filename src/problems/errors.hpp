#pragma once
// Errors as problems report them: a sentence with its values, and what kind of wrong it is.
#include "cax/core/result.hpp"

#include <fmt/format.h>
#include <utility>

namespace cax {

/// A value that no instance of the problem can have.
template <class... Args> [[nodiscard]] Error invalid(fmt::format_string<Args...> sentence, Args&&... args) {
    return {ErrorCode::invalid_value, fmt::format(sentence, std::forward<Args>(args)...)};
}

/// What is right but more than can be done here.
template <class... Args> [[nodiscard]] Error unsupported(fmt::format_string<Args...> sentence, Args&&... args) {
    return {ErrorCode::unsupported, fmt::format(sentence, std::forward<Args>(args)...)};
}

/// A file or an array that is not laid out as expected.
template <class... Args> [[nodiscard]] Error malformed(fmt::format_string<Args...> sentence, Args&&... args) {
    return {ErrorCode::file_malformed, fmt::format(sentence, std::forward<Args>(args)...)};
}

} // namespace cax
