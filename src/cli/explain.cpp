#include "command.hpp"
#include "common_options.hpp"
#include "explain_options.hpp"
#include "explanation_text.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/report/page.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace cax::cli {
namespace {

/// The one instance to explain, in units that the policy knows.
Result<InDomain> chosen_instance(ExplainCommand const& options, io::InstanceFile const& file) {
    if (options.instance >= file.instances.size()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("{}: --instance: {} is beyond the end: the file has {}, counted from 0",
                                 options.instances, options.instance, file.instances.size())};
    }
    InstancePtr const& instance = file.instances[options.instance];
    if (options.keep_units) return InDomain{.instance = instance, .note = {}};
    auto fitted = instance->problem().presentation().into_domain(instance);
    if (!fitted) return fitted.error().within(fmt::format("{}: scaled into the policy's range", options.instances));
    return fitted;
}

std::vector<std::string> notes_about(LoadedPolicy const& policy, io::InstanceFile const& file,
                                     ExplainCommand const& options, InDomain const& chosen) {
    std::vector<std::string> notes;
    if (file.instances.size() > 1) {
        notes.push_back(
            fmt::format("The file has {} instances; this is instance {}.", file.instances.size(), options.instance));
    }
    if (auto note = size_note(policy, {chosen.instance}); !note.empty()) {
        notes.push_back("Take it with care: " + note + ".");
    }
    if (!chosen.note.empty()) notes.push_back(chosen.note);
    return notes;
}

Result<Outcome> run(ExplainCommand const& options) {
    Stopwatch const stopwatch;
    auto const reader_options = parse_pairs(options.read, "--read");
    if (!reader_options) return reader_options.error();
    auto const policy = load_policy(
        options.policy, {.precision = options.precision, .threads = options.explain.threads, .coupled_batch = false});
    if (!policy) return policy.error();
    auto explain = explain_options(options, policy->problem->info());
    if (!explain) return explain.error();
    auto const file = load_instances(options.instances, *policy, *reader_options, 0);
    if (!file) return file.error();
    auto const chosen = chosen_instance(options, *file);
    if (!chosen) return chosen.error();

    Result<Json> body = [&] {
        ProgressBar bar("explaining");
        explain->progress = bar.callback();
        return cax::explain(*policy->policy, chosen->instance, *explain);
    }();
    if (!body) return body.error().within(options.instances);

    Json json = result_with_head({.kind = "explanation",
                                  .command = "explain",
                                  .seed = explain->seed,
                                  .policy = &*policy,
                                  .instances = &*file,
                                  .stopwatch = &stopwatch},
                                 explain_settings(options));
    json["notes"] = notes_about(*policy, *file, options, *chosen);
    json["scale"] = chosen->scale;
    json.update(*body);
    fmt::print("{}", explanation_text(json, options.brief));
    if (!options.json.empty()) {
        if (auto const written = write_json(options.json, json); !written) return written.error();
    }
    if (!options.html.empty()) {
        auto const page = report::page(json);
        if (!page) return page.error().within("--html");
        if (auto const written = io::write_text(options.html, *page); !written) return written.error();
        fmt::print("\n{}: the same as a page, with drawings; open it in a browser\n", options.html);
    }
    return Outcome::success;
}

} // namespace

void add_explain(CLI::App& app, Work& work) {
    auto options = std::make_shared<ExplainCommand>();
    CLI::App& command = *app.add_subcommand("explain");
    describe(
        command, "Explain a policy's decisions on one instance, in words and pictures",
        "For every chosen step: what was decided and how surely, how tight each rule was, which rules counted "
        "(attribution), what would have changed the decision (a counterfactual with a certificate), and which nodes "
        "were enough for it. Every sentence says how sure it is. Instances of other sizes than the trained one work, "
        "with a note; numbers outside the range of the training instances are scaled into it, and the output says "
        "so.");
    add_explain_options(command, *options);
    command.footer(R"(
Examples:
  cax explain models/op-20-s0.safetensors city.json --step 2
  cax explain models/op-20-s0.safetensors city.json --step 2 --why-not 16
  cax explain models/op-20-s0.safetensors city.json --html city.html --json city-why.json)");
    command.callback([&work, options] { work = [options] { return run(*options); }; });
}

} // namespace cax::cli
