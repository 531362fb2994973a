#pragma once
// Text files of others, line by line: blank lines are skipped, line ends may be CRLF, and every error can say which
// line it means. Nothing is copied; the words point into the text.
#include "cax/core/result.hpp"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

struct Line {
    std::size_t number = 0; ///< from 1
    std::string_view text;  ///< without white space at either end
    std::vector<std::string_view> words;
};

class LineReader {
public:
    explicit LineReader(std::string_view text) : rest_(text) {}
    /// The next line that is not blank; nothing at the end of the text.
    [[nodiscard]] std::optional<Line> next();
    /// The next line that is not blank; an error that names what was expected at the end of the text.
    [[nodiscard]] Result<Line> require(std::string_view expected);
    [[nodiscard]] std::size_t line_number() const { return number_; } ///< of the line last read

private:
    std::string_view rest_;
    std::size_t number_ = 0;
};

/// "line 14: message" as an error.
[[nodiscard]] Error error_at(std::size_t line, std::string_view message);
template <class First, class... Rest>
[[nodiscard]] Error error_at(std::size_t line, fmt::format_string<First, Rest...> message, First&& first,
                             Rest&&... rest) {
    return error_at(line, fmt::format(message, std::forward<First>(first), std::forward<Rest>(rest)...));
}

/// The whole word as a finite decimal number, "+5" and "1e3" included.
[[nodiscard]] std::optional<double> parse_number(std::string_view word);
/// Do the words agree, upper and lower case alike?
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);
/// A word as it is shown in an error, in quotation marks and fit for one line.
[[nodiscard]] std::string quoted(std::string_view word);
/// A name that fits on one line of a text file.
[[nodiscard]] std::string one_line(std::string_view name);

} // namespace cax
