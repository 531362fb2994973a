#include "table.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace cax::cli {

Table::Table(std::vector<std::string> headings) {
    for (std::string& heading : headings) {
        left_.push_back(heading.starts_with('<'));
        if (left_.back()) heading.erase(0, 1);
    }
    rows_.push_back(std::move(headings));
}

void Table::add(std::vector<std::string> cells) {
    assert(cells.size() == left_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths(left_.size(), 0);
    for (auto const& row : rows_) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    std::string text;
    auto add_line = [&](std::string line) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        std::string line;
        for (std::size_t c = 0; c < widths.size(); ++c) {
            line += left_[c] ? fmt::format("  {:<{}}", rows_[r][c], widths[c])
                             : fmt::format("  {:>{}}", rows_[r][c], widths[c]);
        }
        add_line(line);
        if (r > 0) continue;
        line.clear();
        for (std::size_t const width : widths) line += "  " + std::string(width, '-');
        add_line(line);
    }
    return text;
}

std::string wrapped(std::string_view text, std::size_t width) {
    std::string result;
    std::size_t column = 0;
    while (!text.empty()) {
        auto const end = text.find_first_of(" \n");
        std::string_view const word = text.substr(0, end);
        if (column > 0 && column + 1 + word.size() > width) {
            result += '\n';
            column = 0;
        } else if (column > 0 && !word.empty()) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
        if (end == std::string_view::npos) break;
        if (text[end] == '\n') {
            result += '\n';
            column = 0;
        }
        text.remove_prefix(end + 1);
    }
    return result;
}

} // namespace cax::cli
