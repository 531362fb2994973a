#pragma once
// What stands on members of the problem's own Instance: included by the problem's source alone. Members that it does
// not have are capabilities that the problem does not offer.
#include "../member_capabilities.hpp"
#include "problem.hpp"

namespace cax::table {

template <class I> class TableCompletions final : public MemberCompletions<I> {
    [[nodiscard]] ActionNumbers numbers(cax::State const& state, std::size_t action) const override {
        return static_cast<State const&>(state).numbers(action);
    }
};

/// `Base` is Problem or what a kit makes of it.
template <class I, class Base = Problem> class ProblemOf : public Base {
public:
    using Base::Base;
    [[nodiscard]] Pricing const* pricing() const override {
        if constexpr (HasRelaxation<I>) return the<MemberPricing<I>>();
        return nullptr;
    }
    [[nodiscard]] Questions const* questions() const override {
        if constexpr (AnswersQuestions<I>) return the<MemberQuestions<I>>();
        return nullptr;
    }
    [[nodiscard]] Completions const* completions() const override {
        if constexpr (HasCompletions<I>) return the<TableCompletions<I>>();
        return nullptr;
    }

private:
    [[nodiscard]] InstancePtr build(Numbers numbers) const final { return std::make_shared<I>(std::move(numbers)); }
    /// They hold nothing: one of each is enough.
    template <class Capability> [[nodiscard]] static Capability const* the() {
        static Capability const capability{};
        return &capability;
    }
};

} // namespace cax::table
