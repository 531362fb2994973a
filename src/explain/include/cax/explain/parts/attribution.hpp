#pragma once
// The paper's attribution: gradient mass of every constraint family, weighted by its multiplier.
#include "cax/explain/requests.hpp"
#include "cax/explain/part_list.hpp"

namespace cax::parts {

struct Attribution : PartDefaults {
    static constexpr std::string_view name = "attribution";
    static constexpr std::string_view group = "Attribution";
    struct Options {
        AttributionOptions attribution;
        MultiplierOptions multipliers;
    };
    using Request = AttributionRequest;
    using Finding = ScoredAttribution;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const& info);
    /// The multipliers of the instance, which all steps share.
    static Result<void> prepare(ExplanationContext& context);
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    static void add_details(StepWords const& words, Step const& step, std::vector<Sentence>& details);
};

} // namespace cax::parts
