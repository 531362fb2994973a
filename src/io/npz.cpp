#include "cax/core/printable.hpp"
#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "npy.hpp"
#include "zip.hpp"

#include <fmt/format.h>

namespace cax::io {
namespace {

constexpr std::string_view suffix = ".npy";

}

Result<NamedTensors> parse_npz(std::span<std::byte const> bytes) {
    auto const members = list_zip(bytes);
    if (!members) return members.error();
    NamedTensors tensors;
    for (ZipEntry const& member : *members) {
        std::string const where = fmt::format("array '{}'", printable(member.name));
        if (!member.name.ends_with(suffix)) {
            return Error{ErrorCode::unsupported, where + ": members of an .npz end in .npy"};
        }
        auto data = unpack_member(bytes, member);
        if (!data) return data.error();
        auto tensor = parse_npy(*std::move(data));
        if (!tensor) return tensor.error().within(where);
        tensors.emplace(member.name.substr(0, member.name.size() - suffix.size()), *std::move(tensor));
    }
    return tensors;
}

Result<NamedTensors> read_npz(std::filesystem::path const& path) {
    auto const bytes = read_bytes(path);
    if (!bytes) return bytes.error();
    auto tensors = parse_npz(*bytes);
    if (!tensors) return tensors.error().within(path.string());
    return tensors;
}

std::vector<std::byte> format_npz(NamedTensors const& tensors, bool deflate) {
    std::vector<ZipMember> members;
    for (auto const& [name, tensor] : tensors) members.push_back({name + std::string(suffix), format_npy(tensor)});
    return pack_zip(members, deflate);
}

} // namespace cax::io
