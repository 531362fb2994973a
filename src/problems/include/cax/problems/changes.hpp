#pragma once
// Changed instances: what a counterfactual asks about. A capability of problems; where it is missing, nothing of an
// instance can be moved, and changed() says so.
#include "cax/problems/problem.hpp"

namespace cax {

/// Which rules changed feature values have to keep: those of the paper, or what its published code makes of them.
enum class Envelope { paper, published };

/// What a change to an instance moves. `features`: the tensors as a policy reads them; one that is derived from others
/// takes its change as an offset. `primitive`: only what the instance really contains, and the rest is derived anew.
enum class ChangeKind { features, primitive };

/// How a person reads and writes the numbers of one feature tensor of an instance.
struct TensorUnits {
    double scale = 1;           ///< shown value = scale * feature value (a demand of 0.25 is 10 of 40)
    double grain = 0;           ///< the smallest step that a person would ask for, as a feature value
    bool whole_numbers = false; ///< the instance holds whole numbers; the published code truncates changed ones
    std::string_view unit;      ///< of the shown value
    /// The numbers are so many times as large as those that policies are trained on: usual budgets and noise grow by
    /// it.
    double stretch = 1;
};

/// One list per feature tensor: 1 for every entry that can be moved.
using Adjustable = std::vector<std::vector<std::uint8_t>>;

/// Preconditions: instances and states belong to the problem; changes have the shapes of the reset state's features.
class Changes {
public:
    virtual ~Changes() = default;
    /// The instance with the features of its reset state moved by `change` (rounded to float32); what derives from them
    /// follows. Entries that are not adjustable are not looked at. Error if there is no such instance.
    [[nodiscard]] virtual Result<InstancePtr> changed(Instance const& instance, Features const& change,
                                                      ChangeKind kind) const = 0;
    /// 0 for what does not exist (a depot's prize, a machine that cannot do the operation) or follows from others.
    [[nodiscard]] virtual Adjustable adjustable(Instance const& instance, ChangeKind kind) const = 0;
    [[nodiscard]] virtual TensorUnits units(Instance const& instance, std::size_t tensor) const = 0;
    /// The arithmetic envelope: why these feature values cannot belong to an instance, or nothing if they can.
    [[nodiscard]] virtual std::optional<std::string> envelope_violation(State const& state, Features const& features,
                                                                        Envelope rules) const = 0;
    /// The tensor whose entries 2n and 2n + 1 say where node n lies; nothing where nodes lie nowhere.
    [[nodiscard]] virtual std::optional<std::size_t> place_tensor() const { return std::nullopt; }
};

[[nodiscard]] Result<InstancePtr> changed(Instance const& instance, Features const& change,
                                          ChangeKind kind = ChangeKind::features);
/// All 0 where the capability is missing.
[[nodiscard]] Adjustable adjustable(Instance const& instance, ChangeKind kind = ChangeKind::features);
/// As they are in the tensor where the capability is missing.
[[nodiscard]] TensorUnits units_of(Instance const& instance, std::size_t tensor);
[[nodiscard]] std::optional<std::string> envelope_violation(State const& state, Features const& features,
                                                            Envelope rules = Envelope::paper);

} // namespace cax
