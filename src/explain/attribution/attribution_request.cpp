#include "cax/core/json.hpp"
#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"

#include <fmt/format.h>

namespace cax {

namespace {

void describe_multipliers(OptionTable& table, AttributionRequest& request) {
    MultiplierOptions& multipliers = request.multipliers;
    table.value("lambda", request.lambda, "LIST", "Multipliers given: capacity=1,spatial=0.2").then([&multipliers] {
        multipliers.backend = Backend::given;
    });
    table.choice("backend", multipliers.backend, "Where multipliers come from");
    table.choice("aggregate", multipliers.aggregate, "A family's duals as one number");
    table.flag("dual-range", multipliers.dual_range,
               "Smallest and largest multiplier over all optimal duals, and whether the top family survives them");
    table.choice("dual-vertex", multipliers.vertex, "Which of the optimal duals");
    table.choice("duals-from", request.attribution.fidelity.duals_from, "Whose duals");
}

void describe_masses(OptionTable& table, AttributionOptions& attribution) {
    table.choice("method", attribution.method, "How a decision is attributed");
    table.choice("mass", attribution.fidelity.mass, "How the entries of a tensor become a node's mass");
    table.choice("log-prob", attribution.fidelity.log_prob, "Which log-probability is differentiated");
    table.flag("keep-spent", attribution.fidelity.keep_spent_nodes, "Count nodes that have been dealt with, too");
    table.choice("baseline", attribution.baseline, "Of integrated and occlusion");
    table.value("points", attribution.points, "n", "Of integrated: gradients per decision").range(1, 100'000);
    table.value("why-not", attribution.why_not, "ACTION", "Explain the distance to this action instead, by its number");
}

} // namespace

void describe(OptionTable& table, AttributionRequest& request) {
    table
        .flag("paper", request.paper,
              "Exactly the paper's equations 1 and 3 (also the defaults): absolute entries of the gradient of the "
              "policy's log-probability, every instance's own duals")
        .without({"published"})
        .not_a_setting()
        .first()
        .then([&request] {
            request.attribution.method = AttributionMethod::gradient;
            request.attribution.fidelity = AttributionFidelity::paper();
        });
    table
        .flag("published", request.published,
              "As the published code: --mass node --log-prob raw --keep-spent --duals-from first; options given beside "
              "it win")
        .first()
        .then([&request] { request.attribution.fidelity = AttributionFidelity::published(); });
    table.group("Multipliers");
    describe_multipliers(table, request);
    table.group("Attribution");
    describe_masses(table, request.attribution);
    table.group("");
}

Result<void> AttributionRequest::resolve(ProblemInfo const& info) {
    if (!lambda.empty()) {
        if (multipliers.backend != Backend::given) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("--lambda gives multipliers, --backend {} computes them; choose one",
                                     name_of(multipliers.backend))};
        }
        auto given = parse_given(info, lambda);
        if (!given) return given.error();
        multipliers.given = *std::move(given);
    } else if (multipliers.backend == Backend::given) {
        return Error{ErrorCode::invalid_value,
                     "--backend given needs --lambda, such as --lambda " + std::string(info.families.front()) + "=1"};
    }
    if (multipliers.dual_range && multipliers.backend != Backend::lp) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("--dual-range: backend {} has no duals", name_of(multipliers.backend))};
    }
    return {};
}

} // namespace cax
