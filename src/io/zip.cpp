#include "zip.hpp"

#include "cax/core/printable.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

namespace cax::io {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t central_signature = 0x02014b50;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator64_signature = 0x07064b50;
constexpr std::size_t local_size = 30;
constexpr std::size_t central_size = 46;
constexpr std::size_t end_size = 22;
constexpr std::size_t end64_size = 56;
constexpr std::size_t locator64_size = 20;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint64_t best_ratio = 1032; // deflate's own limit
// Instances are mostly numbers that hardly shrink: all arrays of a data set together shrink ten- to twentyfold at most.
// What claims more is a bomb or a mistake; small files may be anything.
constexpr std::uint64_t plausible_ratio = 32;
constexpr std::uint64_t always_plausible = std::uint64_t{16} << 20;
constexpr std::uint64_t largest_total = std::uint64_t{4} << 30;
constexpr std::uint32_t see_zip64 = 0xFFFFFFFF;

Error broken_zip(std::string message) { return {ErrorCode::file_malformed, "zip: " + std::move(message)}; }

/// Little-endian number at `offset`. Precondition: it lies inside.
template <class T> T number_at(std::span<std::byte const> bytes, std::uint64_t offset) {
    assert(offset <= bytes.size() && sizeof(T) <= bytes.size() - offset);
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

bool fits(std::span<std::byte const> bytes, std::uint64_t offset, std::uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
}

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
};

Result<Directory> find_directory(std::span<std::byte const> bytes) {
    if (bytes.size() < end_size) return broken_zip("too short");
    // The end record is the last thing in the file but for a comment of at most 65535 bytes.
    std::size_t const lowest = bytes.size() - std::min<std::size_t>(bytes.size(), end_size + 0xFFFF);
    std::optional<std::size_t> end;
    for (std::size_t at = bytes.size() - end_size + 1; at-- > lowest && !end;) {
        if (number_at<std::uint32_t>(bytes, at) == end_signature) end = at;
    }
    if (!end) return broken_zip("no end record: the file is cut off");
    Directory directory{.offset = number_at<std::uint32_t>(bytes, *end + 16),
                        .size = number_at<std::uint32_t>(bytes, *end + 12),
                        .count = number_at<std::uint16_t>(bytes, *end + 10)};
    bool const zip64 =
        *end >= locator64_size && number_at<std::uint32_t>(bytes, *end - locator64_size) == locator64_signature;
    if (zip64) {
        auto const record = number_at<std::uint64_t>(bytes, *end - locator64_size + 8);
        if (!fits(bytes, record, end64_size) || number_at<std::uint32_t>(bytes, record) != end64_signature) {
            return broken_zip(fmt::format("zip64 end record expected at {}", record));
        }
        directory = {.offset = number_at<std::uint64_t>(bytes, record + 48),
                     .size = number_at<std::uint64_t>(bytes, record + 40),
                     .count = number_at<std::uint64_t>(bytes, record + 32)};
    }
    if (!fits(bytes, directory.offset, directory.size) || directory.count > directory.size / central_size) {
        return broken_zip(fmt::format("directory of {} members in {} bytes at {} does not fit", directory.count,
                                      directory.size, directory.offset));
    }
    return directory;
}

/// Replaces the 32-bit fields that say "see zip64" by their 64-bit values from the extra field, in the fixed order.
Result<void> apply_zip64(std::span<std::byte const> extra, ZipEntry& entry) {
    std::vector<std::uint64_t*> wanted;
    for (std::uint64_t* field : {&entry.unpacked, &entry.packed, &entry.header}) {
        if (*field == see_zip64) wanted.push_back(field);
    }
    while (!wanted.empty() && extra.size() >= 4) {
        auto const id = number_at<std::uint16_t>(extra, 0);
        auto const size = number_at<std::uint16_t>(extra, 2);
        if (!fits(extra, 4, size)) break;
        if (id == 1 && size >= wanted.size() * sizeof(std::uint64_t)) {
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                *wanted[i] = number_at<std::uint64_t>(extra, 4 + i * sizeof(std::uint64_t));
            }
            return {};
        }
        extra = extra.subspan(4U + size);
    }
    if (wanted.empty()) return {};
    return broken_zip(fmt::format("member '{}' lacks its zip64 sizes", printable(entry.name)));
}

Result<std::vector<ZipEntry>> read_directory(std::span<std::byte const> bytes, Directory const& directory) {
    std::vector<ZipEntry> entries;
    std::set<std::string, std::less<>> names;
    auto rest = bytes.subspan(directory.offset, directory.size);
    for (std::uint64_t i = 0; i < directory.count; ++i) {
        if (rest.size() < central_size || number_at<std::uint32_t>(rest, 0) != central_signature) {
            return broken_zip(fmt::format("directory entry {} of {} is damaged", i + 1, directory.count));
        }
        std::size_t const name_size = number_at<std::uint16_t>(rest, 28);
        std::size_t const extra_size = number_at<std::uint16_t>(rest, 30);
        std::size_t const entry_size = central_size + name_size + extra_size + number_at<std::uint16_t>(rest, 32);
        if (entry_size > rest.size()) return broken_zip(fmt::format("directory entry {} is cut off", i + 1));
        ZipEntry entry{.name = {reinterpret_cast<char const*>(rest.data()) + central_size, name_size},
                       .flags = number_at<std::uint16_t>(rest, 8),
                       .method = number_at<std::uint16_t>(rest, 10),
                       .crc = number_at<std::uint32_t>(rest, 16),
                       .packed = number_at<std::uint32_t>(rest, 20),
                       .unpacked = number_at<std::uint32_t>(rest, 24),
                       .header = number_at<std::uint32_t>(rest, 42)};
        auto const extended = apply_zip64(rest.subspan(central_size + name_size, extra_size), entry);
        if (!extended) return extended.error();
        if (!names.insert(entry.name).second) {
            return broken_zip(fmt::format("member '{}' occurs twice", printable(entry.name)));
        }
        entries.push_back(std::move(entry));
        rest = rest.subspan(entry_size);
    }
    return entries;
}

