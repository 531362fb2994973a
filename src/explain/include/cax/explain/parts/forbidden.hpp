#pragma once
// Actions that one rule alone kept the policy from.
#include "cax/explain/forbidden.hpp"
#include "cax/explain/part_list.hpp"

namespace cax {

struct StepForbidden {
    Forbidden what;
    std::string words; ///< of the action
};

namespace parts {

struct Forbidden : PartDefaults {
    static constexpr std::string_view name = "forbidden";
    static constexpr std::optional<PartCommand> command = PartCommand{
        "Which actions one rule alone kept the policy from",
        "Lifts one broken rule at a time from an action that is not allowed and asks the policy how probable the action "
        "would then be. Names the rule, what the action would use of it and its limit.",
        "  cax forbidden cvrptw.safetensors town.json --steps 5\n"
        "  cax forbidden op.safetensors four.json --json forbidden.json"};
    using Options = NoOptions;
    using Request = NoOptions;
    using Finding = std::vector<StepForbidden>;

    static Result<Options> resolve(Request&, ProblemInfo const&) { return Options{}; }
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    static void add_lines(StepWords const& words, Step const& step, Lines& lines);
};

} // namespace parts
} // namespace cax
