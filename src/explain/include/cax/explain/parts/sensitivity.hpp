#pragma once
// Whose data, if wrong, would change the decision, and whether that is unusual for this policy.
#include "cax/explain/part_list.hpp"
#include "cax/explain/sensitivity_reference.hpp"

namespace cax {

struct StepSensitivity {
    Sensitivity found;
    std::vector<double> percentiles;    ///< of the families' shares among the reference decisions; empty without any
    std::optional<std::size_t> unusual; ///< the family with the highest one
};

namespace parts {

struct Sensitivity : PartDefaults {
    static constexpr std::string_view name = "sensitivity";
    static constexpr std::string_view group = "This decision";
    static constexpr std::optional<PartCommand> command = PartCommand{
        "Whose data, if wrong, would upset a decision, and is that unusual",
        "Adds noise to the open data of one constraint family at a time, applies the rules to the wrong data, and "
        "measures how far the policy's probabilities move and how often it decides otherwise. What is unusual is told by "
        "a reference table of the same policy's decisions, measured once and kept in the user's cache.",
        "  cax sensitivity op.safetensors four.json --step 3\n"
        "  cax sensitivity op.safetensors four.json --noise-shots 64 --json sensitivity.json"};
    struct Options {
        SensitivityOptions sampling;
        /// What the decision is compared with; without one nothing is called unusual.
        std::shared_ptr<ReferenceTable const> reference;
    };
    struct Request {
        SensitivityOptions sampling;
        std::uint64_t reference = ReferenceOptions{}.decisions; ///< of the reference table; the front desk makes it
    };
    using Finding = StepSensitivity;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const&) { return Options{request.sampling, {}}; }
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    static void add_lines(StepWords const& words, Step const& step, Lines& lines);
};

} // namespace parts
} // namespace cax
