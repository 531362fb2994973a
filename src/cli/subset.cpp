#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "subset_output.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/requests.hpp"

#include <fmt/format.h>

namespace cax::cli {
namespace {

struct SubsetCommand : CellsCommand<SubsetRequest> {};

std::vector<Cell> decided_cells(Loaded const& loaded, CellChoice const& choice) {
    ProgressBar bar("deciding");
    WalkOptions options = choice.walk_options();
    options.numbers = loaded.numbers;
    options.progress = bar.callback();
    return must(choice.of(must(walk(*loaded.policy.policy, loaded.file.instances, options))));
}

OrderedSubsets subsets_along(Loaded const& loaded, std::vector<Cell> const& cells, Ordering const& ordering,
                             SubsetRequest const& request) {
    Policy const& policy = *loaded.policy.policy;
    std::vector<std::vector<std::size_t>> orders;
    {
        ProgressBar bar("ordering nodes by " + ordering.name);
        orders = must(node_orders(
            policy, loaded.file.instances, cells, ordering, request.subset,
            {.fidelity = request.published ? AttributionFidelity::published() : AttributionFidelity::paper(),
             .points = request.points,
             .numbers = loaded.numbers,
             .threads = request.subset.threads,
             .progress = bar.callback()}));
    }
    ProgressBar bar("walking by " + ordering.name);
    SubsetOptions with_progress = request.subset;
    with_progress.progress = bar.callback();
    auto subsets = must(sufficient_subsets(policy, cells, orders, with_progress));
    SubsetScore const score = score_subsets(subsets, request.subset);
    return OrderedSubsets{ordering.name, std::move(subsets), score};
}

void run(SubsetCommand& command) {
    SubsetRequest& request = command.request;
    request.subset.seed = command.inputs.seed;
    request.subset.threads = command.inputs.threads;
    auto const loaded = load(command.inputs);
    auto const orderings = must(request.resolve(loaded.info()));
    auto const rule = must(subset_rule(request.subset));
    std::vector<Cell> cells;
    std::vector<OrderedSubsets> results;
    within(command.inputs.instances, [&] {
        cells = decided_cells(loaded, command.cells);
        for (Ordering const& ordering : orderings) results.push_back(subsets_along(loaded, cells, ordering, request));
    });
    fmt::print("{}", subset_text(loaded.info(), cells, results, request.subset, rule, loaded.stopwatch.seconds()));
    if (!command.inputs.wants_result()) return;
    Json settings = table_of(command).json();
    settings["samples"] = rule.samples; // which epsilon and delta ask for, unless somebody else did
    settings["needed"] = rule.needed;
    settings["level"] = rule.level;
    Json json = result_of("subset", "subset", command.inputs, loaded, std::move(settings));
    json["problem"] = loaded.info().name;
    add_subsets(json, cells, results);
    write_result(command.inputs, json);
}

} // namespace

Command subset_command() {
    return make_command<SubsetCommand>(
        {.name = "subset",
         .summary = "The few nodes that alone keep a decision, with a stated confidence",
         .paragraph =
             "For each decision, keeps the features of the first k nodes of an order and hides all others, k = 1, 2, "
             "..., until the decision survives Gaussian noise often enough. Every result has an exact lower bound on "
             "the probability that it survives. Several orders (--order lp,proxy,random) are compared side by side. "
             "--exact looks for the smallest subset of all on the same samples and says what is proven when its "
             "budget ends; the smallest one's guarantee comes from fresh samples. Node 0 is the depot where there is "
             "one.",
         .footer = R"(Examples:
  cax subset op.safetensors four.json --steps 4
  cax subset op.safetensors four.json --accept certified --json subsets.json
  cax subset op.safetensors four.json --limit 1 --steps 3 --exact
  cax subset op.safetensors four.json --order lp,proxy,integrated,occlusion,random --curve)"});
}

} // namespace cax::cli
