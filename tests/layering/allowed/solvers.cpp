// The twin of trespass/solvers.cpp: what this layer may see.
#include "cax/solvers/lp.hpp"
