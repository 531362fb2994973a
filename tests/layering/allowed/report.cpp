// The twin of trespass/report.cpp: what this layer may see.
#include "cax/core/result.hpp"
#include "cax/report/page.hpp"
