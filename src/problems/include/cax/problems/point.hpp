#pragma once
// A place in the plane, as rl4co stores it: two single-precision numbers.

namespace cax {

struct Point {
    float x = 0;
    float y = 0;
    bool operator==(Point const&) const = default;
};

} // namespace cax
