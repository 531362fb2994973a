#include "progress_bar.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace cax::cli {

std::string duration_in_words(double seconds) {
    long const whole = std::lround(seconds);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)), visible_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), shown_(start_) {}

ProgressBar::~ProgressBar() {
    if (visible_) std::fputs("\r\033[K", stderr);
}

Progress ProgressBar::callback() {
    if (!visible_) return {};
    return [this](std::size_t finished, std::size_t total) { show(finished, total); };
}

void ProgressBar::show(std::size_t finished, std::size_t total) {
    auto const now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(100) || finished == 0) return;
    shown_ = now;
    if (total == 0) { // nobody knows yet how much there is
        fmt::print(stderr, "\r\033[K{} ... {}", what_, finished);
        std::fflush(stderr);
        return;
    }
    double const share = static_cast<double>(finished) / static_cast<double>(total);
    double const passed = std::chrono::duration<double>(now - start_).count();
    constexpr std::size_t width = 24;
    auto const filled = static_cast<std::size_t>(share * width);
    fmt::print(stderr, "\r\033[K{} [{}{}] {}/{}, {} left", what_, std::string(filled, '#'),
               std::string(width - filled, '.'), finished, total, duration_in_words(passed / share - passed));
    std::fflush(stderr);
}

} // namespace cax::cli
