#pragma once
// Text for people: tables with columns as wide as they need to be, words to the left, numbers to the right; and lines
// that fit a page.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace cax::cli {

class Table {
public:
    /// Marks before a heading are not printed: '<' has a left-aligned column; '?' one that is left out if it is empty
    /// in all rows, and stands before '<'.
    explicit Table(std::vector<std::string> headings);
    /// As many cells as there are headings (asserted): anything that fmt prints.
    template <class... Cells> void add(Cells const&... cells) { add_row({fmt::format("{}", cells)...}); }
    void add_row(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.size() == 1; }
    /// With an indent of two spaces, a line under the headings, and a line break at the end. Of more rows than `most`,
    /// the first ones and how many more there are.
    [[nodiscard]] std::string text(std::size_t most = std::numeric_limits<std::size_t>::max()) const;

private:
    struct Column {
        bool left = false;
        bool optional = false;
    };
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_; ///< the headings first
};

/// Decimals that costs are shown with: makespans of whole numbers are whole numbers.
template <class Range, class Cost> [[nodiscard]] int decimals(Range const& all, Cost cost) {
    return std::ranges::all_of(
               all, [](double each) { return each == std::floor(each); }, cost)
               ? 0
               : 4;
}
template <class Range, class Value> [[nodiscard]] double mean_of(Range const& all, Value value) {
    double sum = 0;
    for (auto const& each : all) sum += std::invoke(value, each);
    return sum / static_cast<double>(all.size());
}

/// Lines of at most `width` characters, broken at spaces; line breaks in the text stay.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width);

} // namespace cax::cli
