#pragma once
// Whose data, if wrong, would upset this decision? The numbers of one constraint family that are still open (customers
// not visited, operations not scheduled, and the family's number of the state: load, clock, length so far) get noise of
// a stated relative size, the past stays as it is, the rules are applied to the wrong numbers, and the policy is asked
// again. The score s_k of a family is the mean total-variation distance between the old and the new distribution over
// actions, over all sizes and shots; its flip rate is how often the most probable action is another one (a chosen
// action that becomes forbidden is a flip). Cost: sizes x shots x families forward passes, and one gradient.
//
// Asking is dear, drawing is cheap: so many more are drawn than asked. The gradient of the chosen action's
// log-probability foretells how far each would move the decision; in that order they are cut into as many strata of
// equal size as there are shots, and one of each, drawn at random, is asked (double sampling). What the gradient
// foretells wrongly costs precision and never makes the mean wrong. A policy without gradients is asked twice as many,
// at random.
//
// How a state with the same past and other data is made: not by changing the instance and repeating the prefix, which
// would move clocks and loads and is often impossible, but by Noise::disturbed() (problems/noise.hpp): the state is
// taken over as it stands onto an instance in which only open entries differ, and its mask is computed anew. Shots
// after which nothing is allowed are dropped and counted.
//
// What an answer lets you conclude: how much this policy's decision depends on these data being right, at errors of
// this size. Scores of families are nearly always in the same order (places first), so the order says little; what is
// unusual here, compared with the same policy's other decisions, does: see sensitivity_reference.hpp.
#include "cax/explain/sensitivity_interval.hpp"
#include "cax/policies/rollout.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cax {

enum class SensitivityStatus {
    computed,
    no_choice,   ///< only one action is allowed: noise could only show rules at work
    unsupported, ///< the problem has no noise
};
[[nodiscard]] std::string_view name_of(SensitivityStatus status);

struct SensitivityOptions {
    std::vector<double> sizes = {0.1, 0.4}; ///< in standard deviations of the generator
    std::size_t shots = 0;                  ///< per size and family, that the policy is asked; 0 = usual_shots()
    std::size_t pool = 8;                   ///< drawn for each of them; 1 = what is drawn is asked
    std::uint64_t seed = 0;
    std::size_t first_instance = 0; ///< added to Decision::instance where random numbers are named
};
/// As many questions per size whatever the problem, 18, shared by its families: fewer families, more shots of each.
[[nodiscard]] std::size_t usual_shots(std::size_t families);
/// Error if there is no size, a size is not positive, or there are too many of them or of shots.
[[nodiscard]] Result<void> check_options(SensitivityOptions const& options);

struct FamilySensitivity {
    double score = 0;      ///< s_k, 0 to 1
    double error = 0;      ///< the longer side of its interval: score +- error is never less than the interval
    double share = 0;      ///< s_k / sum of all; 0 if all are 0
    double flip_rate = 0;  ///< f_k, 0 to 1, over the same shots
    double flip_error = 0; ///< the longer side of its interval
    std::vector<double> flip_rate_by_size;
    SensitivityInterval score_interval = {0, 1}; ///< where the mean over all draws is, with confidence 95 %
    SensitivityInterval flip_interval = {0, 1};
    std::size_t asked = 0;   ///< shots that the policy has seen
    std::size_t dropped = 0; ///< draws after which nothing was allowed, or that made no instance
};

struct Sensitivity {
    SensitivityStatus status = SensitivityStatus::computed;
    std::size_t instance = 0; ///< as in the decision
    std::size_t step = 0;
    std::size_t action = 0;
    std::vector<double> sizes;
    std::size_t shots = 0;                   ///< per size and family
    std::size_t pool = 1;                    ///< draws for each of them
    std::vector<FamilySensitivity> families; ///< empty unless computed
    std::size_t forward_passes = 0;

    [[nodiscard]] std::vector<double> shares() const;
};

/// Random numbers depend on the seed, the decision's instance and step, the family, the size and the draw alone. Error as
/// check_options(), and if the problem's generator makes no instances of this size.
[[nodiscard]] Result<Sensitivity> sensitivity(Policy const& policy, Decision const& decision,
                                              SensitivityOptions const& options = {});

/// Half the sum of |p - q| over all actions: 0 for equal distributions, 1 where nothing of one is in the other.
/// Precondition: as many actions in both.
[[nodiscard]] double total_variation(LogProbs const& p, LogProbs const& q);

} // namespace cax
