#include "cax/explain/looks.hpp"

#include <algorithm>
#include <cassert>

namespace cax {
namespace {

/// The chances of 0, 1, ... failures of a test that has not been accepted yet, trial by trial.
class Trials {
public:
    Trials(double success, std::size_t most_failures) : success_(success), open_(most_failures + 1) { open_[0] = 1; }

    void next() {
        for (std::size_t f = open_.size(); f-- > 1;) open_[f] = open_[f] * success_ + open_[f - 1] * (1 - success_);
        open_[0] *= success_;
    }
    [[nodiscard]] double open(std::size_t failures) const { return open_[failures]; }
    [[nodiscard]] double accepted() const { return accepted_; }
    void accept(std::size_t failures) {
        accepted_ += open_[failures];
        open_[failures] = 0;
    }

private:
    double success_;
    std::vector<double> open_;
    double accepted_ = 0;
};

} // namespace

LookPlan::LookPlan(double target, double alpha, std::size_t most) : target_(target), alpha_(alpha) {
    assert(target > 0 && target < 1 && alpha > 0 && alpha < 1);
    Trials trials(target, most);
    double to_spend = spends * alpha; // of alpha, by the look that comes next, all before it included
    for (std::size_t n = 1; n <= most; ++n) {
        trials.next();
        if (looks_.size() >= n || trials.accepted() + trials.open(looks_.size()) > to_spend) continue;
        trials.accept(looks_.size());
        looks_.push_back(n);
        to_spend += spends * (alpha - to_spend);
    }
}

double LookPlan::acceptance(double probability, std::size_t failures) const {
    assert(failures < looks_.size());
    Trials trials(probability, failures);
    std::size_t look = 0;
    for (std::size_t n = 1; n <= looks_[failures]; ++n) {
        trials.next();
        if (looks_[look] == n) trials.accept(look++);
    }
    return trials.accepted();
}

double LookPlan::lower_bound(std::size_t failures) const {
    double low = target_; // where acceptance is at most alpha
    double high = 1;
    for (int halving = 0; halving < 60; ++halving) {
        double const middle = (low + high) / 2;
        (acceptance(middle, failures) <= alpha_ ? low : high) = middle;
    }
    return low;
}

} // namespace cax
