#include "zip.hpp"

#include <zlib.h>

#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>

namespace cax::io {
namespace {

constexpr std::uint16_t version_needed = 20;
constexpr std::uint16_t fixed_date = 0x0021; // 1 January 1980, the format's first day

class Writer {
public:
    template <class T> void number(T value) {
        std::size_t const at = bytes.size();
        bytes.resize(at + sizeof value);
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    void append(std::span<std::byte const> more) { bytes.insert(bytes.end(), more.begin(), more.end()); }
    [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(bytes.size()); }

    std::vector<std::byte> bytes;
};

std::vector<std::byte> deflate_raw(std::span<std::byte const> in) {
    z_stream stream{};
    [[maybe_unused]] int status =
        deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    assert(status == Z_OK);
    std::vector<std::byte> out(deflateBound(&stream, in.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    status = deflate(&stream, Z_FINISH);
    assert(status == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// What the local header and the directory say alike of a member.
struct Packed {
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::uint32_t packed = 0;
    std::uint32_t unpacked = 0;
    std::uint16_t name_size = 0;
    std::uint32_t header = 0;

    void write(Writer& out) const {
        out.number(version_needed);
        out.number(std::uint16_t{0}); // flags
        out.number(method);
        out.number(std::uint16_t{0}); // time
        out.number(fixed_date);
        out.number(crc);
        out.number(packed);
        out.number(unpacked);
        out.number(name_size);
        out.number(std::uint16_t{0}); // extra field
    }
};

} // namespace

std::vector<std::byte> pack_zip(std::span<ZipMember const> members, bool deflate) {
    Writer out;
    std::vector<Packed> entries;
    for (ZipMember const& member : members) {
        assert(member.bytes.size() < std::numeric_limits<std::uint32_t>::max() - out.bytes.size());
        std::vector<std::byte> const compressed = deflate ? deflate_raw(member.bytes) : std::vector<std::byte>{};
        std::span<std::byte const> const data = deflate ? compressed : member.bytes;
        auto const crc = crc32_z(0, reinterpret_cast<Bytef const*>(member.bytes.data()), member.bytes.size());
        entries.push_back({.method = static_cast<std::uint16_t>(deflate ? 8 : 0),
                           .crc = static_cast<std::uint32_t>(crc),
                           .packed = static_cast<std::uint32_t>(data.size()),
                           .unpacked = static_cast<std::uint32_t>(member.bytes.size()),
                           .name_size = static_cast<std::uint16_t>(member.name.size()),
                           .header = out.position()});
        out.number(std::uint32_t{0x04034b50});
        entries.back().write(out);
        out.append(std::as_bytes(std::span(member.name)));
        out.append(data);
    }
    std::uint32_t const directory = out.position();
    for (std::size_t i = 0; i < members.size(); ++i) {
        out.number(std::uint32_t{0x02014b50});
        out.number(version_needed);
        entries[i].write(out);
        out.number(std::uint16_t{0}); // comment
        out.number(std::uint16_t{0}); // disk
        out.number(std::uint16_t{0}); // internal attributes
        out.number(std::uint32_t{0}); // external attributes
        out.number(entries[i].header);
        out.append(std::as_bytes(std::span(members[i].name)));
    }
    std::uint32_t const directory_size = out.position() - directory;
    out.number(std::uint32_t{0x06054b50});
    out.number(std::uint32_t{0}); // disks
    out.number(static_cast<std::uint16_t>(members.size()));
    out.number(static_cast<std::uint16_t>(members.size()));
    out.number(directory_size);
    out.number(directory);
    out.number(std::uint16_t{0}); // comment
    return std::move(out.bytes);
}

} // namespace cax::io
