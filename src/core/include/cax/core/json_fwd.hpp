#pragma once
// Forward declaration of cax::Json, for headers.
#include <nlohmann/json_fwd.hpp>

namespace cax {
using Json = nlohmann::ordered_json;
}
