#include "common_options.hpp"

#include "must.hpp"
#include "progress_bar.hpp"

#include "cax/core/json.hpp"
#include "cax/kept/reference.hpp"

#include <fmt/format.h>
#include <limits>
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

Option& reader_options(OptionTable& table, Texts& pairs) {
    return common(table.value("read", pairs, "KEY=VALUE", "Option of a text format's reader; may be repeated"));
}

void describe(OptionTable& table, InstanceChoice& choice) {
    common(table.places("instance", {&choice.places, 0, "instances"}, "LIST",
                        "Only these instances of the file, counted from 0, such as 2 or 0,4-7"));
    common(table.value("limit", choice.limit, "B", "Only the first B instances of the file"))
        .range(1, std::numeric_limits<int>::max())
        .without({"instance"})
        .default_is("");
}

void describe(OptionTable& table, PolicyInputs& inputs) {
    table.positional("POLICY", inputs.policy,
                     "Policy file (.safetensors), or the name of one of the trained ones: op-20-s0");
    table.positional("INSTANCES", inputs.instances, "Instance file").required = false; // see load()
    common(table.value("policy-command", inputs.policy_command, "COMMAND",
                       "In place of POLICY: a program that answers for it (docs/policy-protocol.md)"))
        .not_a_setting();
    describe(table, inputs.choice);
    seed_option(table, inputs.seed);
    threads_option(table, inputs.threads);
    common(table.choice("precision", inputs.precision, "What the network computes in"));
    common(table.flag("keep-units", inputs.keep_units,
                      "Show the policy the file's numbers as they are, even outside the range it was trained on"));
    reader_options(table, inputs.read);
    json_option(table, inputs.json);
}

Loaded load(PolicyInputs& inputs) {
    Stopwatch const stopwatch;
    if (inputs.policy_command.empty() == inputs.instances.empty()) {
        fail(inputs.instances.empty() ? "INSTANCES is required"
                                      : "POLICY and --policy-command: a policy is one or the other");
    }
    if (inputs.instances.empty()) inputs.instances = std::exchange(inputs.policy, {});
    auto const reader = must(parse_pairs(inputs.read, "--read"));
    auto policy = inputs.policy_command.empty()
                      ? load_policy(inputs.policy, {.precision = inputs.precision, .threads = inputs.threads})
                      : start_policy(inputs.policy_command);
    auto file = load_instances(inputs.instances, policy, reader);
    std::size_t const in_file = file.instances.size();
    auto numbers = choose_instances(file, inputs.choice, inputs.instances);
    check_accepted(policy, file, numbers, inputs.instances);
    std::string note = size_note(policy, file.instances);
    Loaded loaded{stopwatch, std::move(policy), std::move(file), std::move(numbers), in_file, std::move(note), {}};
    bool const as_they_are = inputs.keep_units || loaded.policy.policy->traits().own_numbers;
    if (!as_they_are) loaded.fit = fit_instances(loaded.file, inputs.instances);
    return loaded;
}

std::string Loaded::notes_text() const {
    std::string text;
    for (std::string const& each : {note, fit.note}) text += each.empty() ? "" : fmt::format("note: {}\n", each);
    return text;
}

std::vector<std::string> Loaded::notes() const {
    std::vector<std::string> notes;
    if (in_file > 1) {
        notes.push_back(fmt::format("The file has {} instances; this is instance {}.", in_file, numbers.front()));
    }
    if (!note.empty()) notes.push_back("Take it with care: " + note + ".");
    return notes;
}

Decided decide(Loaded const& loaded, CellChoice const& choice) {
    ProgressBar bar("deciding");
    WalkOptions options = choice.walk_options();
    options.numbers = loaded.numbers;
    options.progress = bar.callback();
    Decided decided{must(walk(*loaded.policy.policy, loaded.file.instances, options)), {}};
    for (Walk& each : decided.walks) {
        each.cells = must(choice.of(std::span(&each, 1)));
        decided.cells.insert(decided.cells.end(), each.cells.begin(), each.cells.end());
    }
    return decided;
}

void add_reference(ExplainOptions& options, std::uint64_t decisions, LoadedPolicy const& policy) {
    if (!options.sensitivity) return;
    ProgressBar bar("measuring what is usual for this policy, once");
    ReferenceOptions reference;
    reference.decisions = decisions;
    reference.sensitivity = options.sensitivities;
    reference.state = options.state_options;
    reference.threads = options.threads;
    reference.policy_sha256 = policy.sha256;
    reference.progress = bar.callback();
    options.reference = must(kept_reference(*policy.problem, *policy.policy, policy.path, reference));
}

Json result_of(std::string_view kind, std::string_view command, PolicyInputs const& inputs, Loaded const& loaded,
               Json settings) {
    Json json = result_with_head({.kind = kind,
                                  .command = command,
                                  .seed = inputs.seed,
                                  .policy = &loaded.policy,
                                  .instances = &loaded.file,
                                  .stopwatch = &loaded.stopwatch},
                                 std::move(settings));
    if (!loaded.fit.note.empty()) json["shown_scales"] = loaded.fit.scales;
    return json;
}

void write_result(PolicyInputs const& inputs, Json const& result) {
    write_json(inputs.json, result);
    if (!inputs.csv.empty()) write_csv(inputs.csv, result);
}

} // namespace cax::cli
