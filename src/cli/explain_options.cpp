#include "explain_options.hpp"

#include "common_options.hpp"
#include "counterfactual_options.hpp"

#include "cax/core/json.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cax::cli {
namespace {

std::optional<std::size_t> count_of(std::string_view text) {
    std::size_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "all", "3" or "2-5". Empty = all.
Result<std::vector<std::size_t>> parse_steps(std::string const& text) {
    if (text.empty() || text == "all") return std::vector<std::size_t>{};
    auto const dash = text.find('-');
    auto const first = count_of(std::string_view(text).substr(0, dash));
    auto const last = dash == std::string::npos ? first : count_of(std::string_view(text).substr(dash + 1));
    if (!first || !last || *last < *first) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("--step: '{}' is not a step (3), a range (2-5) or 'all'", text)};
    }
    constexpr std::size_t longest = 100'000;
    if (*last > longest) {
        return Error{ErrorCode::invalid_value, fmt::format("--step: {} is beyond the end of any episode", *last)};
    }
    std::vector<std::size_t> steps;
    for (std::size_t step = *first; step <= *last; ++step) steps.push_back(step);
    return steps;
}

Result<void> set_parts(std::string_view names, ExplainOptions& options) {
    static std::set<std::string, std::less<>> const known{"attribution", "counterfactual", "subset", "none"};
    std::set<std::string, std::less<>> chosen;
    for (bool more = true; more;) {
        auto const comma = names.find(',');
        std::string const name(names.substr(0, comma));
        if (!known.contains(name)) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("--parts: '{}' is not one of attribution, counterfactual, subset, none", name)};
        }
        chosen.insert(name);
        more = comma != std::string_view::npos;
        if (more) names.remove_prefix(comma + 1);
    }
    options.attribution = chosen.contains("attribution");
    options.counterfactual = chosen.contains("counterfactual");
    options.subset = chosen.contains("subset");
    return {};
}

/// Tensors that stay as they are, by name.
Result<void> set_fixed(std::vector<std::string> const& names, ProblemInfo const& info, PerturbationOptions& moves) {
    if (names.empty()) return {};
    moves.fixed.assign(info.tensors.size(), 0);
    for (std::string const& name : names) {
        auto const found = std::ranges::find(info.tensors, name, &TensorInfo::name);
        if (found == info.tensors.end()) {
            return Error{ErrorCode::invalid_value, fmt::format("--fix: {} has no tensor '{}'", info.name, name)};
        }
        moves.fixed[static_cast<std::size_t>(found - info.tensors.begin())] = 1;
    }
    return {};
}

void add_method_options(CLI::App& command, ExplainCommand& options) {
    command.add_option("--backend", options.backend, "Where multipliers come from: proxy, lp, subgrad or lagrangian")
        ->type_name("WORD")
        ->capture_default_str();
    command.add_option("--aggregate", options.aggregate, "How duals become a multiplier: mean, sum, max or share")
        ->type_name("WORD")
        ->capture_default_str();
    command.add_flag("--dual-range", options.explain.multipliers.dual_range,
                     "Also find out whether the leading rule depends on which optimal duals the solver picked");
    command.add_option("--shots", options.explain.counterfactuals.search.shots, "Random changes tried per decision")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("M")
        ->capture_default_str();
    std::map<std::string, Certification> const modes{
        {"instance", Certification::instance}, {"prefix", Certification::prefix}, {"none", Certification::none}};
    command
        .add_option("--certify", options.certify,
                    "What a counterfactual's certificate says. prefix: what was done so far and the new action can be "
                    "completed; instance: the changed instance has a solution; none")
        ->transform(CLI::CheckedTransformer(modes).description(""))
        ->type_name("WORD")
        ->default_str("prefix");
    command.add_flag("--no-refine", options.no_refine, "Leave the counterfactual as it was sampled");
    command
        .add_option("--fix", options.fixed, "A tensor that counterfactuals leave alone (locs, say); may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    command.add_flag("--primitive", options.primitive,
                     "Change only what an instance really contains, and derive the rest anew (times and machines of "
                     "operations, rather than the number of machines that a policy reads)");
    std::map<std::string, Acceptance> const rules{{"empirical", Acceptance::empirical},
                                                  {"certified", Acceptance::certified}};
    command
        .add_option(
            "--accept", options.accept,
            "When a set of nodes is sufficient. empirical: the observed rate reaches 1 - epsilon; certified: its "
            "lower bound does")
        ->transform(CLI::CheckedTransformer(rules).description(""))
        ->type_name("WORD")
        ->default_str("empirical");
}

} // namespace

