// The twin of trespass/serve.cpp: what this layer may see.
#include "cax/records/explanation.hpp"
#include "cax/serve/sessions.hpp"
