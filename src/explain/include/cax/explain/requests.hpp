#pragma once
// What a person asks of the explainer: options as they are typed (names of tensors and families, words, --published),
// described once for command lines, settings and other languages, and what they mean once the problem is known. A
// request is described, filled in, then resolved against a problem; the options in it are then ready for the library.
#include "cax/explain/answer.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/explain/ordering.hpp"
#include "cax/explain/subset.hpp"
#include "cax/policies/rollout.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cax {

class OptionTable;

/// Which decisions of an episode, and how the policy takes them.
struct DecisionChoice {
    std::vector<std::size_t> steps; ///< these, from 0, ascending; empty = all
    std::uint64_t first = 0;        ///< or the first so many; 0 = all
    EncodeMode encode = EncodeMode::once;

    [[nodiscard]] StateOptions state_options() const { return {.encode = encode}; }
    /// As far as the last chosen decision, and no further.
    [[nodiscard]] RolloutOptions rollout_options() const;
    /// The chosen steps of an episode of so many decisions. Error if it has not all of them.
    [[nodiscard]] Result<std::vector<std::size_t>> of(std::size_t decisions) const;
    /// The chosen decisions of the episodes, one after another. Error names the instance.
    [[nodiscard]] Result<std::vector<Decision>> of(std::span<Episode const> episodes) const;
};
/// --step, --steps, --encode.
void describe(OptionTable& table, DecisionChoice& choice);

struct AttributionRequest {
    AttributionOptions attribution;
    MultiplierOptions multipliers;
    std::string lambda; ///< multipliers that are given: "capacity=1,spatial=0.2"
    bool paper = false;
    bool published = false;

    /// Error if options contradict each other, or a family does not exist.
    [[nodiscard]] Result<void> resolve(ProblemInfo const& info);
};
void describe(OptionTable& table, AttributionRequest& request);

struct CounterfactualRequest {
    CounterfactualRequest() { options.finder = FlipSearch::guided; }

    AnswerOptions options;
    bool finder_given = false;        ///< options.finder is what somebody asked for
    bool wants_sampler = false;       ///< an option that only the sampler has; decides if nobody chose a finder
    std::vector<std::string> budgets; ///< "locs=0.1"
    std::vector<std::string> boxes;   ///< "locs=0:1"
    std::vector<std::string> fixed;   ///< "locs"
    std::map<std::string, std::optional<double>, std::less<>> bounds; ///< by ProblemInfo::bound_option
    bool primitive = true; ///< in effect only where tensors follow from others
    bool paper = false;
    bool published = false;
    bool per_family = false;
    bool wachter = false;

    /// Error if options contradict each other, or name what the problem does not have.
    [[nodiscard]] Result<void> resolve(ProblemInfo const& info);
    ProblemInfo const* problem = nullptr; ///< once resolved
};
void describe(OptionTable& table, CounterfactualRequest& request);
/// --fleet, --horizon, ...: the scarce resource of every problem.
void describe_bounds(OptionTable& table, CounterfactualRequest& request);

struct SubsetRequest {
    SubsetOptions subset;
    std::vector<std::string> orders{"proxy"};
    std::uint64_t points = OrderingOptions{}.points;
    bool exact = false;
    std::uint64_t exact_budget = 20'000; ///< of forward passes, if exact
    bool paper = false;
    bool published = false;

    /// Which orders these are. Error names one that does not exist.
    [[nodiscard]] Result<std::vector<Ordering>> resolve(ProblemInfo const& info);
};
void describe(OptionTable& table, SubsetRequest& request);

} // namespace cax
