// A scan whose acceptances are certified, in stages. Every size first has to keep the decision in a few samples that
// all sizes share. One that does gets an attempt: new samples that nothing before depended on, one by one, until a
// LookPlan accepts or there is little hope. Every attempt of a scan has two thirds of what those before it left of
// delta as its level, so that the first, which is mostly the only one, gets most. Given everything before it, an
// attempt at a size whose probability is below 1 - epsilon succeeds with probability at most its level; so with
// probability 1 - delta none does. What the first stage rejects costs power, never the promise.
#include "subset/subset_scan.hpp"

#include "cax/explain/looks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax {
namespace {

constexpr std::size_t first_stage = 6; ///< samples, all of which have to keep the decision

/// An attempt has little hope once the samples speak four to one for 1 - epsilon against 1 - epsilon / 4.
bool hopeless(double epsilon, std::size_t failures, std::size_t trials) {
    double const kept = static_cast<double>(trials - failures);
    double const lost = static_cast<double>(failures);
    return kept * std::log((1 - epsilon / 4) / (1 - epsilon)) + lost * std::log(0.25) < -std::log(4.0);
}

class StagedScan {
public:
    StagedScan(Preservation& preservation, SubsetRule const& rule, SubsetOptions const& options)
        : preservation_(preservation), rule_(rule), options_(options), shared_(first_stage) {
        std::iota(shared_.begin(), shared_.end(), std::size_t{0});
    }

    SizeTest test(NodeSet const& kept) {
        SizeTest screened;
        if (!may_be_tried(kept, screened) || !keeps_shared(kept, screened)) return screened;
        return attempt(kept, screened);
    }
    [[nodiscard]] double level() const { return level_; }
    [[nodiscard]] double lower_bound() const { return lower_bound_; }
    [[nodiscard]] std::size_t attempts() const { return attempts_; }

private:
    /// Stops at the first sample that loses the decision, which is then the first that the next size is asked about:
    /// one node more seldom helps it.
    bool keeps_shared(NodeSet const& kept, SizeTest& test) {
        auto const loser =
            std::ranges::find_if(shared_, [&](std::size_t sample) { return !survives(kept, sample, test); });
        if (loser == shared_.end()) return true;
        std::rotate(shared_.begin(), loser, loser + 1);
        return false;
    }

    bool survives(NodeSet const& kept, std::size_t sample, SizeTest& test) {
        bool const kept_it = preservation_.ask(kept, std::span(&sample, 1)).front() != 0;
        ++test.samples;
        test.preserved += kept_it ? 1 : 0;
        return kept_it;
    }

    /// Not while most samples that defeated the last attempt still lose the decision.
    bool may_be_tried(NodeSet const& kept, SizeTest& test) {
        std::size_t lost = 0;
        for (std::size_t const sample : defeated_by_) {
            if (2 * lost > defeated_by_.size()) break;
            lost += survives(kept, sample, test) ? 0 : 1;
        }
        return 2 * lost <= defeated_by_.size();
    }

    [[nodiscard]] double next_level() const {
        if (options_.correction == Correction::per_test) return options_.delta;
        double const left = options_.delta * std::pow(1 - LookPlan::spends, attempts_);
        return LookPlan::spends * left;
    }

    /// Where so few samples are allowed that even a size which never loses could not be accepted, it stays screened.
    SizeTest attempt(NodeSet const& kept, SizeTest const& screened) {
        LookPlan const plan(1 - options_.epsilon, next_level(), rule_.samples);
        if (plan.looks().empty()) return screened;
        level_ = next_level();
        ++attempts_;
        SizeTest test;
        std::vector<std::size_t> losers;
        while (losers.size() < plan.looks().size() && !test.accepted) { // one at a time: none is asked in vain
            std::size_t const sample = next_sample_++;
            if (!survives(kept, sample, test)) losers.push_back(sample);
            test.accepted = plan.accepts(losers.size(), test.samples);
            if (hopeless(options_.epsilon, losers.size(), test.samples)) break;
        }
        if (test.accepted) lower_bound_ = plan.lower_bound(losers.size());
        defeated_by_ = std::move(losers);
        return test;
    }

    Preservation& preservation_;
    SubsetRule const& rule_;
    SubsetOptions const& options_;
    std::vector<std::size_t> shared_; ///< samples of the first stage, last losers first
    std::vector<std::size_t> defeated_by_;
    std::size_t next_sample_ = first_stage;
    std::size_t attempts_ = 0;
    double level_ = 0;
    double lower_bound_ = 0;
};

} // namespace

StagedSubset scan_in_stages(Preservation& preservation, SubsetRule const& rule, std::span<std::size_t const> order,
                            SubsetOptions const& options) {
    StagedSubset staged;
    StagedScan scan(preservation, rule, options);
    std::size_t const last = std::min(options.k_max, order.size());
    for (std::size_t size = 1; size <= last && staged.scanned.accepted == 0; ++size) {
        SizeTest test = scan.test(node_set(order.first(size), preservation.nodes()));
        test.size = size;
        staged.scanned.tests.push_back(test);
        if (test.accepted) staged.scanned.accepted = size;
    }
    SizeTest const& shown = staged.scanned.tests.back();
    staged.attempts = scan.attempts();
    staged.level = scan.level();
    staged.observed = {.samples = shown.samples,
                       .preserved = shown.preserved,
                       .rate = static_cast<double>(shown.preserved) / static_cast<double>(shown.samples),
                       .lower_bound = shown.accepted ? scan.lower_bound() : 0,
                       .hoeffding = 0};
    return staged;
}

} // namespace cax
