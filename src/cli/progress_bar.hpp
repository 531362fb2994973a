#pragma once
// A line on stderr that says how far long work is and when it may be done. Silent unless stderr is a terminal.
#include "cax/core/progress.hpp"

#include <chrono>
#include <string>

namespace cax::cli {

class ProgressBar {
public:
    explicit ProgressBar(std::string what);
    ~ProgressBar(); ///< erases the line
    ProgressBar(ProgressBar const&) = delete;
    ProgressBar& operator=(ProgressBar const&) = delete;

    /// What a library calls; empty if nothing would be shown. Valid as long as this object.
    [[nodiscard]] Progress callback();

private:
    using Clock = std::chrono::steady_clock;
    void show(std::size_t finished, std::size_t total);

    std::string what_;
    bool visible_;
    Clock::time_point start_;
    Clock::time_point shown_;
};

/// "2 min 05 s"; whole seconds.
[[nodiscard]] std::string duration_in_words(double seconds);

} // namespace cax::cli
