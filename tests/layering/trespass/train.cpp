// The twin of allowed/train.cpp, with one header across the grain.
#include "cax/train/trainer.hpp"

#include "cax/io/files.hpp"
