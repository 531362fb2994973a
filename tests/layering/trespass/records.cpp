// The twin of allowed/records.cpp, with one header across the grain.
#include "cax/explain/explanation.hpp"
#include "cax/records/explanation.hpp"

#include "cax/io/files.hpp"
