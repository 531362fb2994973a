#pragma once
// What stands on members of the problem's own Instance: included by the problem's source alone.
#include "../member_capabilities.hpp"
#include "problem.hpp"

namespace cax::table {

/// `Base` is Problem or what a kit makes of it.
template <class I, class Base = Problem> class ProblemOf : public Base {
public:
    using Base::Base;
    [[nodiscard]] Pricing const* pricing() const final { return &pricing_; }
    [[nodiscard]] Questions const* questions() const final { return &questions_; }
    [[nodiscard]] Completions const* completions() const final { return &completions_; }

private:
    [[nodiscard]] InstancePtr build(Numbers numbers) const final { return std::make_shared<I>(std::move(numbers)); }

    class Prices final : public MemberCompletions<I> {
        [[nodiscard]] ActionNumbers numbers(cax::State const& state, std::size_t action) const override {
            return static_cast<State const&>(state).numbers(action);
        }
    };
    MemberPricing<I> const pricing_{};
    MemberQuestions<I> const questions_{};
    Prices const completions_{};
};

} // namespace cax::table
