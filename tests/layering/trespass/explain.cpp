// The twin of allowed/explain.cpp, with one header across the grain.
#include "cax/explain/multipliers.hpp"

#include "cax/records/parts.hpp"
