#include "cax/io/files.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace cax::io {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

constexpr std::size_t pipe_limit = std::size_t{1} << 30; // an endless device must not take the machine with it

std::string reason() { return std::strerror(errno); }

Error failed(ErrorCode code, fs::path const& path, std::string_view what) {
    return {code, fmt::format("{}: {}", path.string(), what)};
}

template <class Buffer> Result<Buffer> read_whole(fs::path const& path) {
    std::error_code ignored;
    auto const status = fs::status(path, ignored);
    if (!fs::exists(status)) return failed(ErrorCode::file_not_found, path, "no such file");
    if (fs::is_directory(status)) return failed(ErrorCode::file_not_found, path, "is a folder, not a file");
    File const file(std::fopen(path.c_str(), "rb"));
    if (!file) return failed(ErrorCode::file_not_found, path, "cannot be opened: " + reason());

    Buffer buffer;
    bool const regular = fs::is_regular_file(status);
    std::size_t expected = regular ? static_cast<std::size_t>(fs::file_size(path, ignored)) : 0;
    if (ignored) expected = 0;
    for (std::size_t used = 0;;) {
        // One byte more than the size, so that the end shows in the first round.
        buffer.resize(used < expected + 1 ? expected + 1 : used + used / 2 + 4096);
        std::size_t const got = std::fread(buffer.data() + used, 1, buffer.size() - used, file.get());
        used += got;
        if (std::ferror(file.get()) != 0) return failed(ErrorCode::file_not_found, path, "cannot be read: " + reason());
        if (used < buffer.size()) {
            buffer.resize(used);
            break;
        }
        if (!regular && used > pipe_limit) return failed(ErrorCode::unsupported, path, "more than 1 GiB from a pipe");
    }
    if (buffer.empty()) return failed(ErrorCode::file_malformed, path, "the file is empty");
    return buffer;
}

Result<void> write_plainly(fs::path const& path, fs::path const& shown, std::span<std::byte const> bytes) {
    File file(std::fopen(path.c_str(), "wb"));
    if (!file) return failed(ErrorCode::write_failed, shown, "cannot be written: " + reason());
    bool const written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    bool const closed = std::fclose(file.release()) == 0; // a full disk may show only here
    if (!written || !closed) return failed(ErrorCode::write_failed, shown, "cannot be written: " + reason());
    return {};
}

} // namespace

Result<std::vector<std::byte>> read_bytes(fs::path const& path) { return read_whole<std::vector<std::byte>>(path); }

Result<std::string> read_text(fs::path const& path) { return read_whole<std::string>(path); }

Result<void> write_bytes(fs::path const& path, std::span<std::byte const> bytes) {
    std::error_code failure;
    auto const status = fs::status(path, failure);
    if (fs::is_directory(status)) return failed(ErrorCode::write_failed, path, "is a folder, not a file");
    // Devices and pipes cannot be replaced, only written to.
    if (fs::exists(status) && !fs::is_regular_file(status)) return write_plainly(path, path, bytes);

    fs::path const target = fs::is_symlink(path, failure) ? fs::weakly_canonical(path, failure) : path;
    fs::path const folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, failure)) {
        return failed(ErrorCode::write_failed, path, fmt::format("there is no folder {}", folder.string()));
    }
    static std::atomic<unsigned> counter = 0;
    fs::path temporary = target;
    temporary += fmt::format(".tmp-{}-{}", ::getpid(), counter++);
    if (auto written = write_plainly(temporary, path, bytes); !written) {
        fs::remove(temporary, failure);
        return written;
    }
    if (fs::exists(status)) fs::permissions(temporary, status.permissions(), failure); // a private file stays private
    fs::rename(temporary, target, failure);
    if (!failure) return {};
    std::string const why = failure.message();
    fs::remove(temporary, failure);
    return failed(ErrorCode::write_failed, path, "cannot be replaced: " + why);
}

Result<void> write_text(fs::path const& path, std::string_view text) {
    return write_bytes(path, std::as_bytes(std::span(text)));
}

} // namespace cax::io
