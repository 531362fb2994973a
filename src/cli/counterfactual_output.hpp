#pragma once
// What `cax counterfactual` shows: cells as sentences, and what they add up to as a table and in numbers.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/answer.hpp"

#include <string>
#include <vector>

namespace cax::cli {

/// "instance 0, step 3: visit customer 6; it would visit customer 12 if" and the changes, a line each.
[[nodiscard]] std::string cell_text(Walk const& walk, CounterfactualAnswer const& found);
/// Families by how little of them flips the step.
[[nodiscard]] std::string families_text(ProblemInfo const& info, std::vector<FamilyAnswer> const& answers);

/// What is added up over cells, so that cells themselves need not be kept.
class CounterfactualTally {
public:
    void add(CounterfactualAnswer const& found);
    [[nodiscard]] Json counts_json() const;
    [[nodiscard]] Json summary_json() const;
    [[nodiscard]] std::string text(ProblemInfo const& info) const;

private:
    struct Kind {
        std::vector<double> l1;
        std::vector<double> entries;
        void add(Flip const& flip);
    };
    std::vector<std::size_t> statuses_ = std::vector<std::size_t>(5);
    std::vector<std::size_t> sampled_statuses_ = std::vector<std::size_t>(5);
    std::vector<std::size_t> families_;
    Kind sampled_;
    Kind refined_;
    std::vector<double> shrinkage_; ///< l1 sampled / l1 refined
    std::size_t cells_ = 0;
    std::size_t shots_ = 0;
    std::size_t passing_ = 0;
    std::size_t forward_passes_ = 0;
    std::size_t refine_passes_ = 0;
};

} // namespace cax::cli
