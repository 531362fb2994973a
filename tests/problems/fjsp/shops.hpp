#pragma once
// Small job shops and episodes for the tests of this folder.
#include "cax/problems/fjsp/instance.hpp"
#include "cax/problems/registry.hpp"

namespace cax::test {

inline Problem const& fjsp_problem() { return *find_problem("fjsp"); }

/// Precondition: valid data.
std::shared_ptr<fjsp::Instance const> make_shop(fjsp::Data data);

/// Two machines, three jobs, padded to seven operations. Alternatives are (machine, time), from 0:
///   job 0: operation 0 on 0 (3) or 1 (5), operation 1 on 0 (2)
///   job 1: operation 2 on 1 (4)
///   job 2: operation 3 on 0 (1), operation 4 on 0 (6) or 1 (2)
fjsp::Data two_machines_three_jobs();

/// Action that puts the next operation of a job on a machine, both from 0.
std::size_t put(fjsp::Instance const& instance, std::size_t job, std::size_t machine);

/// A random instance of up to 6 jobs of up to 4 operations; every 16th seed gives 10 jobs of up to 6.
std::shared_ptr<fjsp::Instance const> random_shop(std::uint64_t seed, bool decimal_times);

/// One of the allowed actions. Precondition: there is one.
std::size_t random_allowed(State const& state, Rng& rng);
std::vector<std::size_t> random_episode(State& state, Rng& rng);

} // namespace cax::test
