#pragma once
// A table for people: columns as wide as they need to be, words to the left, numbers to the right.
#include <string>
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

} // namespace cax::cli
