// The twin of trespass/nn.cpp: what this layer may see.
#include "cax/nn/blocks.hpp"
