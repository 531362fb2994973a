#pragma once
// Why this action rather than the next best: whose data decided it.
#include "cax/explain/part_list.hpp"
#include "cax/explain/swap.hpp"

namespace cax {

struct StepSwap {
    Swap swap;
    std::string other_words; ///< what the chosen action is compared with; empty if with nothing
};

namespace parts {

struct Swap : PartDefaults {
    static constexpr std::string_view name = "swap";
    static constexpr std::optional<PartCommand> command = PartCommand{
        "Why this action rather than the next best: whose data decided it",
        "Exchanges the data of one constraint family between the chosen node and the next best one, asks the policy "
        "again, and divides its lead among the families (exact Shapley values, no random numbers). Rules stay as they "
        "are.",
        "  cax swap op.safetensors four.json --steps 3\n"
        "  cax swap op.safetensors four.json --step 1 --other 7\n"
        "  cax swap op.safetensors four.json --json swaps.json"};
    struct Options {
        std::optional<std::uint64_t> other; ///< compared with this action; nothing: with the next best one
    };
    using Request = Options;
    using Finding = StepSwap;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const&) { return request; }
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    static void add_lines(StepWords const& words, Step const& step, Lines& lines);
};

} // namespace parts
} // namespace cax
