// The twin of allowed/app.cpp, with one header across the grain.
#include "cax/app/result.hpp"
#include "cax/explain/explanation.hpp"
#include "cax/io/instances.hpp"

#include "cax/report/page.hpp"
