// The twin of trespass/policies.cpp: what this layer may see.
#include "cax/policies/policy.hpp"
