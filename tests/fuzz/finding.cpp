#include "finding.hpp"

namespace cax::fuzz {
namespace {

Bytes current_input;

} // namespace

void set_current_input(Bytes bytes) { current_input = bytes; }

void require(bool holds, std::string const& what) {
    if (!holds) throw Violation(what);
}

void expect_readable(std::string_view message) {
    require(!message.empty(), "an error without words");
    require(message.size() < 800, "an endless error: " + std::string(message));
    for (char const c : message) {
        require(static_cast<unsigned char>(c) >= ' ' && c != '\x7F', "a control character in: " + std::string(message));
    }
    for (std::string_view const inner : {"json.exception", "basic_string", "vector::", "std::", "bad_"}) {
        bool const quoted = text_of(current_input).find(inner) != std::string_view::npos;
        bool const found = message.find(inner) != std::string_view::npos;
        require(!found || quoted, "a library's words in: " + std::string(message));
    }
}

std::uint8_t Dial::byte() {
    if (rest_.empty()) return 0;
    auto const value = static_cast<std::uint8_t>(rest_.front());
    rest_ = rest_.subspan(1);
    return value;
}

} // namespace cax::fuzz
