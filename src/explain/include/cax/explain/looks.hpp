#pragma once
// A test of "the probability of success is at least `target`" that may stop early. Trials come one by one; with f
// failures so far it accepts at trial looks[f], and at no other moment. The looks are chosen so that a probability of
// `target` is accepted with probability at most alpha over all looks together: every look spends at most two thirds of
// what those before it left of alpha, all counted exactly (no bound on the binomial is used).
//
// Why that holds for smaller probabilities, too: whether a sequence of trials is accepted can only change from no to
// yes when a failure in it becomes a success (failures come later, looks of fewer failures are earlier). So the chance
// of acceptance grows with the probability of success, and at every p <= target it is at most alpha. Stopping early for
// any other reason can only turn an acceptance into a rejection.
//
// lower_bound(f): the p at which acceptance no later than looks[f] has probability alpha. With acceptances ordered by
// how early they come this is the exact bound of a test that stops: for every p, the chance to be accepted with a bound
// above p is at most alpha. Proof: let f* be the last look with P_p(accepted by it) < alpha; a bound above p means
// acceptance no later than f*.
#include <cstddef>
#include <vector>

namespace cax {

class LookPlan {
public:
    static constexpr double spends = 2.0 / 3; ///< of what is left

    /// Preconditions: 0 < target < 1, 0 < alpha < 1. There may be no look at all if `most` trials are too few.
    LookPlan(double target, double alpha, std::size_t most);

    /// Ascending: with f failures the test accepts at trial looks()[f].
    [[nodiscard]] std::vector<std::size_t> const& looks() const { return looks_; }
    [[nodiscard]] bool accepts(std::size_t failures, std::size_t trials) const {
        return failures < looks_.size() && trials >= looks_[failures];
    }
    /// Of an acceptance with so many failures: not below the target. Precondition: there is such a look.
    [[nodiscard]] double lower_bound(std::size_t failures) const;
    /// The chance to be accepted at looks()[failures] or before.
    [[nodiscard]] double acceptance(double probability, std::size_t failures) const;

private:
    double target_;
    double alpha_;
    std::vector<std::size_t> looks_;
};

} // namespace cax
