#pragma once
// The few nodes that are enough for the decision.
#include "cax/explain/part_list.hpp"
#include "cax/explain/requests.hpp"

namespace cax {

struct StepSubset {
    Subset subset;
    std::vector<std::string> labels; ///< of the subset's nodes
    std::size_t k_max = 0;           ///< the largest size that could be tried
    double epsilon = 0;
    double confidence = 0;
    double level = 0;        ///< alpha of the bounds
    bool guaranteed = false; ///< accepted, and the bound reaches 1 - epsilon: what the paper accepts need not hold
};

namespace parts {

struct Subset : PartDefaults {
    static constexpr std::string_view name = "subset";
    static constexpr std::string_view group = "Sufficient subset";
    struct Options : SubsetOptions {
        /// A person is told what holds, in stages: far fewer passes.
        Options() { accept = Acceptance::certified; }
    };
    struct Request : SubsetRequest {
        Request() { subset = Options(); }
    };
    using Finding = StepSubset;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const& info);
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    static void add_details(StepWords const& words, Step const& step, std::vector<Sentence>& details);
};

} // namespace parts
} // namespace cax
