// The twin of allowed/http.cpp, with one header across the grain.
#include "cax/core/result.hpp"
#include "cax/http/server.hpp"

#include "cax/problems/problem.hpp"
