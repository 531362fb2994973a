// The twin of trespass/model.cpp: what this layer may see.
#include "cax/model/linear_program.hpp"
