#pragma once
// What a schedule's prefix leaves behind: which operations are placed, and when jobs and machines are free again.
#include "cax/problems/fjsp/instance.hpp"

namespace cax::fjsp {

struct Prefix {
    Schedule schedule;                ///< of the operations that were dispatched
    std::vector<std::size_t> next;    ///< per job: the first operation that was not; one past its last if none is left
    std::vector<double> job_free;     ///< per job
    std::vector<double> machine_free; ///< per machine
    double clock = 0;                 ///< nothing else can start before
};

/// Plays the actions. Error if one of them is out of range or not allowed where it is taken.
[[nodiscard]] Result<Prefix> play(Instance const& instance, std::span<std::size_t const> actions);

} // namespace cax::fjsp
