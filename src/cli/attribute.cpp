#include "attribution_output.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/attribution.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace cax::cli {
namespace {

/// As typed. What is left out has a default that --published changes.
struct AttributeCommand {
    std::string policy;
    std::string instances;
    std::optional<std::string> backend;
    std::string aggregate = "mean";
    std::string dual_vertex = "simplex";
    std::optional<std::string> duals_from;
    bool dual_range = false;
    std::string lambda;
    std::string method = "gradient";
    std::optional<std::string> mass;
    std::optional<std::string> log_prob;
    bool keep_spent = false;
    std::string baseline = "zero";
    std::size_t points = AttributionOptions{}.points;
    std::optional<std::size_t> why_not;
    bool published = false;
    std::size_t steps = 0;
    std::size_t limit = 0;
    std::uint64_t seed = 0;
    std::size_t threads = 0;
    Precision precision = Precision::float32;
    std::vector<std::string> read;
    std::string json;
};

/// As understood.
struct Plan {
    AttributionOptions attribution;
    MultiplierOptions multipliers;
};

Result<DualsFrom> duals_from_of(std::string_view name) {
    if (name == "each") return DualsFrom::each;
    if (name == "first") return DualsFrom::first;
    return Error{ErrorCode::invalid_value, fmt::format("duals-from '{}' is not one of each, first", name)};
}

Result<AttributionOptions> attribution_options(AttributeCommand const& command) {
    AttributionOptions options;
    AttributionFidelity& fidelity = options.fidelity;
    if (command.published) fidelity = AttributionFidelity::published();
    auto const method = attribution_method_of(command.method);
    if (!method) return method.error();
    auto const mass = mass_kind_of(command.mass.value_or(std::string(name_of(fidelity.mass))));
    if (!mass) return mass.error();
    auto const log_prob = log_prob_kind_of(command.log_prob.value_or(std::string(name_of(fidelity.log_prob))));
    if (!log_prob) return log_prob.error();
    auto const baseline = masking_baseline_of(command.baseline);
    if (!baseline) return baseline.error();
    options.method = *method;
    fidelity.mass = *mass;
    fidelity.log_prob = *log_prob;
    options.baseline = *baseline;
    fidelity.keep_spent_nodes = fidelity.keep_spent_nodes || command.keep_spent;
    auto const from = duals_from_of(command.duals_from.value_or(std::string(name_of(fidelity.duals_from))));
    if (!from) return from.error();
    fidelity.duals_from = *from;
    options.points = command.points;
    options.why_not = command.why_not;
    options.threads = command.threads;
    return options;
}

Result<MultiplierOptions> multiplier_options(AttributeCommand const& command, ProblemInfo const& info) {
    MultiplierOptions options;
    auto const backend = backend_of(command.backend.value_or("lp"));
    if (!backend) return backend.error();
    auto const aggregate = aggregate_of(command.aggregate);
    if (!aggregate) return aggregate.error();
    auto const vertex = dual_vertex_of(command.dual_vertex);
    if (!vertex) return vertex.error();
    options.backend = *backend;
    options.aggregate = *aggregate;
    options.vertex = *vertex;
    options.dual_range = command.dual_range;
    if (!command.lambda.empty()) {
        if (command.backend && options.backend != Backend::given) {
            return Error{
                ErrorCode::invalid_value,
                fmt::format("--lambda gives multipliers, --backend {} computes them; choose one", *command.backend)};
        }
        auto given = parse_given(info, command.lambda);
        if (!given) return given.error();
        options.backend = Backend::given;
        options.given = std::move(*given);
    } else if (options.backend == Backend::given) {
        return Error{ErrorCode::invalid_value,
                     "--backend given needs --lambda, such as --lambda " + std::string(info.families.front()) + "=1"};
    }
    if (options.dual_range && options.backend != Backend::lp) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("--dual-range: backend {} has no duals", name_of(options.backend))};
    }
    return options;
}

Result<Plan> make_plan(AttributeCommand const& command, ProblemInfo const& info) {
    auto attribution = attribution_options(command);
    if (!attribution) return attribution.error();
    auto multipliers = multiplier_options(command, info);
    if (!multipliers) return multipliers.error();
    return Plan{std::move(*attribution), std::move(*multipliers)};
}

