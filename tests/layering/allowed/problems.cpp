// The twin of trespass/problems.cpp: what this layer may see.
#include "cax/problems/problem.hpp"
