#include "cax/io/file_kind.hpp"

#include "cax/io/tensor_files.hpp"
#include "json_text.hpp"
#include "zip.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cax::io {
namespace {

/// Pickles of protocol 2 and above begin like this; torch.save has never written another one.
bool looks_like_pickle(std::string_view text) {
    return text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
}

FileKind kind_of_zip(std::string_view text) {
    // The name of the first member follows its header of 30 bytes. A cut off file still shows it.
    std::string_view const start = text.substr(0, 1024);
    if (start.find("data.pkl") != std::string_view::npos) return FileKind::torch_checkpoint;
    return start.find(".npy") != std::string_view::npos ? FileKind::arrays : FileKind::zip;
}

bool starts_with_word(std::string_view text, std::string_view word) {
    return text.size() >= word.size() && std::ranges::equal(text.substr(0, word.size()), word, [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
           });
}

std::string_view words_for(FileKind kind) {
    switch (kind) {
    case FileKind::unknown: return "";
    case FileKind::safetensors: return "a safetensors file";
    case FileKind::arrays: return "a set of arrays (.npz)";
    case FileKind::torch_checkpoint: return "a PyTorch checkpoint";
    case FileKind::zip: return "a zip archive";
    case FileKind::json: return "JSON";
    case FileKind::sqlite: return "an SQLite database";
    case FileKind::html: return "a web page";
    case FileKind::gzip: return "compressed by gzip";
    }
    return "";
}

} // namespace

FileKind kind_of(std::span<std::byte const> bytes) {
    if (looks_like_safetensors(bytes)) return FileKind::safetensors;
    std::string_view text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (looks_like_zip(bytes)) return kind_of_zip(text);
    if (looks_like_pickle(text)) return FileKind::torch_checkpoint;
    if (text.starts_with("SQLite format 3")) return FileKind::sqlite;
    if (text.starts_with("\x1F\x8B")) return FileKind::gzip;
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with('{') || text.starts_with('[')) return FileKind::json;
    if (starts_with_word(text, "<!doctype html") || starts_with_word(text, "<html")) return FileKind::html;
    return FileKind::unknown;
}

std::string mistaken_for(FileKind kind, std::string_view wanted) {
    if (kind == FileKind::unknown) return {};
    std::string text = fmt::format("{}, not {}", words_for(kind), wanted);
    if (kind == FileKind::torch_checkpoint) {
        text += "; python -m cax.convert turns it into one (README.md, \"Bring your rl4co policy\")";
    }
    return text;
}

} // namespace cax::io