Json settings_json(AttributeCommand const& command, Plan const& plan) {
    AttributionOptions const& options = plan.attribution;
    Json settings{{"backend", name_of(plan.multipliers.backend)},
                  {"aggregate", name_of(plan.multipliers.aggregate)},
                  {"dual_vertex", name_of(plan.multipliers.vertex)},
                  {"duals_from", name_of(options.fidelity.duals_from)},
                  {"dual_range", plan.multipliers.dual_range},
                  {"method", name_of(options.method)},
                  {"mass", name_of(options.fidelity.mass)},
                  {"log_prob", name_of(options.fidelity.log_prob)},
                  {"keep_spent", options.fidelity.keep_spent_nodes},
                  {"why_not", options.why_not ? Json(*options.why_not) : Json(nullptr)},
                  {"published", command.published},
                  {"steps", command.steps},
                  {"limit", command.limit},
                  {"precision", precision_name(command.precision)}};
    if (!command.lambda.empty()) settings["lambda"] = command.lambda;
    if (options.method != AttributionMethod::gradient) settings["baseline"] = name_of(options.baseline);
    if (options.method == AttributionMethod::integrated) settings["points"] = options.points;
    if (!command.read.empty()) settings["read"] = command.read;
    return settings;
}

Result<std::vector<AttributedInstance>> compute(Policy const& policy, std::vector<InstancePtr> const& instances,
                                                AttributeCommand const& command, Plan plan) {
    std::vector<AttributedInstance> all;
    {
        ProgressBar bar("walking");
        auto walks = walk(policy, instances, {.steps = command.steps, .state = {}, .progress = bar.callback()});
        if (!walks) return walks.error();
        for (Walk& each : *walks) all.push_back({std::move(each), {}, {}});
    }
    auto multipliers =
        multipliers_of(instances, plan.multipliers, plan.attribution.fidelity.duals_from, command.threads);
    if (!multipliers) return multipliers.error();
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].multipliers = std::move((*multipliers)[i]);
        cells.insert(cells.end(), all[i].walk.cells.begin(), all[i].walk.cells.end());
    }
    ProgressBar bar("attributing");
    plan.attribution.progress = bar.callback();
    auto attributions = attribute(policy, cells, plan.attribution);
    if (!attributions) return attributions.error();
    for (CellAttribution& each : *attributions) {
        AttributedInstance& own = all[each.instance];
        own.steps.push_back(scored(std::move(each), own.multipliers));
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

void print_summary(LoadedPolicy const& policy, io::InstanceFile const& file, Plan const& plan,
                   std::vector<AttributedInstance> const& all, double seconds) {
    ProblemInfo const& info = policy.problem->info();
    std::string const backend = plan.multipliers.backend == Backend::lp
                                    ? fmt::format("lp ({})", name_of(plan.multipliers.aggregate))
                                    : std::string(name_of(plan.multipliers.backend));
    fmt::print("{} {} instance{} of size {}: {}, multipliers {}\n", all.size(), info.name, all.size() == 1 ? "" : "s",
               sizes_in_words(file.instances), what_in_words(plan.attribution), backend);
    if (auto const note = size_note(policy, file.instances); !note.empty()) fmt::print("note: {}\n", note);
    AttributedInstance const& first = all.front();
    fmt::print("\ninstance 0: {}\n{}\n", first.walk.instance->description(), multiplier_text(info, first.multipliers));
    fmt::print("{}\n", heat_map_text(info, first, colours_wanted()));
    if (all.size() > 1) fmt::print("... and {} more instances (--json has them all)\n", all.size() - 1);
    fmt::print("{}{:.2f} s\n", top_text(info, all), seconds);
}

Result<Outcome> run_attribute(AttributeCommand const& command) {
    Stopwatch const stopwatch;
    auto const reader_options = parse_pairs(command.read, "--read");
    if (!reader_options) return reader_options.error();
    auto const policy = load_policy(
        command.policy, {.precision = command.precision, .threads = command.threads, .coupled_batch = false});
    if (!policy) return policy.error();
    ProblemInfo const& info = policy->problem->info();
    auto const plan = make_plan(command, info);
    if (!plan) return plan.error();
    auto const file = load_instances(command.instances, *policy, *reader_options, command.limit);
    if (!file) return file.error();
    auto const all = compute(*policy->policy, file->instances, command, *plan);
    if (!all) return all.error().within(command.instances);
    print_summary(*policy, *file, *plan, *all, stopwatch.seconds());
    if (command.json.empty()) return Outcome::success;
    Json json = result_with_head({.kind = "attribution",
                                  .command = "attribute",
                                  .seed = command.seed,
                                  .policy = &*policy,
                                  .instances = &*file,
                                  .stopwatch = &stopwatch},
                                 settings_json(command, *plan));
    json["problem"] = info.name;
    json["families"] = info.families;
    json["backend"] = name_of(plan->multipliers.backend);
    json["aggregate"] = name_of(plan->multipliers.aggregate);
    json["instances"] = Json::array();
    for (AttributedInstance const& each : *all) json["instances"].push_back(records::attributed_json(info, each));
    if (auto const written = write_json(command.json, json); !written) return written.error();
    return Outcome::success;
}

void add_multiplier_options(CLI::App& command, AttributeCommand& options) {
    command
        .add_option("--backend", options.backend,
                    "Multipliers: proxy (all 1), lp (duals of the linear relaxation; default), subgrad (the published "
                    "control), lagrangian (the same with the right sign)")
        ->type_name("WORD");
    command.add_option("--aggregate", options.aggregate, "A family's duals as one number: mean, sum, max or share")
        ->type_name("WORD")
        ->capture_default_str();
    command.add_option("--lambda", options.lambda, "Multipliers given: capacity=1,spatial=0.2")->type_name("LIST");
    command.add_flag(
        "--dual-range", options.dual_range,
        "Smallest and largest multiplier over all optimal duals, and whether the top family survives them");
    command
        .add_option("--dual-vertex", options.dual_vertex,
                    "simplex: the dual where the solver stops; least: each family's smallest, whatever the solver")
        ->type_name("WORD")
        ->capture_default_str();
    command.add_option("--duals-from", options.duals_from, "each instance (default), or the first one for all")
        ->type_name("WORD");
}

void add_method_options(CLI::App& command, AttributeCommand& options) {
    command
        .add_option("--method", options.method,
                    "gradient (x feature, the paper), integrated (gradients on the way from a baseline) or occlusion "
                    "(what is lost at the baseline)")
        ->type_name("WORD")
        ->capture_default_str();
    command.add_option("--mass", options.mass, "entry (the paper; default) or node: sums before absolute values")
        ->type_name("WORD");
    command.add_option("--log-prob", options.log_prob, "policy (its own, clipped; default) or raw (unclipped logits)")
        ->type_name("WORD");
    command.add_flag("--keep-spent", options.keep_spent, "Count nodes that have been dealt with, too");
    command.add_option("--baseline", options.baseline, "Of integrated and occlusion: zero, mean or depot")
        ->type_name("WORD")
        ->capture_default_str();
    command.add_option("--points", options.points, "Of integrated: gradients per decision")
        ->check(CLI::Range(1, 100'000).description(""))
        ->type_name("n")
        ->capture_default_str();
    command.add_option("--why-not", options.why_not, "Explain the distance to this action instead, by its number")
        ->type_name("ACTION");
    command.add_flag("--published", options.published,
                     "As the published code: --mass node --log-prob raw --keep-spent --duals-from first; options given "
                     "beside it win");
}

} // namespace

void add_attribute(CLI::App& app, Work& work) {
    auto options = std::make_shared<AttributeCommand>();
    CLI::App& command = *app.add_subcommand("attribute");
    describe(command, "Which constraint family drove each decision",
             "Follows the policy greedily and scores every constraint family at every step: lambda (how hard its "
             "constraints press on the instance) times mass (how much the decision's log-probability reacts to its "
             "features). Shows the first instance as a heat map of steps and families: shares of a step's scores, or "
             "of its masses where there are no scores.");
    command.add_option("POLICY", options->policy, "Policy file (.safetensors)")->required()->type_name("");
    command.add_option("INSTANCES", options->instances, "Instance file")->required()->type_name("");
    add_multiplier_options(command, *options);
    add_method_options(command, *options);
    command.add_option("--steps", options->steps, "Only the first T decisions of each instance")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("T");
    add_limit(command, options->limit);
    add_seed(command, options->seed);
    add_threads(command, options->threads);
    add_precision(command, options->precision);
    add_reader_options(command, options->read);
    add_json(command, options->json);
    command.footer(R"(
Examples:
  cax attribute op.safetensors four.json
  cax attribute op.safetensors four.json --dual-range --json attribution.json
  cax attribute cvrptw.safetensors fleet.npz --backend proxy --method integrated --steps 8
  cax attribute op.safetensors four.json --limit 1 --why-not 0)");
    command.callback([&work, options] { work = [options] { return run_attribute(*options); }; });
}

} // namespace cax::cli
