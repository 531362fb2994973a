#pragma once
// JSON values. Ordered, so that what we write has the same bytes every time.
// Include json_fwd.hpp in headers: nlohmann's full header costs a second of compile time.
#include "cax/core/json_fwd.hpp"

#include <nlohmann/json.hpp>
