#include "process.hpp"

#include "command.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAX_SANITIZED 1
#elif defined(__has_feature)
#define CAX_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define CAX_SANITIZED 0
#endif

namespace cax::cli {
namespace {

void occupy(int stream, int flags) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) return;
    // The lowest free number is given out first: if an earlier stream was closed, it has been occupied already.
    [[maybe_unused]] int const taken = ::open("/dev/null", flags);
}

/// A destructor that needs memory, as those of large JSON values do, cannot throw: the exception ends here.
[[noreturn]] void end_without_memory() {
    if (auto const failure = std::current_exception()) {
        try {
            std::rethrow_exception(failure);
        } catch (std::bad_alloc const&) {
            constexpr char line[] = "cax: out of memory\n";
            [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line, sizeof line - 1);
            ::_exit(exit_bad_input);
        } catch (...) {
            // A mistake of ours: let it be seen.
        }
    }
    std::abort();
}

} // namespace

void prepare_process() {
    occupy(STDIN_FILENO, O_RDONLY);
    occupy(STDOUT_FILENO, O_RDONLY); // for reading only: what is written there is lost, and has to show
    occupy(STDERR_FILENO, O_WRONLY);
    std::set_terminate(end_without_memory);
}

Result<void> finish_output(int reason) {
    bool const lost = std::ferror(stdout) != 0;
    errno = 0;
    if (std::fflush(stdout) == 0 && !lost) return {};
    if (errno != 0) reason = errno;
    std::string const why = reason == 0 ? "" : fmt::format(": {}", std::strerror(reason));
    return Error{ErrorCode::write_failed, "standard output: cannot be written" + why};
}

int leave(int code) {
#if !CAX_SANITIZED
    std::fflush(nullptr);
    ::_exit(code);
#endif
    return code;
}

void print_error(std::string message) {
    for (char& c : message) {
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';
    }
    // Not fmt::print, which throws if standard error is full, too.
    std::fputs(fmt::format("cax: {}\n", message).c_str(), stderr);
}

} // namespace cax::cli
