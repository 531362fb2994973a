#include "table.hpp"

#include <algorithm>
#include <cassert>
#include <span>

namespace cax::cli {
namespace {

/// On a terminal: bytes that continue a character of UTF-8 have none, nor have escapes that colour.
std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    bool escape = false;
    for (char const c : text) {
        escape = escape || c == '\033';
        if (!escape && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++columns;
        escape = escape && c != 'm';
    }
    return columns;
}

} // namespace

Table::Table(std::vector<std::string> headings) {
    for (std::string& heading : headings) {
        Column& column = columns_.emplace_back();
        column.optional = heading.starts_with('?');
        if (column.optional) heading.erase(0, 1);
        column.left = heading.starts_with('<');
        if (column.left) heading.erase(0, 1);
    }
    rows_.push_back(std::move(headings));
}

void Table::add_row(std::vector<std::string> cells) {
    assert(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::text(std::size_t most) const {
    std::span const shown(rows_.data(), 1 + std::min(most, rows_.size() - 1));
    std::vector<std::string> lines(shown.size() + 1);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        auto const is_empty = [c](auto const& row) { return row[c].empty(); };
        if (columns_[c].optional && std::ranges::all_of(shown.subspan(1), is_empty)) continue;
        std::size_t width = 0;
        for (auto const& row : shown) width = std::max(width, columns_of(row[c]));
        for (std::size_t r = 0; r < shown.size(); ++r) {
            std::string const room(width - columns_of(shown[r][c]), ' ');
            lines[r == 0 ? 0 : r + 1] += "  " + (columns_[c].left ? shown[r][c] + room : room + shown[r][c]);
        }
        lines[1] += "  " + std::string(width, '-');
    }
    std::string text;
    for (std::string& line : lines) text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    std::size_t const more = rows_.size() - shown.size();
    return more > 0 ? text + fmt::format("  ... and {} more\n", more) : text;
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
