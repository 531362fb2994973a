#pragma once
// Wrong data: a state as it would look if the numbers of one constraint family that still matter were not quite what
// they are. What has been done stays as it is (places visited, operations that run); what is open is wrong; and the
// rules are applied to the wrong numbers, so that an action can become forbidden. A capability of problems; where it is
// missing, disturbed() says so.
//
// Sizes are relative: 1 is one standard deviation of what the problem's generator draws for instances of this size.
#include "cax/core/rng.hpp"
#include "cax/problems/problem.hpp"

namespace cax {

/// What a relative size of 1 means for one kind of number.
struct NoiseUnit {
    std::string name; ///< of the feature tensor and, where it has several, its component; or of a number of the state
    std::size_t family = 0;
    double deviation = 0; ///< one standard deviation, as a feature value; 0 = these numbers never vary
};

/// Preconditions: instances and states belong to the problem, `family` is one of its families.
class Noise {
public:
    virtual ~Noise() = default;
    /// Error if the generator makes no instances of this size.
    [[nodiscard]] virtual Result<std::vector<NoiseUnit>> noise_units(Instance const& instance) const = 0;
    /// A state of another instance with the same past. Every number that is drawn comes from `rng`; equal streams give
    /// equal states. The result may allow no action at all. Error if the numbers make no instance.
    [[nodiscard]] virtual Result<StatePtr> disturbed(State const& state, std::size_t family, double size,
                                                     Rng& rng) const = 0;
    /// The same with fresh draws of the generator in place of noise: what this family's open numbers might have been. A
    /// number of the state is that of some moment of an episode of random allowed actions. By default unsupported.
    [[nodiscard]] virtual Result<StatePtr> redrawn(State const& state, std::size_t family, Rng& rng) const;
};

/// Errors (unsupported) where the problem has no noise.
[[nodiscard]] Result<std::vector<NoiseUnit>> noise_units_of(Instance const& instance);
[[nodiscard]] Result<StatePtr> disturbed(State const& state, std::size_t family, double size, Rng& rng);
[[nodiscard]] Result<StatePtr> redrawn(State const& state, std::size_t family, Rng& rng);

} // namespace cax
