#include "cax/study/statistics.hpp"

#include <cassert>

namespace cax::study {

void Confusion::add(std::size_t reference, std::optional<std::size_t> predicted) {
    assert(reference < labels_ && predicted.value_or(0) < labels_);
    ++counts_[reference * (labels_ + 1) + predicted.value_or(labels_)];
}

std::size_t Confusion::count(std::size_t reference, std::size_t predicted) const {
    assert(reference < labels_ && predicted <= labels_);
    return counts_[reference * (labels_ + 1) + predicted];
}

std::size_t Confusion::reference_count(std::size_t label) const {
    std::size_t sum = 0;
    for (std::size_t column = 0; column <= labels_; ++column) sum += count(label, column);
    return sum;
}

std::size_t Confusion::predicted_count(std::size_t column) const {
    std::size_t sum = 0;
    for (std::size_t row = 0; row < labels_; ++row) sum += count(row, column);
    return sum;
}

std::size_t Confusion::total() const {
    std::size_t sum = 0;
    for (std::size_t const each : counts_) sum += each;
    return sum;
}

std::optional<double> Confusion::agreement() const {
    std::size_t const cases = total();
    if (cases == 0) return std::nullopt;
    std::size_t right = 0;
    for (std::size_t label = 0; label < labels_; ++label) right += count(label, label);
    return static_cast<double>(right) / static_cast<double>(cases);
}

std::optional<double> Confusion::kappa() const {
    auto const observed = agreement();
    if (!observed) return std::nullopt;
    // Whole numbers decide whether chance is always right: both sides then name one label, the same one.
    std::size_t matches = 0;
    for (std::size_t label = 0; label < labels_; ++label) matches += reference_count(label) * predicted_count(label);
    std::size_t const cases = total();
    if (matches == cases * cases) return std::nullopt;
    double const chance = static_cast<double>(matches) / static_cast<double>(cases * cases);
    return (*observed - chance) / (1 - chance);
}

std::optional<std::size_t> Confusion::majority() const {
    if (total() == 0) return std::nullopt;
    std::size_t best = 0;
    for (std::size_t label = 1; label < labels_; ++label) {
        if (reference_count(label) > reference_count(best)) best = label;
    }
    return best;
}

} // namespace cax::study
