#include "cax/baselines/baseline.hpp"
#include "cax/core/json.hpp"
#include "cax/core/options.hpp"

namespace cax {

void describe(OptionTable& table, BaselinesOptions& options) {
    table.value("seconds", options.seconds, "S", "Time for each instance");
    table
        .value("iterations", options.iterations, "n",
               "Also stop after so many iterations of the search, and nodes of the solver")
        .default_is("")
        .as("iterations", [&] {
            bool const limited = options.iterations != SearchOptions{}.iterations;
            return limited ? Json(options.iterations) : Json(nullptr);
        });
}

} // namespace cax
