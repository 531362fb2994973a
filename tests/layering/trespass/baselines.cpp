// The twin of allowed/baselines.cpp, with one header across the grain.
#include "cax/baselines/gap.hpp"

#include "cax/policies/policy.hpp"
