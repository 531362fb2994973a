#pragma once
// What the generators of the vehicle problems share.
#include <cstddef>

namespace cax::routing {

/// rl4co's vehicle capacity by number of customers; sizes in between take the nearest entry, the smaller on ties.
[[nodiscard]] double default_capacity(std::size_t customers);

} // namespace cax::routing
