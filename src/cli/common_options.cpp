#include "common_options.hpp"

#include "must.hpp"
#include "progress_bar.hpp"

#include "cax/app/explain.hpp"
#include "cax/core/json.hpp"

#include <fmt/format.h>
#include <utility>

namespace cax::cli {
namespace {

Option& common(Option& option) {
    option.group = common_group;
    return option;
}

} // namespace

Option& seed_option(OptionTable& table, std::uint64_t& seed) {
    return common(table.value("seed", seed, "S", seed_help)).not_a_setting();
}

Option& threads_option(OptionTable& table, std::size_t& threads) {
    return common(table.value("threads", threads, "n", "Threads to use, 0 = all cores; never changes the result"))
        .range(0, 1024)
        .not_a_setting();
}

Option& json_option(OptionTable& table, std::string& path) {
    return common(table.value("json", path, "FILE",
                              "Also write the result here, for machines; - = to standard output, and the text to "
                              "standard error"))
        .not_a_setting()
        .then([&path] {
            if (path == standard_output) set_standard_output_aside();
        });
}

Option& csv_option(OptionTable& table, std::string& folder) {
    return common(table.value("csv", folder, "DIR", "Also write it as tidy tables to this folder, one .csv each"))
        .not_a_setting();
}

void describe(OptionTable& table, PolicyInputs& inputs) {
    table.positional("POLICY", inputs.policy,
                     "Policy file (.safetensors), or the name of one of the trained ones: op-20-s0");
    table.positional("INSTANCES", inputs.instances, "Instance file").required = false; // see load()
    table.group(common_group);
    table
        .value("policy-command", inputs.policy_command, "COMMAND",
               "In place of POLICY: a program that answers for it (docs/policy-protocol.md)")
        .not_a_setting();
    app::LoadOptions& files = inputs;
    table.choose({"instance", "limit"}, files);
    seed_option(table, inputs.seed);
    threads_option(table, inputs.threads);
    table.choose({"precision", "keep-units", "allow-random", "read"}, files);
    json_option(table, inputs.json);
    table.group("");
}

Loaded load(PolicyInputs& inputs) {
    Stopwatch const stopwatch;
    if (inputs.policy_command.empty() == inputs.instances.empty()) {
        fail(inputs.instances.empty() ? "INSTANCES is required"
                                      : "POLICY and --policy-command: a policy is one or the other");
    }
    if (inputs.instances.empty()) inputs.instances = std::exchange(inputs.policy, {});
    auto const reader = must(parse_pairs(inputs.read, "--read"));
    auto policy = must(inputs.policy_command.empty()
                           ? app::load_policy(inputs.policy, {.precision = inputs.precision, .threads = inputs.threads})
                           : app::start_policy(inputs.policy_command));
    policy.allow_random = inputs.allow_random;
    auto file = must(app::read_instances(inputs.instances, policy, reader));
    return {must(app::load(std::move(policy), std::move(file), inputs.selection, inputs.keep_units), inputs.instances),
            stopwatch};
}

std::string Loaded::notes_text() const {
    std::string text;
    for (std::string const& each : {size_note, scales.note})
        text += each.empty() ? "" : fmt::format("note: {}\n", each);
    return text;
}

Decided decide(Loaded const& loaded, DecisionChoice const& choice) {
    ProgressBar bar("deciding");
    RolloutOptions options = choice.rollout_options();
    options.numbers = loaded.numbers;
    options.progress = bar.callback();
    Decided decided{must(rollout(*loaded.policy.policy, loaded.file.instances, options)), {}};
    for (Episode& each : decided.episodes) {
        each.decisions = must(choice.of(std::span(&each, 1)));
        decided.decisions.insert(decided.decisions.end(), each.decisions.begin(), each.decisions.end());
    }
    return decided;
}

ExplainOptions explain_options(ExplanationRequest& request, PolicyInputs const& inputs, Loaded const& loaded) {
    ProgressBar bar("measuring what is usual for this policy, once");
    app::WorkOptions const work{.seed = inputs.seed, .threads = inputs.threads, .measuring = bar.callback()};
    return must(app::explain_options(request, loaded.policy, *loaded.policy.policy, work));
}

Json result_of(std::string_view kind, std::string_view command, PolicyInputs const& inputs, Loaded const& loaded,
               Json settings) {
    app::ResultHead const head{
        .kind = kind, .command = command, .seed = inputs.seed, .wall_seconds = loaded.stopwatch.seconds()};
    return app::result_of(head, loaded, std::move(settings));
}

void write_result(PolicyInputs const& inputs, Json const& result) {
    write_json(inputs.json, result);
    if (!inputs.csv.empty()) write_csv(inputs.csv, result);
}

} // namespace cax::cli
