#include "subset/subset_scan.hpp"

#include <algorithm>

namespace cax {

using Effort = SubsetTest::Effort;

ScannedSubset scan_order(Preservation& preservation, SubsetRule const& rule, std::span<std::size_t const> order,
                         SubsetOptions const& options) {
    ScannedSubset scanned;
    SubsetTest shared(preservation, rule);
    std::size_t const last = std::min(options.k_max, order.size());
    for (std::size_t size = 1; size <= last; ++size) {
        NodeSet const kept = node_set(order.first(size), preservation.nodes());
        Effort const effort = options.curve || size == last ? Effort::all : Effort::all_if_accepted;
        SizeTest test = options.fidelity.fresh_noise
                            ? SubsetTest(preservation, rule, (size - 1) * rule.samples).run(kept, effort)
                            : shared.run(kept, effort);
        test.size = size;
        scanned.tests.push_back(test);
        if (test.accepted && scanned.accepted == 0) scanned.accepted = size;
        if (scanned.accepted != 0 && !options.curve) break;
    }
    return scanned;
}

namespace {

/// The search's state: what is known so far, and what is left of the budget.
class Search {
public:
    Search(Preservation& preservation, SubsetRule const& rule, std::span<std::size_t const> order, std::size_t known,
           SubsetOptions const& options)
        : preservation_(preservation),
          rule_(rule),
          order_(order),
          known_(known),
          options_(options),
          test_(preservation, rule),
          spent_before_(preservation.forward_passes()) {
        for (std::size_t rank = 0; rank < known; ++rank) best_.push_back(rank);
    }

    ExactSubset run();

private:
    enum class Answer { passes, fails, out_of_budget };

    [[nodiscard]] std::size_t spent() const { return preservation_.forward_passes() - spent_before_; }
    /// Subsets are lists of ranks: places in the order, ascending.
    [[nodiscard]] std::vector<std::size_t> nodes_of(std::vector<std::size_t> const& ranks) const;
    Answer ask(std::vector<std::size_t> const& ranks);
    void drop_unneeded();
    Answer try_size(std::size_t size);

    Preservation& preservation_;
    SubsetRule const& rule_;
    std::span<std::size_t const> order_;
    std::size_t known_;
    SubsetOptions const& options_;
    SubsetTest test_;
    std::size_t spent_before_;
    std::vector<std::size_t> best_; ///< ranks; empty = none known
    ExactSubset result_;
};

std::vector<std::size_t> Search::nodes_of(std::vector<std::size_t> const& ranks) const {
    std::vector<std::size_t> nodes;
    for (std::size_t const rank : ranks) nodes.push_back(order_[rank]);
    return nodes;
}

Search::Answer Search::ask(std::vector<std::size_t> const& ranks) {
    if (spent() >= options_.exact_budget) return Answer::out_of_budget;
    ++result_.subsets_tested;
    auto const kept = node_set(nodes_of(ranks), preservation_.nodes());
    return test_.run(kept, Effort::verdict).accepted ? Answer::passes : Answer::fails;
}

/// A cheaper upper bound before the long part: leaves out, least important first, every node that is not missed.
void Search::drop_unneeded() {
    for (std::size_t i = best_.size(); i-- > 0 && best_.size() > 1;) {
        auto without = best_;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        if (ask(without) == Answer::passes) best_ = without;
    }
}

/// The next subset of as many ranks below `count`, in lexicographic order; false after the last.
bool advance(std::vector<std::size_t>& ranks, std::size_t count) {
    for (std::size_t i = ranks.size(); i-- > 0;) {
        if (ranks[i] + (ranks.size() - i) >= count) continue;
        ++ranks[i];
        for (std::size_t j = i + 1; j < ranks.size(); ++j) ranks[j] = ranks[j - 1] + 1;
        return true;
    }
    return false;
}

/// All subsets of one size, those of important nodes first. The first of them is a prefix, which the scan has tested.
Search::Answer Search::try_size(std::size_t size) {
    std::vector<std::size_t> ranks(size);
    for (std::size_t i = 0; i < size; ++i) ranks[i] = i;
    while (advance(ranks, order_.size())) {
        Answer const answer = ask(ranks);
        if (answer == Answer::passes) best_ = ranks;
        if (answer != Answer::fails) return answer;
    }
    return Answer::fails;
}

ExactSubset Search::run() {
    result_.empty_suffices = ask({}) == Answer::passes;
    if (known_ != 1) {
        drop_unneeded();
        std::size_t const largest = std::min(options_.k_max, order_.size());
        while (result_.size_at_least < (best_.empty() ? largest + 1 : best_.size())) {
            if (try_size(result_.size_at_least) != Answer::fails) break;
            ++result_.size_at_least;
        }
        result_.proven = best_.empty() ? result_.size_at_least > largest : best_.size() == result_.size_at_least;
    } else {
        result_.proven = true; // nothing is smaller than one node
    }
    result_.forward_passes = spent();
    result_.found = !best_.empty();
    if (!result_.found) return result_;
    result_.nodes = nodes_of(best_);
    auto const kept = node_set(result_.nodes, preservation_.nodes());
    SizeTest const own = test_.run(kept, Effort::all);
    result_.own = preserved_share(own.preserved, own.samples, rule_.level);
    // One subset, chosen before these samples were drawn: a single test, so delta is not divided.
    SizeTest const fresh = SubsetTest(preservation_, rule_, fresh_samples).run(kept, Effort::all);
    result_.fresh = preserved_share(fresh.preserved, fresh.samples, options_.delta);
    return result_;
}

} // namespace

ExactSubset search_subsets(Preservation& preservation, SubsetRule const& rule, std::span<std::size_t const> order,
                           std::size_t known, SubsetOptions const& options) {
    return Search(preservation, rule, order, known, options).run();
}

} // namespace cax
