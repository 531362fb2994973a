// The twin of trespass/records.cpp: what this layer may see.
#include "cax/explain/explanation.hpp"
#include "cax/records/explanation.hpp"
