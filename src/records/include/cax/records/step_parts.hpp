#pragma once
// The parts of an explained step as records, whichever parts there are.
#include "cax/core/json.hpp"
#include "cax/explain/explanation.hpp"

#include <span>

namespace cax::records {

/// A step of an explanation, for those who write it down.
struct StepContext {
    Explanation const& explanation;
    Step const& step;

    [[nodiscard]] Instance const& instance() const { return *explanation.instance; }
    [[nodiscard]] Presentation const& presentation() const { return instance().problem().presentation(); }
    [[nodiscard]] ProblemInfo const& info() const { return instance().problem().info(); }
    /// The actions that led to it.
    [[nodiscard]] std::span<std::size_t const> before() const {
        return std::span(explanation.actions).first(step.step);
    }
    /// {action, words, probability, mark}
    [[nodiscard]] Json choice(Choice const& choice) const;
};

/// One part of the step, by its name: what a result about that part alone says of a decision. Null if it was not asked
/// for. Precondition: there is such a part.
[[nodiscard]] Json part_json(StepContext const& context, std::string_view part);

/// Adds all parts to the record of the step; those that were not asked for are null.
void add_parts(StepContext const& context, Json& step);

} // namespace cax::records
