// The twin of allowed/problems.cpp, with one header across the grain.
#include "cax/problems/problem.hpp"

#include "cax/policies/policy.hpp"
