// The twin of allowed/process.cpp, with one header across the grain.
#include "cax/explain/swap.hpp"
#include "cax/process/process_policy.hpp"
