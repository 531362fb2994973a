#pragma once
// The part of the zip format that numpy uses: stored and deflated members, zip64 fields where present. Reading trusts
// nothing: every length is checked against the bytes that are there before memory is taken, members may not share
// bytes, and what a member unpacks to is bounded by what deflate can do with its size.
#include "cax/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cax::io {

struct ZipMember {
    std::string name;
    std::vector<std::byte> bytes; ///< unpacked
};

/// What the directory says of a member. Its sizes have been checked against the file, its data have not been read.
struct ZipEntry {
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed = 0;
    std::uint64_t unpacked = 0;
    std::uint64_t header = 0;     ///< where the local header lies
    std::uint64_t data_begin = 0; ///< behind the local header
};

[[nodiscard]] bool looks_like_zip(std::span<std::byte const> bytes);

/// All members in the order of the directory. Errors: duplicate names, members that share bytes, and sizes that cannot
/// be: what all members together unpack to is bounded by what plausible data of the file's size can (see the source).
[[nodiscard]] Result<std::vector<ZipEntry>> list_zip(std::span<std::byte const> bytes);
/// The member's data, checksum verified. `entry` is one of list_zip(bytes).
[[nodiscard]] Result<std::vector<std::byte>> unpack_member(std::span<std::byte const> bytes, ZipEntry const& entry);

/// The same members always give the same bytes (dates are fixed). Precondition: less than 4 GiB in total.
[[nodiscard]] std::vector<std::byte> pack_zip(std::span<ZipMember const> members, bool deflate);

} // namespace cax::io
