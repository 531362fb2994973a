// The twin of allowed/study.cpp, with one header across the grain.
#include "cax/study/statistics.hpp"

#include "cax/io/files.hpp"
