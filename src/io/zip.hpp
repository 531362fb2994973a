#pragma once
// The part of the zip format that numpy uses: stored and deflated members, zip64 fields where present. Reading trusts
// nothing: every length is checked against the bytes that are there before memory is taken, members may not share
// bytes, and what a member unpacks to is bounded by what deflate can do with its size.
#include "cax/core/result.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cax::io {

struct ZipMember {
    std::string name;
    std::vector<std::byte> bytes; ///< unpacked
};

[[nodiscard]] bool looks_like_zip(std::span<std::byte const> bytes);

/// All members in the order of the directory, their checksums verified. Duplicate names are an error.
[[nodiscard]] Result<std::vector<ZipMember>> unpack_zip(std::span<std::byte const> bytes);

/// The same members always give the same bytes (dates are fixed). Precondition: less than 4 GiB in total.
[[nodiscard]] std::vector<std::byte> pack_zip(std::span<ZipMember const> members, bool deflate);

} // namespace cax::io
