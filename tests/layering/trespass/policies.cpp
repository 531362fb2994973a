// The twin of allowed/policies.cpp, with one header across the grain.
#include "cax/policies/policy.hpp"

#include "cax/io/files.hpp"
