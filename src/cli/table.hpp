#pragma once
// Text for people: tables with columns as wide as they need to be, words to the left, numbers to the right; and lines
// that fit a page.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cax::cli {

class Table {
public:
    /// A heading that starts with '<' has a left-aligned column (the mark is not printed).
    explicit Table(std::vector<std::string> headings);
    /// As many cells as there are headings (asserted).
    void add(std::vector<std::string> cells);
    /// With an indent of two spaces, a line under the headings, and a line break at the end.
    [[nodiscard]] std::string text() const;

private:
    std::vector<bool> left_;
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
