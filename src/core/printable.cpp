#include "cax/core/printable.hpp"

#include <algorithm>
#include <cstddef>

namespace cax {
namespace {

constexpr std::size_t longest = 80;

/// Bytes of the well-formed UTF-8 sequence at the front, 0 if there is none. Two-byte controls (U+0080..U+009F) count
/// as none: terminals obey them.
std::size_t sequence_length(std::string_view text) {
    auto const lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
    std::size_t const length = lead >= 0xF5 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
    }
    auto const second = static_cast<unsigned char>(text[1]);
    bool const excluded = (lead == 0xC2 && second < 0xA0) || (lead == 0xE0 && second < 0xA0) ||
                          (lead == 0xED && second >= 0xA0) || (lead == 0xF0 && second < 0x90) ||
                          (lead == 0xF4 && second >= 0x90) ||
                          (lead == 0xE2 && second == 0x80 && (static_cast<unsigned char>(text[2]) | 1) == 0xA9);
    return excluded ? 0 : length;
}

} // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty() && out.size() < longest) {
        std::size_t const length = sequence_length(text);
        if (length == 0) out += '?';
        out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    if (!text.empty()) out += "...";
    return out;
}

} // namespace cax
