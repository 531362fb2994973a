// The twin of allowed/nn.cpp, with one header across the grain.
#include "cax/nn/blocks.hpp"

#include "cax/problems/problem.hpp"
