#pragma once
// Problems that are wrong or poor on purpose and in no registry: what tests of every problem have to cope with, or to
// notice. Both have CVRP's instances.
#include "cax/problems/problem.hpp"

namespace cax::test {

/// CVRP without any capability: it can be read, driven, checked and shown, and that is all. It is called "cvrp", so
/// that policies of CVRP drive it.
[[nodiscard]] Problem const& bare_problem();

/// OVRP whose solvers believe that vehicles come home: they minimise another length than the one that counts.
[[nodiscard]] Problem const& misled_problem();

} // namespace cax::test
