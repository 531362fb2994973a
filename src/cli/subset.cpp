#include "command.hpp"
#include "common_options.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"
#include "subset_output.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/ordering.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct SubsetCommand {
    std::string policy;
    std::string instances;
    std::vector<std::string> orders{"proxy"};
    std::size_t steps = 0;
    std::size_t points = 32;
    SubsetOptions subset;
    bool exact = false;
    std::size_t budget = 20'000;
    bool published = false;
    Precision precision = Precision::float32;
    std::size_t limit = 0;
    std::vector<std::string> read;
    std::string json;
};

Json settings_json(SubsetCommand const& command, SubsetOptions const& subset, SubsetRule const& rule) {
    Json settings = {{"order", command.orders},
                     {"steps", command.steps},
                     {"epsilon", subset.epsilon},
                     {"delta", subset.delta},
                     {"sigma", subset.sigma},
                     {"sigma_relative", subset.sigma_relative},
                     {"k_max", subset.k_max},
                     {"correction", name_of(subset.correction)},
                     {"samples", rule.samples},
                     {"needed", rule.needed},
                     {"level", rule.level},
                     {"accept", name_of(subset.accept)},
                     {"compare", name_of(subset.fidelity.compare)},
                     {"baseline", name_of(subset.baseline)},
                     {"curve", subset.curve},
                     {"exact_budget", subset.exact_budget},
                     {"published", command.published},
                     {"points", command.points},
                     {"precision", precision_name(command.precision)},
                     {"limit", command.limit}};
    if (!command.read.empty()) settings["read"] = command.read;
    return settings;
}

Result<std::vector<Cell>> walk_cells(Policy const& policy, std::vector<InstancePtr> const& instances,
                                     std::size_t steps) {
    ProgressBar bar("deciding");
    auto const walks = walk(policy, instances, {.steps = steps, .state = {}, .progress = bar.callback()});
    if (!walks) return walks.error();
    return all_cells(*walks);
}

Result<OrderedSubsets> subsets_along(Policy const& policy, std::vector<InstancePtr> const& instances,
                                     std::vector<Cell> const& cells, Ordering const& ordering,
                                     SubsetOptions const& subset, SubsetCommand const& command) {
    std::vector<std::vector<std::size_t>> orders;
    {
        ProgressBar bar("ordering nodes by " + ordering.name);
        auto result = node_orders(
            policy, instances, cells, ordering, subset,
            {.fidelity = command.published ? AttributionFidelity::published() : AttributionFidelity::paper(),
             .points = command.points,
             .threads = subset.threads,
             .progress = bar.callback()});
        if (!result) return result.error();
        orders = std::move(*result);
    }
    ProgressBar bar("walking by " + ordering.name);
    SubsetOptions with_progress = subset;
    with_progress.progress = bar.callback();
    auto subsets = sufficient_subsets(policy, cells, orders, with_progress);
    if (!subsets) return subsets.error();
    SubsetScore const score = score_subsets(*subsets, subset);
    return OrderedSubsets{ordering.name, std::move(*subsets), score};
}

Result<Outcome> run(SubsetCommand const& command) {
    Stopwatch const stopwatch;
    SubsetOptions subset = command.subset;
    if (command.published) subset.fidelity = SubsetFidelity::published();
    subset.exact_budget = command.exact ? command.budget : 0;
    auto const rule = subset_rule(subset);
    if (!rule) return rule.error();
    auto const reader_options = parse_pairs(command.read, "--read");
    if (!reader_options) return reader_options.error();
    auto const policy = load_policy(
        command.policy, {.precision = command.precision, .threads = subset.threads, .coupled_batch = false});
    if (!policy) return policy.error();
    std::vector<Ordering> orderings;
    for (std::string const& name : command.orders) {
        auto ordering = ordering_of(name, policy->problem->info());
        if (!ordering) return ordering.error();
        orderings.push_back(std::move(*ordering));
    }
    auto const file = load_instances(command.instances, *policy, *reader_options, command.limit);
    if (!file) return file.error();
    auto const cells = walk_cells(*policy->policy, file->instances, command.steps);
    if (!cells) return cells.error().within(command.instances);

    std::vector<OrderedSubsets> results;
    for (Ordering const& ordering : orderings) {
        auto result = subsets_along(*policy->policy, file->instances, *cells, ordering, subset, command);
        if (!result) return result.error().within(command.instances);
        results.push_back(std::move(*result));
    }
    fmt::print("{}", subset_text(policy->problem->info(), *cells, results, subset, *rule, stopwatch.seconds()));
    if (command.json.empty()) return Outcome::success;
    ResultHead const head{.kind = "subset",
                          .command = "subset",
                          .seed = subset.seed,
                          .policy = &*policy,
                          .instances = &*file,
                          .stopwatch = &stopwatch};
    Json json = result_with_head(head, settings_json(command, subset, *rule));
    json["problem"] = policy->problem->info().name;
    add_subsets(json, results);
    if (auto const written = write_json(command.json, json); !written) return written.error();
    return Outcome::success;
}

