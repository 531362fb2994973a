// The twin of trespass/app.cpp: what this layer may see.
#include "cax/app/result.hpp"
#include "cax/explain/explanation.hpp"
#include "cax/io/instances.hpp"
