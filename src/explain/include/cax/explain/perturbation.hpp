#pragma once
// Changes to an instance: what may move and how far, the random ones that the search for counterfactuals draws, and
// how large a change is. A change is a Features with the shapes of the state's tensors, zero where nothing moves.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cax {

enum class Norm { l1, l2, linf };
[[nodiscard]] NameTable<Norm> names_of(Norm);

/// Values that an entry may take. An entry that is outside already may only move back.
struct Box {
    double low = 0;
    double high = 0;
};

struct PerturbationOptions {
    std::vector<std::optional<double>> budgets; ///< per tensor: how far an entry may move; missing = the problem's own
    /// Per tensor: 1 = not touched at all. One with budget 0 still takes its turn among the shots, as in the paper.
    std::vector<std::uint8_t> fixed;
    std::vector<std::optional<Box>> boxes; ///< per tensor
    bool joint = false;                    ///< every shot moves all tensors, not one in turn
    bool integer = false;                  ///< changes are multiples of the tensor's grain
    std::size_t sparse = 0;                ///< at most so many entries move in a shot; 0 = all
    bool toggles = false; ///< sparse: every other entry that moves falls to 0 (what is there goes away)
    std::uint64_t seed = 0;
};

/// Error if a list has not one entry per tensor, or a budget or a box makes no sense.
[[nodiscard]] Result<void> check_perturbation(ProblemInfo const& info, PerturbationOptions const& options);

/// Draws the changes of one decision's shots. Shot s moves tensor s mod (number of tensors that are not fixed); every
/// entry gets Gaussian noise with a standard deviation of a third of the budget, clipped to the budget and to the box.
/// Values depend on (seed, instance, step, shot) alone.
class Perturbation {
public:
    /// Precondition: check_perturbation(). `from`: the values that a change starts from. `movable`: one list per
    /// tensor, 0 for entries that stay (empty = all move).
    Perturbation(Instance const& instance, Features from, std::vector<std::vector<std::uint8_t>> movable,
                 PerturbationOptions const& options);

    /// Precondition: instance, step and shot fit into 32 bits.
    [[nodiscard]] Features shot(std::size_t instance, std::size_t step, std::size_t shot) const;
    /// Moves every entry back into budget and box.
    void clip(Features& change) const;
    /// May this entry move by so much?
    [[nodiscard]] bool allows(std::size_t tensor, std::size_t index, double by) const;
    /// The same, or is it one grain where the problem's own budget is less? Whole units are what an instance can have.
    [[nodiscard]] bool allows_grain(std::size_t tensor, std::size_t index, double by) const;
    [[nodiscard]] double budget(std::size_t tensor) const { return budgets_[tensor]; }
    [[nodiscard]] double grain(std::size_t tensor) const { return grains_[tensor]; }
    [[nodiscard]] bool movable(std::size_t tensor, std::size_t index) const;
    /// Changes are whole numbers of grains.
    [[nodiscard]] bool whole_grains() const { return options_.integer; }
    [[nodiscard]] Features const& from() const { return from_; }

    /// How far down and up an entry may move.
    [[nodiscard]] std::pair<double, double> limits(std::size_t tensor, std::size_t index) const;

private:
    [[nodiscard]] double clipped(std::size_t tensor, std::size_t index, double by) const;
    void draw_dense(Feature& noise, std::size_t tensor, Rng& rng) const;
    void draw_sparse(Features& change, std::vector<std::size_t> const& tensors, Rng& rng) const;

    Features from_;
    std::vector<std::vector<std::uint8_t>> movable_;
    std::vector<double> budgets_;
    std::vector<double> grains_;
    std::vector<std::optional<Box>> boxes_;
    std::vector<std::size_t> turns_; ///< tensors that are not fixed
    PerturbationOptions options_;
};

/// The node to which an entry of a tensor of this shape belongs.
[[nodiscard]] std::size_t node_of(TensorInfo const& tensor, Shape const& shape, std::size_t index);

/// Zeros in the shapes of `like`.
[[nodiscard]] Features zero_change(Features const& like);
[[nodiscard]] double norm_of_change(Features const& change, Norm norm);
[[nodiscard]] std::size_t changed_entries(Features const& change);

/// |zeta| of every family's tensors under a norm; with `per_dimension`, divided by the number of the family's entries.
[[nodiscard]] std::vector<double> family_masses(ProblemInfo const& info, Features const& change, Norm norm = Norm::l1,
                                                bool per_dimension = false);
/// The family with the largest mass, first on ties; nothing if all are 0.
[[nodiscard]] std::optional<std::size_t> heaviest_family(std::vector<double> const& masses);

/// What "large" means for a tensor of this instance: the spread of its values, or their size where all are equal, or
/// the grain where all are 0. Changes divided by it can be compared between tensors.
[[nodiscard]] std::vector<double> tensor_scales(Instance const& instance);
/// Sum of |entry| / scale of its tensor.
[[nodiscard]] double relative_size(Features const& change, std::vector<double> const& scales);

} // namespace cax
