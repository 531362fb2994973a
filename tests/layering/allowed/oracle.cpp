// The twin of trespass/oracle.cpp: what this layer may see.
#include "cax/oracle/regret.hpp"
