#pragma once
// Why was that node not chosen, and what would make the policy choose it?
#include "cax/explain/parts/counterfactual.hpp"
#include "cax/problems/presentation.hpp"

namespace cax {

/// Why an action is not in the mask.
struct Refusal {
    std::string reason;
    std::optional<Slack> slack; ///< of the rule that is broken
};

struct StepWhyNot {
    std::size_t node = 0;
    std::string label;
    bool chosen = false;                              ///< it was
    bool favourite = false;                           ///< it is what the policy would do
    std::optional<Refusal> refusal;                   ///< no action that leads there is allowed
    std::optional<Choice> choice;                     ///< else the most probable one
    std::optional<StepCounterfactual> counterfactual; ///< towards it; nothing if it was chosen or refused
};

namespace parts {

struct WhyNot : PartDefaults {
    static constexpr std::string_view name = "why_not";
    static constexpr bool by_default = false;
    static constexpr bool in_parts_option = false;
    struct Options {
        std::string node; ///< as it is called in drawings: "17", "3.2", "depot"; empty: nobody asks
    };
    using Request = Options;
    using Finding = StepWhyNot;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const&) { return request; }
    /// It is wanted if a node is named.
    static Result<void> prepare(ExplanationContext& context);
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    static void add_details(StepWords const& words, Step const& step, std::vector<Sentence>& details);
};

} // namespace parts
} // namespace cax