void add_test_options(CLI::App& command, SubsetOptions& subset) {
    auto const probability = CLI::Range(0.0, 1.0).description("");
    command.add_option("--epsilon", subset.epsilon, "How much the decision may be lost: rate of 1 - epsilon")
        ->check(probability)
        ->type_name("E")
        ->capture_default_str();
    command.add_option("--delta", subset.delta, "Confidence is 1 - delta")
        ->check(probability)
        ->type_name("D")
        ->capture_default_str();
    command.add_option("--sigma", subset.sigma, "Standard deviation of the noise, in each tensor's own units")
        ->type_name("S")
        ->capture_default_str();
    command.add_flag("--sigma-relative", subset.sigma_relative, "Sigma is a fraction of each tensor's range");
    command.add_option("--k-max", subset.k_max, "Largest subset to try")->type_name("k")->capture_default_str();
    command.add_option("--samples", subset.samples, "Samples per size, instead of what epsilon and delta ask for")
        ->type_name("M");
    std::map<std::string, Correction> const corrections{{"bonferroni", Correction::bonferroni},
                                                        {"per-test", Correction::per_test}};
    command.add_option("--correction", subset.correction, "bonferroni: delta for all sizes together; per-test: each")
        ->transform(CLI::CheckedTransformer(corrections).description(""))
        ->type_name("WORD")
        ->default_str("bonferroni");
    std::map<std::string, Acceptance> const rules{{"empirical", Acceptance::empirical},
                                                  {"certified", Acceptance::certified}};
    command
        .add_option(
            "--accept", subset.accept,
            "empirical: the observed rate reaches 1 - epsilon, as in the paper; certified: its exact lower bound does")
        ->transform(CLI::CheckedTransformer(rules).description(""))
        ->type_name("WORD")
        ->default_str("empirical");
    std::map<std::string, Comparison> const comparisons{{"sample", Comparison::sample}, {"anchor", Comparison::anchor}};
    command
        .add_option("--compare", subset.fidelity.compare,
                    "With the decision of the same sample unmasked, or of the undisturbed state (anchor)")
        ->transform(CLI::CheckedTransformer(comparisons).description(""))
        ->type_name("WORD")
        ->default_str("sample");
    std::map<std::string, MaskingBaseline> const baselines{
        {"zero", MaskingBaseline::zero}, {"mean", MaskingBaseline::mean}, {"depot", MaskingBaseline::depot}};
    command.add_option("--baseline", subset.baseline, "What hidden nodes show: zero, mean or depot")
        ->transform(CLI::CheckedTransformer(baselines).description(""))
        ->type_name("WORD")
        ->default_str("zero");
    command.add_flag("--curve", subset.curve, "Every size on every sample: the whole rate-size curve and its area");
}

} // namespace

void add_subset(CLI::App& app, Work& work) {
    auto options = std::make_shared<SubsetCommand>();
    CLI::App& command = *app.add_subcommand("subset");
    describe(
        command, "The few nodes that alone keep a decision, with a stated confidence",
        "For each decision, keeps the features of the first k nodes of an order and hides all others, k = 1, 2, "
        "..., until the decision survives Gaussian noise often enough. Every result has an exact lower bound on "
        "the probability that it survives. Several orders (--order lp,proxy,random) are compared side by side. "
        "--exact looks for the smallest subset of all on the same samples and says what is proven when its "
        "budget ends; the smallest one's guarantee comes from fresh samples. Node 0 is the depot where there is one.");
    command.add_option("POLICY", options->policy, "Policy file (.safetensors)")->required()->type_name("");
    command.add_option("INSTANCES", options->instances, "Instance file")->required()->type_name("");
    command
        .add_option("--order", options->orders,
                    "Orders to walk along: proxy, lp, subgrad, lagrangian, integrated, occlusion, random, family:NAME")
        ->delimiter(',')
        ->type_name("WORD,..")
        ->default_str("proxy");
    command.add_option("--steps", options->steps, "Only the first T decisions of each instance")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("T");
    add_test_options(command, options->subset);
    command.add_flag("--exact", options->exact, "Also search all subsets by size for the smallest one");
    command.add_option("--budget", options->budget, "Forward passes that --exact may spend on a decision")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40U).description(""))
        ->type_name("n")
        ->capture_default_str();
    command.add_option("--points", options->points, "Points of integrated gradients")
        ->check(CLI::Range(1, 100'000).description(""))
        ->type_name("n")
        ->capture_default_str();
    auto* const published =
        command.add_flag("--published", options->published,
                         "As the paper's published code does it: anchor, fresh noise for every size, whole numbers cut "
                         "off, short tensors never hidden, spent nodes counted, node masses of unclipped logits");
    for (char const* const decided : {"--accept", "--compare", "--baseline", "--sigma-relative"}) {
        published->excludes(command.get_option(decided));
    }
    add_limit(command, options->limit);
    add_seed(command, options->subset.seed);
    add_threads(command, options->subset.threads);
    add_precision(command, options->precision);
    add_reader_options(command, options->read);
    add_json(command, options->json);
    command.footer(R"(
Examples:
  cax subset op.safetensors four.json --steps 4
  cax subset op.safetensors four.json --accept certified --json subsets.json
  cax subset op.safetensors four.json --limit 1 --steps 3 --exact
  cax subset op.safetensors four.json --order lp,proxy,integrated,occlusion,random --curve)");
    command.callback([&work, options] { work = [options] { return run(*options); }; });
}

} // namespace cax::cli