void add_explain_options(CLI::App& command, ExplainCommand& options) {
    command.add_option("POLICY", options.policy, "Policy file (.safetensors)")->required()->type_name("");
    command.add_option("INSTANCE", options.instances, "Instance file")->required()->type_name("");
    command.add_option("--instance", options.instance, "Which instance of the file, counted from 0")
        ->type_name("i")
        ->capture_default_str();
    command
        .add_option("--step,--steps", options.step,
                    "Which decisions, counted from 0: a step (3), a range (2-5) or all (the default)")
        ->type_name("t");
    command
        .add_option("--why-not", options.explain.why_not,
                    "Also say why this node was not chosen, and what would make the policy choose it. Nodes are called "
                    "as in the drawing: 17, depot, or 3.2 for the second operation of job 3")
        ->type_name("NODE");
    command.add_option("--html", options.html, "Write the report: one file with drawings, for any browser, offline")
        ->type_name("FILE");
    command.add_flag("--brief", options.brief, "A few lines per step");
    command
        .add_option("--parts", options.parts,
                    "Which explanations, separated by commas: attribution, counterfactual, subset; or none")
        ->type_name("WORDS")
        ->default_str("all");
    add_method_options(command, options);
    command.add_flag("--keep-units", options.keep_units, "Do not scale the instance into the policy's range");
    add_seed(command, options.explain.seed);
    add_threads(command, options.explain.threads);
    add_precision(command, options.precision);
    add_reader_options(command, options.read);
    add_json(command, options.json);
}

Result<ExplainOptions> explain_options(ExplainCommand const& options, ProblemInfo const& info) {
    ExplainOptions explain = options.explain;
    auto steps = parse_steps(options.step);
    if (!steps) return steps.error();
    explain.steps = *std::move(steps);
    if (auto ok = set_parts(options.parts, explain); !ok) return ok.error();
    auto const backend = backend_of(options.backend);
    if (!backend) return backend.error().within("--backend");
    auto const aggregate = aggregate_of(options.aggregate);
    if (!aggregate) return aggregate.error().within("--aggregate");
    explain.multipliers.backend = *backend;
    explain.multipliers.aggregate = *aggregate;
    explain.counterfactuals.certification.mode = options.certify;
    explain.counterfactuals.refine = !options.no_refine;
    if (options.primitive) move_primitives(explain.counterfactuals.search);
    explain.subsets.accept = options.accept;
    if (auto ok = set_fixed(options.fixed, info, explain.counterfactuals.search.perturbation); !ok) return ok.error();
    return explain;
}

Json explain_settings(ExplainCommand const& options) {
    ExplainOptions const& explain = options.explain;
    Json settings = {{"instance", options.instance},
                     {"step", options.step.empty() ? "all" : options.step},
                     {"parts", options.parts},
                     {"why_not", explain.why_not},
                     {"backend", options.backend},
                     {"aggregate", options.aggregate},
                     {"dual_range", explain.multipliers.dual_range},
                     {"shots", explain.counterfactuals.search.shots},
                     {"certify", name_of(options.certify)},
                     {"refine", !options.no_refine},
                     {"primitive", options.primitive},
                     {"fixed", options.fixed},
                     {"accept", options.accept == Acceptance::certified ? "certified" : "empirical"},
                     {"epsilon", explain.subsets.epsilon},
                     {"delta", explain.subsets.delta},
                     {"sigma", explain.subsets.sigma},
                     {"k_max", explain.subsets.k_max},
                     {"keep_units", options.keep_units},
                     {"precision", precision_name(options.precision)}};
    if (!options.read.empty()) settings["read"] = options.read;
    return settings;
}

} // namespace cax::cli
