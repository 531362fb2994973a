#include "cax/explain/parts/story.hpp"

#include "cax/core/options.hpp"

namespace cax::parts {

void Story::describe(OptionTable& table, Request& request) {
    table.value("story-work", request.work, "n",
                "Iterations of the classical search for a plan to compare with; 0 = none");
}

} // namespace cax::parts
