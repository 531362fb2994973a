#pragma once
// What differs between two results, in the words of the explanations: another policy, another seed, a changed instance.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <string>
#include <vector>

namespace cax::report {

struct NamedResult {
    std::string const& name; ///< of the file, for errors
    Json const& json;
};

/// Line by line, details indented; empty if nothing differs. Error unless both are cax/explanation/1, cax/solve/1 or
/// cax/solutions/1, and whole.
[[nodiscard]] Result<std::vector<std::string>> differences(NamedResult const& a, NamedResult const& b);

} // namespace cax::report
