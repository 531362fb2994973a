#pragma once
// A whole explanation as a person asks for it: the requests of all parts, and which decisions.
#include "cax/explain/explanation.hpp"
#include "cax/explain/requests.hpp"

namespace cax {

struct ExplanationRequest {
    DecisionChoice decisions;
    ChosenParts parts = ChosenParts::usual();
    Parts::Requests requests;

    template <class Part> [[nodiscard]] auto& of() { return std::get<Parts::index<Part>>(requests); }

    /// Error as those of the parts.
    [[nodiscard]] Result<ExplainOptions> resolve(ProblemInfo const& info);
};
void describe(OptionTable& table, ExplanationRequest& request);

/// What is asked of one part: its own options, and which decisions.
void describe_parts(OptionTable& table, ChosenParts& parts);

} // namespace cax
