#pragma once
// Instances, solutions and states as others write them: JSON values, rl4co's arrays, text formats. Every problem has
// this; files themselves are the business of io.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/problem.hpp"

namespace cax {

/// A text format in which others write this problem's instances.
struct TextFormat {
    std::string_view name;      ///< "solomon"
    std::string_view extension; ///< ".txt"
    bool (*recognises)(std::string_view text);
    Result<InstancePtr> (*read)(std::string_view text, Options const& options);
    Result<std::string> (*write)(Instance const& instance);
};

/// A tensor of the state that repeats entries of a feature tensor: `depot` is the first row of `locs`.
struct TensorCopy {
    std::string_view name;
    std::size_t feature = 0; ///< index into ProblemInfo::tensors
    std::size_t first = 0;   ///< entry of the feature tensor that the copy begins with
};

/// The actions of an episode. With `any_order`, every order of them makes the same solution.
struct ActionPlan {
    std::vector<std::size_t> actions;
    bool any_order = false;
};

/// Preconditions: instances, states and solutions belong to the problem.
class Exchange {
public:
    virtual ~Exchange() = default;
    [[nodiscard]] virtual Result<InstancePtr> from_json(Json const& json) const = 0;
    [[nodiscard]] virtual Json to_json(Instance const& instance) const = 0;
    /// Do these arrays (an rl4co data set) describe this problem?
    [[nodiscard]] virtual bool recognises(NamedTensors const& tensors) const = 0;
    [[nodiscard]] virtual Result<std::vector<InstancePtr>> from_tensors(NamedTensors const& tensors) const = 0;
    /// rl4co's data set of instances of one size; error if the sizes differ.
    [[nodiscard]] virtual Result<NamedTensors> to_tensors(std::span<InstancePtr const> instances) const = 0;
    [[nodiscard]] virtual std::span<TextFormat const> text_formats() const { return {}; }

    /// {"routes": ...}, {"tour": ...}, {"schedule": ...} or {"packing": ...}: the keys of best-known files.
    [[nodiscard]] virtual Json solution_to_json(Instance const& instance, Solution const& solution) const = 0;
    [[nodiscard]] virtual Result<Solution> solution_from_json(Instance const& instance, Json const& json) const = 0;

    /// The episode that makes this solution. Where several do (routes in another order), the one that stays with the
    /// actions `like` the longest. Error if the solution is not valid, or no episode makes it.
    [[nodiscard]] virtual Result<std::vector<std::size_t>> actions(Instance const& instance, Solution const& solution,
                                                                   std::span<std::size_t const> like) const = 0;

    /// An episode that makes this solution, to be imitated. Where several do (routes in another order), one that `rng`
    /// draws; without `rng`, the one in the order of the solution. Neither the solution nor the masks are asked, so an
    /// action may turn out to be forbidden. Error (unsupported) where the problem offers no such episodes.
    [[nodiscard]] virtual Result<ActionPlan> action_plan(Instance const& instance, Solution const& solution,
                                                         Rng* rng) const;

    /// Every tensor of the state under rl4co's name, without the batch dimension. `done` has shape [1].
    [[nodiscard]] virtual NamedTensors tensors(State const& state) const = 0;
    /// Those of them that repeat features (of names that tensors() need not have): they move along, and their gradients
    /// count for the original.
    [[nodiscard]] virtual std::vector<TensorCopy> copies(State const&) const { return {}; }
};

[[nodiscard]] Json to_json(Instance const& instance);
[[nodiscard]] Json solution_to_json(Instance const& instance, Solution const& solution);
[[nodiscard]] Result<Solution> solution_from_json(Instance const& instance, Json const& json);
[[nodiscard]] Result<std::vector<std::size_t>> actions_of(Instance const& instance, Solution const& solution,
                                                          std::span<std::size_t const> like = {});
/// One that `rng` draws, or without it the one in the order of the solution: see Exchange.
[[nodiscard]] Result<ActionPlan> action_plan_of(Instance const& instance, Solution const& solution, Rng* rng = nullptr);
[[nodiscard]] NamedTensors tensors_of(State const& state);

/// The state's tensors with these feature values, everything else as it is: what a policy sees that reads rl4co's
/// names.
[[nodiscard]] TensorObservation observe_tensors(State const& state, Features const& features);
/// A gradient with respect to (some of) these tensors as one with respect to the features; what has none counts as 0.
[[nodiscard]] Features pull_back_tensors(State const& state, TensorObservation const& gradient);

} // namespace cax
