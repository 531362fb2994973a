// The twin of allowed/model.cpp, with one header across the grain.
#include "cax/model/linear_program.hpp"

#include "cax/problems/problem.hpp"
