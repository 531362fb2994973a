#include "child.hpp"

#include "cax/core/printable.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cax {
namespace {

/// Nobody's batch is larger; what claims to be is text.
constexpr std::uint64_t largest_frame = std::uint64_t{1} << 32U;

Error system_error(std::string_view what, int number) {
    return {ErrorCode::unsupported, fmt::format("{}: {}", what, std::strerror(number))};
}

struct Pipe {
    int read = -1;
    int write = -1;
    void close() const {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
};

Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("pipe", errno);
    return Pipe{ends[0], ends[1]};
}

/// Writing to a process that has ended raises a signal whose default is to end us: on this thread, not now.
class WithoutPipeSignal {
public:
    WithoutPipeSignal() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~WithoutPipeSignal() {
        timespec const now{0, 0};
        if (sigismember(&before_, SIGPIPE) == 0) {
            while (sigtimedwait(&pipe_, nullptr, &now) == SIGPIPE) {
            }
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    WithoutPipeSignal(WithoutPipeSignal const&) = delete;
    WithoutPipeSignal& operator=(WithoutPipeSignal const&) = delete;

private:
    sigset_t pipe_{};
    sigset_t before_{};
};

/// 0, or what went wrong.
int spawn(std::string const& command, Pipe const& requests, Pipe const& answers, pid_t& id) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_adddup2(&files, requests.read, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, answers.write, STDOUT_FILENO);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string shell = "sh", option = "-c", line = command;
    std::array<char*, 4> arguments{shell.data(), option.data(), line.data(), nullptr};
    int const failure = ::posix_spawn(&id, "/bin/sh", &files, &how, arguments.data(), environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

} // namespace

Result<std::unique_ptr<Child>> Child::start(std::string const& command) {
    auto const requests = make_pipe();
    if (!requests) return requests.error();
    auto const answers = make_pipe();
    if (!answers) {
        requests->close();
        return answers.error();
    }
    pid_t id = 0;
    if (int const failure = spawn(command, *requests, *answers, id); failure != 0) {
        requests->close();
        answers->close();
        return system_error("/bin/sh", failure);
    }
    ::close(requests->read);
    ::close(answers->write);
    ::fcntl(requests->write, F_SETFL, O_NONBLOCK);
    ::fcntl(answers->read, F_SETFL, O_NONBLOCK);
    return std::unique_ptr<Child>(new Child(id, requests->write, answers->read));
}

Child::~Child() {
    ::close(to_);
    ::close(from_);
    if (!collect(1)) {
        ::kill(-id_, SIGTERM);
        collect(1);
    }
    // The shell may have gone before what it started.
    ::kill(-id_, SIGKILL);
    collect(10);
}

bool Child::collect(double seconds) {
    Deadline const deadline(seconds);
    while (!collected_) {
        pid_t const found = ::waitpid(id_, &status_, WNOHANG);
        if (found == id_ || (found < 0 && errno != EINTR)) {
            collected_ = true;
        } else if (Clock::now() >= deadline.end) {
            return false;
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    return true;
}

Error Child::ended() {
    if (!collect(2)) return {ErrorCode::invalid_value, "it has closed its output"};
    int const code = WEXITSTATUS(status_);
    bool const told_by_shell = WIFEXITED(status_) && code > 128 && code <= 128 + 64;
    if (WIFSIGNALED(status_) || told_by_shell) {
        int const signal = told_by_shell ? code - 128 : WTERMSIG(status_);
        return {ErrorCode::invalid_value, fmt::format("it was ended by signal {}", signal)};
    }
    return {ErrorCode::invalid_value, fmt::format("it has ended with exit code {}", code)};
}

Result<short> Child::wait_for(int descriptor, short events, Deadline const& deadline) const {
    while (true) {
        double const left = std::chrono::duration<double>(deadline.end - Clock::now()).count();
        // While we write, it has nothing to say: what it does say then is no answer.
        std::array<pollfd, 2> both{{{descriptor, events, 0}, {descriptor == to_ ? from_ : -1, POLLIN, 0}}};
        int const ready = ::poll(both.data(), both.size(), std::max(0, static_cast<int>(std::min(left, 1e6) * 1000)));
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) return system_error("poll", errno);
        if ((both[1].revents & POLLIN) != 0) {
            return Error{ErrorCode::invalid_value,
                         "it has written something that is not an answer; printing belongs on standard error"};
        }
        if (both[0].revents != 0) return both[0].revents;
        if (left <= 0) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("it has not answered for {:g} seconds", deadline.seconds)};
        }
    }
}

Result<void> Child::write_all(std::span<std::byte const> bytes, Deadline const& deadline) {
    WithoutPipeSignal const quiet;
    while (!bytes.empty()) {
        auto const ready = wait_for(to_, POLLOUT, deadline);
        if (!ready) return ready.error();
        ssize_t const count = ::write(to_, bytes.data(), bytes.size());
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (count < 0) return ended();
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

Result<void> Child::read_all(std::span<std::byte> bytes, Deadline const& deadline) {
    while (!bytes.empty()) {
        auto const ready = wait_for(from_, POLLIN, deadline);
        if (!ready) return ready.error();
        ssize_t const count = ::read(from_, bytes.data(), bytes.size());
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (count <= 0) return ended();
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

Result<void> Child::send(std::span<std::byte const> frame, double seconds) {
    Deadline const deadline(seconds);
    std::array<std::byte, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i) length[i] = static_cast<std::byte>(frame.size() >> (8 * i));
    if (auto ok = write_all(length, deadline); !ok) return ok;
    return write_all(frame, deadline);
}

Result<Frame> Child::receive(double seconds) {
    Deadline const deadline(seconds);
    std::array<std::byte, 8> head{};
    if (auto ok = read_all(head, deadline); !ok) return ok.error();
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < head.size(); ++i) length |= std::to_integer<std::uint64_t>(head[i]) << (8 * i);
    if (length > largest_frame) {
        std::string const text(reinterpret_cast<char const*>(head.data()), head.size());
        return Error{ErrorCode::invalid_value,
                     fmt::format("\"{}\" where the length of a frame was expected; printing belongs on standard error",
                                 printable(text))};
    }
    Frame frame;
    // Memory follows what has come, not what was announced.
    while (frame.size() < length) {
        std::size_t const before = frame.size();
        frame.resize(std::min<std::uint64_t>(length, before + (std::size_t{1} << 20U)));
        if (auto ok = read_all(std::span(frame).subspan(before), deadline); !ok) return ok.error();
    }
    return frame;
}

} // namespace cax
