#pragma once
// Instances that a person moves by hand: what an edit makes of one, what there is to move, and what has been moved.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/problem.hpp"
#include "cax/serve/request.hpp"

#include <span>
#include <string>
#include <vector>

namespace cax::serve {

/// Only what the instance really contains is moved; what derives from it follows. Error, in words for the person who
/// moved it, if there is no such number, it cannot be moved, or there is no such instance.
[[nodiscard]] Result<InstancePtr> edited(Instance const& instance, std::span<Edit const> edits);

/// {node, label, place: [x, y] or null, entries: [{tensor, index, label, value, original, unit, step, lowest,
/// highest}]}, in the instance's own units; places are not among the entries. Error if there is no such node.
[[nodiscard]] Result<Json> numbers_of_node(Instance const& instance, Instance const& original, std::size_t node);

/// What differs, in words that follow "if": "customer 17's window closed at 220 instead of 232".
[[nodiscard]] std::vector<std::string> changes_in_words(Instance const& original, Instance const& instance);

} // namespace cax::serve
