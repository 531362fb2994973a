#include "attribution_output.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/requests.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace cax::cli {
namespace {

struct AttributeCommand : CellsCommand<AttributionRequest> {};

std::vector<AttributedInstance> attributed(Loaded const& loaded, AttributeCommand const& command) {
    Policy const& policy = *loaded.policy.policy;
    std::vector<AttributedInstance> all;
    std::vector<Cell> cells;
    {
        ProgressBar bar("walking");
        WalkOptions options = command.cells.walk_options();
        options.numbers = loaded.numbers;
        options.progress = bar.callback();
        auto walks = must(walk(policy, loaded.file.instances, options));
        for (Walk& each : walks) {
            each.cells = must(command.cells.of(std::span(&each, 1)));
            cells.insert(cells.end(), each.cells.begin(), each.cells.end());
            all.push_back({std::move(each), {}, {}});
        }
    }
    AttributionRequest const& request = command.request;
    auto multipliers =
        must(multipliers_of(loaded.file.instances, request.multipliers, request.attribution.fidelity.duals_from,
                            command.inputs.threads, loaded.numbers));
    ProgressBar bar("attributing");
    AttributionOptions options = request.attribution;
    options.threads = command.inputs.threads;
    options.progress = bar.callback();
    auto attributions = must(attribute(policy, cells, options));
    auto next = attributions.begin();
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].multipliers = std::move(multipliers[i]);
        for (std::size_t c = 0; c < all[i].walk.cells.size(); ++c) {
            all[i].steps.push_back(scored(std::move(*next++), all[i].multipliers));
        }
    }
    return all;
}

std::string what_in_words(AttributionOptions const& options) {
    switch (options.method) {
    case AttributionMethod::integrated:
        return fmt::format("integrated gradients from {}, {} points", name_of(options.baseline), options.points);
    case AttributionMethod::occlusion: return fmt::format("occlusion by {}", name_of(options.baseline));
    case AttributionMethod::gradient: break;
    }
    return fmt::format("gradient x feature by {}", name_of(options.fidelity.mass));
}

bool colours_wanted() { return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

void print_attributions(Loaded const& loaded, AttributionRequest const& request,
                        std::vector<AttributedInstance> const& all) {
    ProblemInfo const& info = loaded.info();
    MultiplierOptions const& multipliers = request.multipliers;
    std::string const backend = multipliers.backend == Backend::lp
                                    ? fmt::format("lp ({})", name_of(multipliers.aggregate))
                                    : std::string(name_of(multipliers.backend));
    fmt::print("{}: {}, multipliers {}\n{}", loaded.heading(), what_in_words(request.attribution), backend,
               loaded.notes_text());
    AttributedInstance const& first = all.front();
    fmt::print("\ninstance {}: {}\n{}\n", loaded.numbers.front(), first.walk.instance->description(),
               multiplier_text(info, first.multipliers));
    fmt::print("{}\n", heat_map_text(info, first, colours_wanted()));
    if (all.size() > 1) fmt::print("... and {} more instances (--json has them all)\n", all.size() - 1);
    fmt::print("{}{:.2f} s\n", top_text(info, all), loaded.stopwatch.seconds());
}

void run(AttributeCommand& command) {
    auto const loaded = load(command.inputs);
    ProblemInfo const& info = loaded.info();
    must(command.request.resolve(info));
    auto const all = within(command.inputs.instances, [&] { return attributed(loaded, command); });
    print_attributions(loaded, command.request, all);
    if (!command.inputs.wants_result()) return;
    Json json = result_of("attribution", "attribute", command.inputs, loaded, table_of(command).json());
    json["problem"] = info.name;
    json["families"] = info.families;
    json["backend"] = name_of(command.request.multipliers.backend);
    json["aggregate"] = name_of(command.request.multipliers.aggregate);
    json["instances"] = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        json["instances"].push_back(records::attributed_json(info, all[i]));
        json["instances"].back()["instance"] = loaded.numbers[i];
    }
    write_result(command.inputs, json);
}

} // namespace

Command attribute_command() {
    return make_command<AttributeCommand>(
        {.name = "attribute",
         .summary = "Which constraint family drove each decision",
         .paragraph =
             "Follows the policy greedily and scores every constraint family at every step: lambda (how hard its "
             "constraints press on the instance) times mass (how much the decision's log-probability reacts to its "
             "features). Shows the first instance as a heat map of steps and families: shares of a step's scores, or "
             "of its masses where there are no scores.",
         .footer = R"(Examples:
  cax attribute op.safetensors four.json
  cax attribute op.safetensors four.json --dual-range --json attribution.json
  cax attribute cvrptw.safetensors fleet.npz --backend proxy --method integrated --steps 8
  cax attribute op.safetensors four.json --instance 2 --step 1,4-6 --why-not 0)"});
}

} // namespace cax::cli
