// The twin of trespass/baselines.cpp: what this layer may see.
#include "cax/baselines/gap.hpp"
