#include "command.hpp"
#include "common_options.hpp"
#include "explanation_text.hpp"
#include "must.hpp"
#include "partial_file.hpp"
#include "plan_option.hpp"
#include "progress_bar.hpp"

#include "cax/app/explain.hpp"
#include "cax/core/json.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/files.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/report/page.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct ExplainCommand {
    ExplainCommand() { inputs.selection.places = {0}; }

    PolicyInputs inputs;
    ExplanationRequest request;
    std::string solution;
    bool brief = false;
    bool all = false;
    std::string html;
};

void describe(OptionTable& table, ExplainCommand& command) {
    PolicyInputs& inputs = command.inputs;
    table.choose({"POLICY", "INSTANCES"}, inputs);
    table.find("INSTANCES")->name = "INSTANCE";
    plan_option(table, command.solution);
    describe(table, command.request);
    table.value("html", command.html, "FILE", "Write the report: one file with drawings, for any browser, offline")
        .not_a_setting();
    table.flag("all", command.all, "Every number behind the lines, too: slacks, the paper's attribution, subsets, ...")
        .not_a_setting();
    table.flag("brief", command.brief, "The story, and one line per step").without({"all"}).not_a_setting();
    table.group(common_group);
    table.choose({"policy-command", "instance", "seed", "threads", "precision", "keep-units", "allow-random", "read", "json"}, inputs);
    csv_option(table, inputs.csv);
    table.find("instance")->help = "Which instance of the file, counted from 0";
}

/// Beside --json; null without it, if that is no plain file, or if nobody can say whether the policy is the same.
std::shared_ptr<PartialFile> partial_file(ExplainCommand& command, Loaded const& loaded,
                                          std::optional<ExternalPlan> const& plan) {
    PolicyInputs const& inputs = command.inputs;
    bool const device = std::filesystem::exists(inputs.json) && !std::filesystem::is_regular_file(inputs.json);
    if (inputs.json.empty() || inputs.json == "-" || device || loaded.policy.sha256.empty()) return nullptr;
    Json head = result_of("explanation", "explain", command.inputs, loaded, table_of(command).json());
    head.erase("wall_seconds");
    if (plan) head["plan"] = solution_to_json(*loaded.file.instances.front(), plan->solution);
    std::string const path = inputs.json + ".partial";
    auto file = PartialFile::open(path, sha256_hex(head.dump()));
    if (file->recalled() > 0)
        fmt::print(stderr, "{}: goes on with {} parts of a run that did not end\n", path, file->recalled());
    return file;
}

void run(ExplainCommand& command) {
    PolicyInputs& inputs = command.inputs;
    if (inputs.selection.places.size() != 1) fail("--instance: an explanation tells of one instance; name one");
    auto const loaded = load(inputs);
    InstancePtr const& instance = loaded.file.instances.front();
    Policy const& policy = *loaded.policy.policy;
    std::optional<ExternalPlan> plan;
    if (!command.solution.empty()) plan = external_plan(command.solution, loaded, inputs.instances);
    auto const episode = must(app::episode_of(policy, instance, command.request.decisions.state_options(), plan),
                              inputs.instances);
    auto options = explain_options(command.request, inputs, loaded);
    auto const partial = partial_file(command, loaded, plan);
    options.partial = partial;
    Explanation const explanation = [&] {
        ProgressBar bar("explaining");
        options.progress = bar.callback();
        return must(cax::explain(policy, episode, options), inputs.instances);
    }();
    Detail const detail = command.all ? Detail::everything : command.brief ? Detail::one_line : Detail::lines;
    auto const notes = app::notes_about(loaded, loaded.scales.note, episode);
    fmt::print("{}", explanation_text(explanation, notes, detail));
    if (!inputs.wants_result() && command.html.empty()) return;

    Json const json = app::explanation_result(
        result_of("explanation", "explain", inputs, loaded, table_of(command).json()), loaded, notes, explanation);
    write_result(inputs, json);
    if (partial) partial->remove();
    if (command.html.empty()) return;
    must(io::write_text(command.html, must(report::page(json), "--html")));
    fmt::print("\n{}: the same as a page, with drawings; open it in a browser\n", command.html);
}

} // namespace

Command explain_command() {
    return make_command<ExplainCommand>(
        {.name = "explain",
         .summary = "Explain a policy's decisions on one instance, in words and pictures",
         .paragraph =
             "First the story of the plan: what stands out, what it cost, where a classical search does otherwise. "
             "Then "
             "for every chosen step a few lines: how sure the decision was, what the alternatives would have cost, why "
             "not the next best, which rule blocked the favourite, whose data would upset it. --all adds the numbers: "
             "slacks, the paper's attribution, a counterfactual with a certificate, the nodes that were enough. Every "
             "sentence says how sure it is. Instances of other sizes than the trained "
             "one work, with a note; a policy is shown numbers outside the range of its training scaled into "
             "it, and the output says so; all words and numbers are in the file's own units. --solution explains a "
             "plan that somebody else made: where the policy would have decided otherwise, and what that would have "
             "cost. With --json FILE a run that was killed goes on from FILE.partial.",
         .footer = R"(Examples:
  cax explain models/op-20-s0.safetensors city.json --step 3
  cax explain models/op-20-s0.safetensors city.json --step 3,5-7 --why-not 16
  cax explain models/op-20-s0.safetensors city.json --steps 4 --parts counterfactual
  cax explain models/op-20-s0.safetensors city.json --solution planner.sol
  cax solve models/op-20-s0.safetensors city.json --decode multistart --json - 2>/dev/null |
      cax explain models/op-20-s0.safetensors city.json --solution -
  cax explain models/op-20-s0.safetensors city.json --html city.html --json city-why.json --csv city-tables)"});
}

} // namespace cax::cli
