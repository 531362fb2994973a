#pragma once
// How long work reports how far it is. Libraries call it, only the command line shows it.
#include <cstddef>
#include <functional>

namespace cax {

/// Called with (finished, total), total 0 while it is not known; may be empty. Calls come from any thread, one at a
/// time.
using Progress = std::function<void(std::size_t finished, std::size_t total)>;

} // namespace cax
