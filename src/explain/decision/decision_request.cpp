#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"

namespace cax {

void describe(OptionTable& table, SensitivityOptions& options) {
    table
        .value("noise-shots", options.shots, "n",
               "Wrong data that are tried per family and size; 0 = 18 per size, shared by the families")
        .range(0, 100'000);
    table
        .value("noise-pool", options.pool, "n",
               "Drawn for each of them; the policy's gradient sorts what is drawn, and one of every so many is tried")
        .range(1, 1000);
}

void describe(OptionTable& table, PricingOptions& options) {
    table.choice("regret", options.mode, "What alternatives are priced by");
    table.value(
        "priced", options.actions, "n",
        "So many actions get a price of their own where each needs a search: the chosen one, then by probability");
    table.value("search-work", options.search_work, "n",
                "Iterations of the search for each of them, fewer the less is left");
    table.value("proof-work", options.proof_work, "n", "States of an exact programme for a decision");
    table.value("solver-work", options.solver_work, "n",
                "Steps of the constraint solver for each of them; 0 = do without");
}

} // namespace cax
