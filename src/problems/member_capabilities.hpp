#pragma once
// Capabilities of a problem whose instances and states carry the work as members: thin adapters from the seam's
// interfaces to `I` (the problem's Instance) and `S` (its State). Preconditions as in the interfaces.
#include "cax/problems/changes.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"

namespace cax {

// Which capabilities have their members in an Instance `I`. One that lacks some is still read, solved and explained.
template <class I>
concept HasRelaxation = requires(I const& each) {
    each.arc_program();
}
|| requires(I const& each) { each.relaxation(); };
template <class I>
concept AnswersQuestions = requires(I const& each, Question const& question, SearchOptions const& options) {
    each.decision_model(question, Rounding::strict);
    each.check_answer(Solution{}, question);
    each.search(options);
};
template <class I>
concept HasCompletions = requires(I const& each, CompletionRequest const& request) {
    each.completions(request);
};

template <class I, class S> class MemberChanges final : public Changes {
public:
    [[nodiscard]] Result<InstancePtr> changed(Instance const& instance, Features const& change,
                                              ChangeKind kind) const override {
        return static_cast<I const&>(instance).changed(change, kind);
    }
    [[nodiscard]] Adjustable adjustable(Instance const& instance, ChangeKind kind) const override {
        return static_cast<I const&>(instance).adjustable(kind);
    }
    [[nodiscard]] TensorUnits units(Instance const& instance, std::size_t tensor) const override {
        return static_cast<I const&>(instance).units(tensor);
    }
    [[nodiscard]] std::optional<std::string> envelope_violation(State const& state, Features const& features,
                                                                Envelope rules) const override {
        return static_cast<S const&>(state).envelope_violation(features, rules);
    }
};

template <class I> class MemberPricing final : public Pricing {
public:
    [[nodiscard]] Result<LinearProgram> relaxation(Instance const& instance) const override {
        if constexpr (over_arcs)
            return written_out_if_small(static_cast<I const&>(instance).arc_program());
        else
            return static_cast<I const&>(instance).relaxation();
    }
    [[nodiscard]] std::optional<ArcProgram> arcs(Instance const& instance) const override {
        if constexpr (over_arcs) return static_cast<I const&>(instance).arc_program();
        return std::nullopt;
    }
    [[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian(Instance const& instance) const override {
        if constexpr (requires(I const& each) { each.lagrangian(); })
            return static_cast<I const&>(instance).lagrangian();
        return nullptr;
    }

private:
    static constexpr bool over_arcs = requires(I const& each) { each.arc_program(); };
};

template <class I> class MemberQuestions final : public Questions {
public:
    [[nodiscard]] Result<DecisionModel> decision_model(Instance const& instance, Question const& question,
                                                       Rounding rounding) const override {
        return static_cast<I const&>(instance).decision_model(question, rounding);
    }
    [[nodiscard]] CheckReport check_answer(Instance const& instance, Solution const& solution,
                                           Question const& question) const override {
        return static_cast<I const&>(instance).check_answer(solution, question);
    }
    [[nodiscard]] Result<SearchResult> search(Instance const& instance, SearchOptions const& options) const override {
        return static_cast<I const&>(instance).search(options);
    }
    [[nodiscard]] std::optional<std::vector<std::size_t>> improved_episode(Instance const& instance,
                                                                           std::span<std::size_t const> actions,
                                                                           std::uint64_t iterations,
                                                                           Rng& rng) const override {
        if constexpr (requires(I const& each) { each.improved_episode(actions, iterations, rng); })
            return static_cast<I const&>(instance).improved_episode(actions, iterations, rng);
        return std::nullopt;
    }
    [[nodiscard]] double cost_grain(Instance const& instance) const override {
        if constexpr (requires(I const& each) { each.cost_grain(); })
            return static_cast<I const&>(instance).cost_grain();
        return 0;
    }
};

template <class I> class MemberCompletions : public Completions {
public:
    [[nodiscard]] Result<std::vector<Completion>> completions(Instance const& instance,
                                                              CompletionRequest const& request) const final {
        return static_cast<I const&>(instance).completions(request);
    }
    [[nodiscard]] std::optional<VehicleModel> vehicle_model(Instance const& instance) const final {
        if constexpr (requires(I const& each) { each.vehicle_model(); })
            return static_cast<I const&>(instance).vehicle_model();
        return std::nullopt;
    }
};

} // namespace cax
