// The twin of trespass/explain.cpp: what this layer may see.
#include "cax/explain/multipliers.hpp"
