// The twin of allowed/core.cpp, with one header across the grain.
#include "cax/core/result.hpp"

#include "cax/problems/problem.hpp"
