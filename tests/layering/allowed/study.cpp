// The twin of trespass/study.cpp: what this layer may see.
#include "cax/explain/multipliers.hpp"
#include "cax/study/statistics.hpp"
