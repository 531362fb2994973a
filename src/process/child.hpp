#pragma once
// A process at the other end of two pipes, and frames on them: eight bytes of length, least significant first, then so
// many bytes. Every wait has an end, and the process never outlives the object.
#include "cax/core/result.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cax {

using Frame = std::vector<std::byte>;

class Child {
public:
    /// Runs the command in a shell, in a process group of its own; what it says on standard error is shown on ours.
    [[nodiscard]] static Result<std::unique_ptr<Child>> start(std::string const& command);
    /// Closes the pipes, which asks it to end, waits a moment, then ends it.
    ~Child();
    Child(Child const&) = delete;
    Child& operator=(Child const&) = delete;

    /// Both: error if it has ended, if the time is up, or if what comes is no frame.
    [[nodiscard]] Result<void> send(std::span<std::byte const> frame, double seconds);
    [[nodiscard]] Result<Frame> receive(double seconds);

private:
    using Clock = std::chrono::steady_clock;
    struct Deadline {
        explicit Deadline(double length) : seconds(length), end(Clock::now() + std::chrono::duration<double>(length)) {}
        double seconds;
        std::chrono::time_point<Clock, std::chrono::duration<double>> end;
    };

    Child(pid_t id, int to, int from) : id_(id), to_(to), from_(from) {}
    [[nodiscard]] Result<void> write_all(std::span<std::byte const> bytes, Deadline const& deadline);
    [[nodiscard]] Result<void> read_all(std::span<std::byte> bytes, Deadline const& deadline);
    /// Until one of the pipes is ready: what poll() says of it.
    [[nodiscard]] Result<short> wait_for(int descriptor, short events, Deadline const& deadline) const;
    [[nodiscard]] Error ended();
    /// True once the process has ended and been collected.
    bool collect(double seconds);

    pid_t id_;
    int to_;
    int from_;
    bool collected_ = false;
    int status_ = 0;
};

} // namespace cax
