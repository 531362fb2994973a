#pragma once
// Which simple heuristics agree with the policy.
#include "cax/explain/part_list.hpp"
#include "cax/explain/thumb.hpp"

namespace cax::parts {

struct Thumb : PartDefaults {
    static constexpr std::string_view name = "thumb";
    using Options = NoOptions;
    using Request = NoOptions;
    using Finding = cax::Thumb;

    static Result<Options> resolve(Request const&, ProblemInfo const&) { return Options{}; }
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
};

} // namespace cax::parts
