// The twin of trespass/core.cpp: what this layer may see.
#include "cax/core/result.hpp"
