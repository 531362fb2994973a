#include "cax/core/json.hpp"
#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cax {
namespace {

/// The primitives that can be asked for, by name.
WordsTarget parts_target(ExplainOptions& options) {
    std::vector<std::pair<std::string_view, bool*>> const parts{{"attribution", &options.attribution},
                                                                {"counterfactual", &options.counterfactual},
                                                                {"subset", &options.subset},
                                                                {"swap", &options.swap},
                                                                {"sensitivity", &options.sensitivity},
                                                                {"forbidden", &options.forbidden},
                                                                {"alternatives", &options.alternatives},
                                                                {"thumb", &options.thumb},
                                                                {"story", &options.story}};
    WordsTarget target{.words = {}, .many = true, .get = {}, .set = {}};
    for (auto const& [name, wanted] : parts) target.words.push_back({name, ""});
    target.get = [parts] {
        WordList chosen;
        for (auto const& [name, wanted] : parts) {
            if (*wanted) chosen.push_back(name);
        }
        return chosen;
    };
    target.set = [parts](WordList const& chosen) {
        for (auto const& [name, wanted] : parts) *wanted = std::ranges::find(chosen, name) != chosen.end();
    };
    return target;
}

} // namespace

ExplanationRequest::ExplanationRequest() {
    attribution.attribution = options.attributions;
    attribution.multipliers = options.multipliers;
    counterfactual.options = options.counterfactuals;
    subset.subset = options.subsets;
}

void describe(OptionTable& table, ExplanationRequest& request) {
    table.choose({"step", "steps", "encode"}, request.cells);
    table.find("step")->as("step", [&cells = request.cells] {
        return cells.steps.empty() ? Json("all") : table_of(cells).find("step")->get();
    });
    table.value("why-not", request.options.why_not, "NODE",
                "Also say why this node was not chosen, and what would make the policy choose it. Nodes are called as "
                "in the drawing: 17, depot, or 3.2 for the second operation of job 3");
    WordsTarget const parts = parts_target(request.options);
    table.words("parts", parts, "Which explanations, separated by commas").default_is("all").as("parts", [parts] {
        auto const chosen = parts.get();
        return chosen.empty() ? Json("none") : Json(fmt::format("{}", fmt::join(chosen, ",")));
    });
    table.group("This decision");
    describe(table, request.options.sensitivities);
    table
        .value("reference", request.reference, "n",
               "Decisions of the same policy that this one's sensitivity is compared with; 0 = none")
        .range(0, 100'000);
    describe(table, request.options.pricing);
    table.value("story-work", request.options.story_work, "n",
                "Iterations of the classical search for a plan to compare with; 0 = none");
    table.group("Attribution");
    table.choose({"lambda", "backend", "aggregate", "dual-range", "method"}, request.attribution);
    table.group("Counterfactual");
    table.choose({"search", "one-number", "off-map", "shots", "fix", "primitive", "refine"}, request.counterfactual);
    describe_bounds(table, request.counterfactual);
    table.choose({"certify", "bound"}, request.counterfactual);
    table.group("Sufficient subset");
    table.choose({"accept", "epsilon", "delta", "sigma", "k-max"}, request.subset);
    table.group("");
}

Result<ExplainOptions> ExplanationRequest::resolve(ProblemInfo const& info) {
    if (auto const ok = attribution.resolve(info); !ok) return ok.error();
    if (auto const ok = counterfactual.resolve(info); !ok) return ok.error();
    ExplainOptions explain = options;
    explain.steps = cells.steps;
    explain.first_steps = cells.first;
    explain.state_options = cells.state_options();
    explain.attributions = attribution.attribution;
    explain.multipliers = attribution.multipliers;
    explain.counterfactuals = counterfactual.options;
    explain.subsets = subset.subset;
    return explain;
}

} // namespace cax
