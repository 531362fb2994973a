#pragma once
// What a file is, told by its first bytes: for messages that say more than "malformed" when a person gives the wrong
// file, or the right ones in the wrong order.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cax::io {

enum class FileKind {
    unknown,
    safetensors,      ///< a policy, a checkpoint of training, a golden trace
    arrays,           ///< .npz
    torch_checkpoint, ///< .pt, .ckpt: a zip with a pickle in it, or an old one that is a pickle
    zip,
    json,
    sqlite, ///< a study's store
    html,
    gzip,
};

[[nodiscard]] FileKind kind_of(std::span<std::byte const> bytes);

/// "a web page, not a policy", with what to do next where that can be told. Empty for unknown.
[[nodiscard]] std::string mistaken_for(FileKind kind, std::string_view wanted);

} // namespace cax::io
