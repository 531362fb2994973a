// The twin of allowed/io.cpp, with one header across the grain.
#include "cax/io/instances.hpp"

#include "cax/policies/policy.hpp"
