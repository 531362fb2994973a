#include "cax/problems/presentation.hpp"

#include "cvrptw/presentation.hpp"
#include "fjsp/presentation.hpp"
#include "op/presentation.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace cax {

Presentation const& presentation_of(Problem const& problem) {
    static std::array<Presentation const*, 3> const all{&cvrptw::presentation(), &op::presentation(),
                                                        &fjsp::presentation()};
    auto const found = std::ranges::find(all, &problem, [](Presentation const* each) { return &each->problem(); });
    assert(found != all.end()); // every problem of the registry has one: a contract test goes through them
    return **found;
}

} // namespace cax
