#pragma once
#include "cax/problems/solution.hpp"

#include <string>

namespace cax::io {

/// Why a solution was rejected, in one line.
inline std::string reasons(CheckReport const& report) {
    std::string text;
    for (std::string const& violation : report.violations) text += violation + "; ";
    return text;
}

} // namespace cax::io