/// Finds each member's data and makes sure that no two share bytes: overlapping members are how zip bombs are made.
Result<void> locate(std::span<std::byte const> bytes, Directory const& directory, std::vector<ZipEntry>& entries) {
    auto const members = bytes.first(directory.offset);
    for (ZipEntry& entry : entries) {
        if (!fits(members, entry.header, local_size) ||
            number_at<std::uint32_t>(members, entry.header) != local_signature) {
            return broken_zip(fmt::format("member '{}': no header at {}", printable(entry.name), entry.header));
        }
        entry.data_begin = entry.header + local_size + number_at<std::uint16_t>(members, entry.header + 26) +
                           number_at<std::uint16_t>(members, entry.header + 28);
        if (!fits(members, entry.data_begin, entry.packed)) {
            return broken_zip(fmt::format("member '{}': {} bytes at {} lie outside the file", printable(entry.name),
                                          entry.packed, entry.data_begin));
        }
    }
    std::vector<ZipEntry const*> order;
    for (ZipEntry const& entry : entries) order.push_back(&entry);
    std::ranges::sort(order, {}, &ZipEntry::header);
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (order[i - 1]->data_begin + order[i - 1]->packed > order[i]->header) {
            return broken_zip(
                fmt::format("members '{}' and '{}' overlap", printable(order[i - 1]->name), printable(order[i]->name)));
        }
    }
    return {};
}

uInt narrow(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

/// Fills `out` exactly from raw deflate data, or says that it cannot.
bool inflate_exactly(std::span<std::byte const> in, std::span<std::byte> out) {
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    std::byte nothing{}; // zlib wants a non-null pointer even for no output
    int status = Z_OK;
    std::size_t taken = 0;
    std::size_t given = 0;
    while (status == Z_OK) {
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data() + taken));
        stream.avail_in = narrow(in.size() - taken);
        stream.next_out = reinterpret_cast<Bytef*>(out.empty() ? &nothing : out.data() + given);
        stream.avail_out = narrow(out.size() - given);
        uInt const in_before = stream.avail_in;
        uInt const out_before = stream.avail_out;
        status = inflate(&stream, Z_NO_FLUSH);
        taken += in_before - stream.avail_in;
        given += out_before - stream.avail_out;
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END && given == out.size() && taken == in.size();
}

Error wrong_member(ZipEntry const& entry, std::string_view what) {
    return broken_zip(fmt::format("member '{}': {}", printable(entry.name), what));
}

/// What can be told before anything is unpacked.
Result<void> check_member(ZipEntry const& entry) {
    if ((entry.flags & 1U) != 0) return Error{ErrorCode::unsupported, wrong_member(entry, "is encrypted").message};
    if (entry.method != stored && entry.method != deflated) {
        return Error{ErrorCode::unsupported,
                     wrong_member(entry, fmt::format("compression method {}", entry.method)).message};
    }
    if (entry.method == stored && entry.unpacked != entry.packed) {
        return wrong_member(entry, "stored, but its two sizes differ");
    }
    if (entry.unpacked / best_ratio > entry.packed) {
        return wrong_member(entry,
                            fmt::format("{} bytes cannot come from {} deflated ones", entry.unpacked, entry.packed));
    }
    return {};
}

} // namespace

bool looks_like_zip(std::span<std::byte const> bytes) {
    if (bytes.size() < sizeof(std::uint32_t)) return false;
    auto const signature = number_at<std::uint32_t>(bytes, 0);
    return signature == local_signature || signature == end_signature;
}

Result<std::vector<ZipEntry>> list_zip(std::span<std::byte const> bytes) {
    auto const directory = find_directory(bytes);
    if (!directory) return directory.error();
    auto entries = read_directory(bytes, *directory);
    if (!entries) return entries.error();
    if (auto const located = locate(bytes, *directory, *entries); !located) return located.error();
    std::uint64_t const most = std::min(largest_total, always_plausible + plausible_ratio * bytes.size());
    std::uint64_t total = 0;
    for (ZipEntry const& entry : *entries) {
        if (auto const possible = check_member(entry); !possible) return possible.error();
        // Each size alone may be absurd, so compare before adding.
        if (entry.unpacked > most - total) {
            return broken_zip(fmt::format("its members unpack to more than {} bytes, which is not plausible for {}",
                                          most, bytes.size()));
        }
        total += entry.unpacked;
    }
    return entries;
}

Result<std::vector<std::byte>> unpack_member(std::span<std::byte const> bytes, ZipEntry const& entry) {
    auto const packed = bytes.subspan(entry.data_begin, entry.packed);
    std::vector<std::byte> data(entry.unpacked);
    if (entry.method == stored) {
        std::ranges::copy(packed, data.begin());
    } else if (!inflate_exactly(packed, data)) {
        return wrong_member(entry, "deflated data are damaged");
    }
    auto const crc = crc32_z(0, reinterpret_cast<Bytef const*>(data.data()), data.size());
    if (crc != entry.crc) return wrong_member(entry, "checksum does not match");
    return data;
}

} // namespace cax::io
