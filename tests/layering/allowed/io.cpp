// The twin of trespass/io.cpp: what this layer may see.
#include "cax/io/instances.hpp"
