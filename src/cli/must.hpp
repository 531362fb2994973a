#pragma once
// How a command ends when the world is wrong. The library says so with a Result; at the top there is nobody left to
// tell but the user, so here one sentence is thrown, and main() makes a line and exit code 2 of it.
#include "cax/core/result.hpp"

#include <fmt/format.h>
#include <string>
#include <type_traits>

namespace cax::cli {

/// Thrown by the functions below, and for main() to catch.
struct Failure {
    std::string message;
};

[[noreturn]] inline void fail(std::string message) { throw Failure{std::move(message)}; }
template <class... Values>
requires(sizeof...(Values) > 0) [[noreturn]] void fail(fmt::format_string<Values...> text, Values&&... values) {
    fail(fmt::format(text, std::forward<Values>(values)...));
}

/// The value, or the end.
template <class T> [[nodiscard]] T must(Result<T> result) {
    if (!result) fail(result.error().message);
    return *std::move(result);
}
inline void must(Result<void> const& result) {
    if (!result) fail(result.error().message);
}
/// The same; should it be the end, with "where: " in front of the sentence.
template <class T> T must(Result<T> result, std::string const& where) {
    if (!result) fail(result.error().within(where).message);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}
/// What `work` returns; whatever ends inside it, ends with "where: " in front of the sentence.
auto within(std::string const& where, auto const& work) {
    try {
        return work();
    } catch (Failure const& failure) {
        fail("{}: {}", where, failure.message);
    }
}

} // namespace cax::cli
