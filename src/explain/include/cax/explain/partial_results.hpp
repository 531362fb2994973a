#pragma once
// What a long explanation has finished, so that it can go on after it was killed: a part that costs much asks here
// before it works and tells here what it has worked out. The others are made again. What is recalled must be what was
// kept, to the bit: then an explanation that was interrupted is the one that was not.
#include "cax/core/json_fwd.hpp"

#include <optional>
#include <string_view>

namespace cax {

/// Called from many threads.
class PartialResults {
public:
    virtual ~PartialResults() = default;
    /// What was kept of this part of this step, or null.
    [[nodiscard]] virtual Json const* recall(std::size_t step, std::string_view part) const = 0;
    virtual void keep(std::size_t step, std::string_view part, Json const& value) = 0;
};

} // namespace cax
