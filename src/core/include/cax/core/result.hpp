#pragma once
// How a function says that the world was wrong: a Result<T> holds a T or an Error. Shaped like std::expected, so that
// the later swap is a `using`. "The answer is not what was hoped" (infeasible, budget spent) is never an Error: that
// is an ordinary value.
#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace cax {

/// What kind of thing went wrong. The sentence in Error::message names the thing and the value.
enum class ErrorCode {
    file_not_found, ///< the path does not exist or cannot be opened
    file_malformed, ///< the bytes are not what the format asks for (truncated, hostile header, wrong type)
    invalid_value,  ///< well-formed, but a field has a value that makes no sense (NaN, negative demand, empty window)
    unsupported,    ///< a known thing that cax does not do (another dtype, another normalisation)
    mismatch,       ///< two inputs that do not belong together (policy and problem, solution and instance)
    write_failed,   ///< output could not be written
    solver_failed,  ///< an external solver broke down
};

struct Error {
    ErrorCode code = ErrorCode::invalid_value;
    std::string message; ///< one line: names the field and the value; readers prepend the file

    /// The same error with "where: " in front of the sentence (a file, then a field inside it).
    [[nodiscard]] Error within(std::string const& where) const { return {code, where + ": " + message}; }
};

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return content_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() & { return assert(has_value()), *std::get_if<0>(&content_); }
    T const& value() const& { return assert(has_value()), *std::get_if<0>(&content_); }
    T&& value() && { return assert(has_value()), std::move(*std::get_if<0>(&content_)); }
    T& operator*() & { return value(); }
    T const& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    T const* operator->() const { return &value(); }

    [[nodiscard]] Error const& error() const { return assert(!has_value()), *std::get_if<1>(&content_); }

private:
    std::variant<T, Error> content_;
};

template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}
    [[nodiscard]] bool has_value() const { return !error_.has_value(); }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] Error const& error() const { return assert(error_.has_value()), *error_; }

private:
    std::optional<Error> error_;
};

} // namespace cax
