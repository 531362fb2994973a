#include "help.hpp"

namespace cax::cli {

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
