#include "line.hpp"

namespace cax::serve {

Line::Place::Place(Line& line, std::uint64_t number, std::shared_ptr<Watch> watch)
    : line_(line), number_(number), watch_(std::move(watch)) {}

Line::Place::~Place() {
    std::scoped_lock const lock(line_.mutex_);
    line_.waiting_.erase(number_);
    line_.moved_.notify_all();
}

void Line::Place::wait() const {
    std::unique_lock lock(line_.mutex_);
    line_.moved_.wait(lock, [&] {
        for (auto const& [number, waiting] : line_.waiting_) {
            if (!waiting.aside) return number == number_;
        }
        return true;
    });
    watch_->check();
}

void Line::Place::step_aside() {
    std::scoped_lock const lock(line_.mutex_);
    line_.waiting_[number_].aside = true;
    line_.moved_.notify_all();
}

std::unique_ptr<Line::Place> Line::join(std::uint64_t number, bool passes) {
    std::scoped_lock const lock(mutex_);
    if (number <= newest_) return nullptr;
    newest_ = number;
    for (auto& [earlier, waiting] : waiting_) {
        if (waiting.passes) waiting.watch->stop();
    }
    auto watch = std::make_shared<Watch>();
    if (closed_) watch->stop();
    waiting_[number] = {watch, passes, false};
    return std::make_unique<Place>(*this, number, std::move(watch));
}

void Line::close() {
    std::scoped_lock const lock(mutex_);
    closed_ = true;
    for (auto& [number, waiting] : waiting_) waiting.watch->stop();
}

} // namespace cax::serve
