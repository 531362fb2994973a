// The twin of allowed/solvers.cpp, with one header across the grain.
#include "cax/solvers/lp.hpp"

#include "cax/problems/problem.hpp"
