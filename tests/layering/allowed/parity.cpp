// The twin of trespass/parity.cpp: what this layer may see.
#include "cax/parity/check_golden.hpp"
