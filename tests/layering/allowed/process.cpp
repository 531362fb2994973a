// The twin of trespass/process.cpp: what this layer may see.
#include "cax/policies/tensor_policy.hpp"
#include "cax/process/process_policy.hpp"
