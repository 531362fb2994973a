#pragma once
// An action in words, wherever an explanation speaks of one.
#include "cax/problems/problem.hpp"

#include <memory>
#include <optional>
#include <string>

namespace cax {

/// An action that the policy takes, or could.
struct Choice {
    std::size_t action = 0;
    std::string words;
    std::optional<double> probability;
    std::shared_ptr<State const> state; ///< in which it would be taken; null if that cannot be reached
};

} // namespace cax
