// The twin of trespass/train.cpp: what this layer may see.
#include "cax/train/trainer.hpp"
