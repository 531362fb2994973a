// The twin of allowed/oracle.cpp, with one header across the grain.
#include "cax/oracle/regret.hpp"

#include "cax/policies/policy.hpp"
