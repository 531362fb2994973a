#pragma once
// What many counterfactual answers say together: how they ended, how large their flips are and what the search cost.
// Answers are added one by one and need not be kept: changed instances are large.
#include "cax/explain/answer.hpp"

#include <map>
#include <vector>

namespace cax {

struct AnswerTally {
    using Statuses = std::map<CounterfactualStatus, std::size_t>; ///< those that occurred
    struct Sizes {
        std::vector<double> l1;
        std::vector<double> entries;

        /// 0 of none.
        [[nodiscard]] double median_l1() const;
        [[nodiscard]] double median_entries() const;
    };

    std::size_t decisions = 0;
    Statuses statuses;
    Statuses sampled_statuses;                   ///< of the flips as they were found
    std::map<std::size_t, std::size_t> families; ///< how often which one was the heaviest of a flip as it was found
    Sizes sampled;
    Sizes refined;
    std::vector<double> shrinkage; ///< l1 sampled / l1 refined
    std::size_t shots = 0;
    std::size_t passing = 0; ///< of the shots: the forward passes of the plain loop
    std::size_t forward_passes = 0;
    std::size_t refine_passes = 0;

    /// Of answers with several flips, the first one counts.
    void add(CounterfactualAnswer const& answer);
    /// So many of something per decision; 0 if there is none.
    [[nodiscard]] double per_cell(std::size_t count) const;
    [[nodiscard]] double passing_share() const; ///< of all shots; 0 if there were none
    [[nodiscard]] double median_shrinkage() const;
};

} // namespace cax
