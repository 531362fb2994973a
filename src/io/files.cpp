#include "cax/io/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cax::io {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Far beyond any file that cax reads or writes, and bounds that keep a mistaken argument from taking the machine.
constexpr std::uintmax_t largest_file = std::uintmax_t{4} << 30;
constexpr std::size_t largest_pipe = std::size_t{256} << 20;

std::string reason() { return std::strerror(errno); }

Error failed(ErrorCode code, fs::path const& path, std::string_view what) {
    return {code, fmt::format("{}: {}", path.string(), what)};
}

/// Why the path leads nowhere, after stat() has failed.
Error leads_nowhere(fs::path const& path) {
    auto const fail = [&](std::string_view what) { return failed(ErrorCode::file_not_found, path, what); };
    if (errno == ELOOP) return fail("is a link that leads round in a circle");
    if (errno != ENOENT && errno != ENOTDIR) return fail("cannot be opened: " + reason());
    std::error_code ignored;
    if (!fs::is_symlink(path, ignored)) return fail("no such file");
    return fail(fmt::format("is a link to {}, which does not exist", fs::read_symlink(path, ignored).string()));
}

/// How many bytes to expect: the size of a regular file, nothing for a pipe. Everything else is refused: a device may
/// never end.
Result<std::optional<std::size_t>> expected_size(fs::path const& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return leads_nowhere(path);
    if (S_ISDIR(status.st_mode)) return failed(ErrorCode::file_not_found, path, "is a folder, not a file");
    if (S_ISFIFO(status.st_mode)) return std::optional<std::size_t>();
    if (!S_ISREG(status.st_mode)) {
        return failed(ErrorCode::unsupported, path, "is a device, neither a file nor a pipe");
    }
    auto const size = static_cast<std::uintmax_t>(status.st_size);
    if (size > largest_file) {
        return failed(ErrorCode::unsupported, path,
                      fmt::format("has {} bytes: more than {} GiB are not read", size, largest_file >> 30));
    }
    return std::optional(static_cast<std::size_t>(size));
}

template <class Buffer> Result<Buffer> read_whole(fs::path const& path) {
    auto const expected = expected_size(path);
    if (!expected) return expected.error();
    File const file(std::fopen(path.c_str(), "rb"));
    if (!file) return failed(ErrorCode::file_not_found, path, "cannot be opened: " + reason());

    // What is not known to be larger ends at the limit for pipes: files of /proc say that they are empty.
    std::size_t const stated = expected->value_or(0);
    std::size_t const limit = std::max(stated, largest_pipe);
    Buffer buffer;
    for (std::size_t used = 0;;) {
        // One byte more than the size, so that the end shows in the first round.
        buffer.resize(used <= stated ? stated + 1 : std::min(used + used / 2 + 4096, limit + 1));
        used += std::fread(buffer.data() + used, 1, buffer.size() - used, file.get());
        if (std::ferror(file.get()) != 0) return failed(ErrorCode::file_not_found, path, "cannot be read: " + reason());
        if (used < buffer.size()) {
            buffer.resize(used);
            break;
        }
        if (used > limit) {
            return failed(ErrorCode::unsupported, path,
                          fmt::format("more than {} MiB come from this pipe", limit >> 20));
        }
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

/// What a path to write to stands for, links followed.
struct Target {
    fs::path path;
    bool exists = false;
    bool replaceable = true; ///< by renaming: a regular file, or nothing yet
    fs::perms permissions = fs::perms::none;
};

/// The end of a chain of links; it need not exist.
Result<fs::path> follow_links(fs::path path) {
    constexpr int longest_chain = 40; // as the kernel
    std::error_code failure;
    fs::path const given = path;
    for (int i = 0; i < longest_chain; ++i) {
        if (!fs::is_symlink(path, failure)) return path;
        fs::path const next = fs::read_symlink(path, failure);
        if (failure) return failed(ErrorCode::write_failed, given, failure.message());
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return failed(ErrorCode::write_failed, given, "is a link that leads round in a circle");
}

Result<Target> find_target(fs::path const& path) {
    auto const followed = follow_links(path);
    if (!followed) return followed.error();
    std::error_code failure;
    auto const status = fs::status(*followed, failure);
    Target const target{.path = *followed,
                        .exists = fs::exists(status),
                        .replaceable = !fs::exists(status) || fs::is_regular_file(status),
                        .permissions = status.permissions()};
    if (fs::is_directory(status)) return failed(ErrorCode::write_failed, path, "is a folder, not a file");
    if (!target.replaceable) return target;
    fs::path const folder = target.path.has_parent_path() ? target.path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, failure)) {
        return failed(ErrorCode::write_failed, path, fmt::format("there is no folder {}", folder.string()));
    }
    return target;
}

/// A name that nobody else uses, in the same folder, so that renaming does not copy.
fs::path temporary_beside(fs::path path) {
    static std::atomic<unsigned> counter = 0;
    return path += fmt::format(".tmp-{}-{}", ::getpid(), counter++);
}

} // namespace

Result<std::vector<std::byte>> read_bytes(fs::path const& path) { return read_whole<std::vector<std::byte>>(path); }

Result<std::string> read_text(fs::path const& path) { return read_whole<std::string>(path); }

Result<void> write_bytes(fs::path const& path, std::span<std::byte const> bytes) {
    auto const target = find_target(path);
    if (!target) return target.error();
    // Devices and pipes cannot be replaced, only written to.
    if (!target->replaceable) return write_plainly(path, path, bytes);
    std::error_code failure;
    fs::path const temporary = temporary_beside(target->path);
    if (auto written = write_plainly(temporary, path, bytes); !written) {
        fs::remove(temporary, failure);
        return written;
    }
    if (target->exists) fs::permissions(temporary, target->permissions, failure); // a private file stays private
    fs::rename(temporary, target->path, failure);
    if (!failure) return {};
    std::string const why = failure.message();
    fs::remove(temporary, failure);
    return failed(ErrorCode::write_failed, path, "cannot be replaced: " + why);
}

Result<void> check_writable(fs::path const& path) {
    auto const target = find_target(path);
    if (!target) return target.error();
    if (!target->replaceable) {
        if (::access(target->path.c_str(), W_OK) == 0) return {};
        return failed(ErrorCode::write_failed, path, "cannot be written: " + reason());
    }
    // Permissions do not tell all: make the file that writing would begin with.
    fs::path const temporary = temporary_beside(target->path);
    File const file(std::fopen(temporary.c_str(), "wb"));
    if (!file) return failed(ErrorCode::write_failed, path, "cannot be written: " + reason());
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return {};
}

bool same_file(fs::path const& a, fs::path const& b) {
    struct stat of_a = {};
    struct stat of_b = {};
    bool const a_exists = ::stat(a.c_str(), &of_a) == 0;
    bool const b_exists = ::stat(b.c_str(), &of_b) == 0;
    if (a_exists != b_exists) return false;
    if (a_exists) return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    auto const place = [](fs::path const& path) {
        auto const end = follow_links(path);
        std::error_code ignored;
        return end ? fs::weakly_canonical(fs::absolute(*end, ignored), ignored) : fs::path();
    };
    fs::path const place_of_a = place(a);
    return !place_of_a.empty() && place_of_a == place(b);
}

Result<void> write_text(fs::path const& path, std::string_view text) {
    return write_bytes(path, std::as_bytes(std::span(text)));
}

} // namespace cax::io
