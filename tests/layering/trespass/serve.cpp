// The twin of allowed/serve.cpp, with one header across the grain.
#include "cax/records/explanation.hpp"
#include "cax/serve/sessions.hpp"

#include "cax/http/server.hpp"
