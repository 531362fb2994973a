#pragma once
// The two constraint families of the flexible job shop, how tight their rules are for an action, and what feature
// values an instance can have at all.
#include "state.hpp"

namespace cax::fjsp {

/// Precedence: the job's previous operation has finished. Eligibility: the machine is free, and how many others could
/// do it. Waiting: how long it would take.
[[nodiscard]] std::vector<Slack> slacks_of(State const& state, std::size_t action);

/// "put operation 2 of job 3 on machine 4 (takes 7)", counted from 1; "wait".
[[nodiscard]] std::string describe(State const& state, std::size_t action);

struct EnvelopeOptions {
    /// Ask for an eligible machine of scheduled operations too, whose count is 0: the published code's envelope, which
    /// hardly anything passes after the first step.
    bool include_scheduled = false;
};

/// Times of eligible pairs are finite and at least -0.001; every operation that is not padding nor scheduled has at
/// least 0.5 eligible machines. Nothing if all holds, else the first rule that is broken, in words.
[[nodiscard]] std::optional<std::string> envelope_violation(State const& state, Features const& features,
                                                            EnvelopeOptions const& options);

} // namespace cax::fjsp
