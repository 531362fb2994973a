// The twin of allowed/report.cpp, with one header across the grain.
#include "cax/core/result.hpp"
#include "cax/report/page.hpp"

#include "cax/problems/problem.hpp"
