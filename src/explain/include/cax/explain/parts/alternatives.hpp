#pragma once
// Every action of a decision: what forbids it, how probable it is, and what it costs.
#include "cax/explain/alternatives.hpp"
#include "cax/explain/part_list.hpp"

namespace cax::parts {

struct Alternatives : PartDefaults {
    static constexpr std::string_view name = "alternatives";
    static constexpr std::string_view group = "This decision";
    static constexpr std::optional<PartCommand> command = PartCommand{
        "Every action of a decision: allowed or forbidden by which rule, how probable, and what it costs",
        "For each decision a table of all actions. A cost is that of the whole plan if the action is taken and the rest is "
        "done well: proved by an exact method, found by a search, or the policy's own completion; each says which. A "
        "regret is given only where costs are proved.",
        "  cax alternatives op.safetensors four.json --step 3\n"
        "  cax alternatives cvrptw.safetensors town.json --step 1 --regret search --search-work 2e4 --json prices.json"};
    using Options = PricingOptions;
    using Request = Options;
    using Finding = cax::Alternatives;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const&) { return request; }
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    /// What was found after a step is a completion of that step's action, too.
    static void finish(ExplanationContext const& context, std::vector<Step>& steps);
    static void add_lines(StepWords const& words, Step const& step, Lines& lines);
};

} // namespace cax::parts
