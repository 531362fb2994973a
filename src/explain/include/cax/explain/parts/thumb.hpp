#pragma once
// Which simple heuristics agree with the policy.
#include "cax/explain/part_list.hpp"
#include "cax/explain/thumb.hpp"

namespace cax::parts {

struct Thumb : PartDefaults {
    static constexpr std::string_view name = "thumb";
    static constexpr std::optional<PartCommand> command = PartCommand{
        "Which simple rules would have decided alike",
        "Compares each decision with the simple rules of the problem, such as going to the nearest customer: which of "
        "them would have taken the same action.",
        "  cax thumb op.safetensors four.json --steps 3\n"
        "  cax thumb op.safetensors four.json --json rules.json"};
    using Options = NoOptions;
    using Request = NoOptions;
    using Finding = cax::Thumb;

    static Result<Options> resolve(Request&, ProblemInfo const&) { return Options{}; }
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
};

} // namespace cax::parts
