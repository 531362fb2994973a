#pragma once
// Zip files and .npy arrays built field by field, so that a test can falsify any of them.
#include "bytes.hpp"

#include <optional>
#include <zlib.h>

namespace cax::test {

inline std::uint32_t crc_of(std::string_view text) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<Bytef const*>(text.data()), text.size()));
}

inline std::string npy(std::string_view dict, std::string_view data, char version = 1) {
    std::string text = std::string("\x93NUMPY") + version + '\0';
    text += version == 1 ? raw(static_cast<std::uint16_t>(dict.size())) : raw(static_cast<std::uint32_t>(dict.size()));
    return text + std::string(dict) + std::string(data);
}

struct Member {
    std::string name = "x.npy";
    std::string data = {};
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::optional<std::uint32_t> crc = {};
    std::optional<std::uint32_t> packed = {};
    std::optional<std::uint32_t> unpacked = {};
    std::optional<std::uint32_t> header = {}; ///< offset that the directory states
    std::string extra = {};                   ///< in the directory
};

/// `before_end` goes between directory and end record; `count_off` falsifies the number of members.
inline std::string zip_of(std::vector<Member> const& members, std::string const& before_end = "",
                          std::uint16_t count_off = 0) {
    std::string text;
    std::string directory;
    for (Member const& m : members) {
        auto const size = static_cast<std::uint32_t>(m.data.size());
        std::string const common = raw(std::uint16_t{20}) + raw(m.flags) + raw(m.method) + raw(std::uint32_t{0}) +
                                   raw(m.crc.value_or(crc_of(m.data))) + raw(m.packed.value_or(size)) +
                                   raw(m.unpacked.value_or(size)) + raw(static_cast<std::uint16_t>(m.name.size()));
        directory += "PK\x01\x02" + raw(std::uint16_t{20}) + common + raw(static_cast<std::uint16_t>(m.extra.size())) +
                     std::string(10, '\0') + raw(m.header.value_or(static_cast<std::uint32_t>(text.size()))) + m.name +
                     m.extra;
        text += "PK\x03\x04" + common + raw(std::uint16_t{0}) + m.name + m.data;
    }
    auto const offset = static_cast<std::uint32_t>(text.size());
    auto const count = static_cast<std::uint16_t>(members.size() + count_off);
    return text + directory + before_end + "PK\x05\x06" + std::string(4, '\0') + raw(count) + raw(count) +
           raw(static_cast<std::uint32_t>(directory.size())) + raw(offset) + raw(std::uint16_t{0});
}

} // namespace cax::test
