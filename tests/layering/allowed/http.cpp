// The twin of trespass/http.cpp: what this layer may see.
#include "cax/core/result.hpp"
#include "cax/http/server.hpp"
