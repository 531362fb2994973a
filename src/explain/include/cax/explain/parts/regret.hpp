#pragma once
// Where the gap of the plan went: what each decision cost, proved where an exact method reaches, and what should have
// been done instead.
#include "cax/explain/choice.hpp"
#include "cax/explain/part_list.hpp"
#include "cax/oracle/regret.hpp"

#include <array>

namespace cax {

struct StepRegret {
    DecisionRegret found;
    // If the decision costs something:
    std::optional<Choice> better;  ///< what the best plan does here
    std::optional<KnownPlan> after; ///< the best plan known that begins like this one, the decision included
    std::string consequence;       ///< what happens because of it, from the difference of the two plans
    std::size_t changes = 0;       ///< decisions of the better plan that are not this plan's
};

namespace parts {

struct Regret : PartDefaults {
    static constexpr std::string_view name = "regret";
    static constexpr std::string_view group = "Regret";
    static constexpr std::array<std::string_view, 1> record_fields{"regret"};
    using Options = RegretOptions;
    using Request = Options;
    using Finding = StepRegret;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const&) { return request; }
    /// The regret of the whole plan, of which each step has its part.
    static Result<void> prepare(ExplanationContext& context);
    static Result<std::optional<Finding>> explain(ExplanationContext const& context, Step const& so_far);
    static void add_lines(StepWords const& words, Step const& step, Lines& lines);
};

} // namespace parts
} // namespace cax
