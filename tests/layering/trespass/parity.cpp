// The twin of allowed/parity.cpp, with one header across the grain.
#include "cax/parity/check_golden.hpp"

#include "cax/io/files.hpp"
