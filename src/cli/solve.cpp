#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/narration.hpp"
#include "cax/explain/requests.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace cax::cli {
namespace {

struct SolveCommand {
    PolicyInputs inputs;
    DecodeOptions decode;
    DecisionChoice told; ///< which decisions are narrated
    bool narrate = false;
    std::string solutions;
};

void describe(OptionTable& table, SolveCommand& command) {
    describe(table, command.inputs);
    describe(table, command.decode);
    table.flag("narrate", command.narrate, "Tell the episode of one instance decision by decision").not_a_setting();
    table.choose({"step", "steps"}, command.told);
    for (char const* const name : {"step", "steps"}) table.find(name)->with({"narrate"}).not_a_setting();
    table.value("solutions", command.solutions, "FILE", "Write the solutions: .json, or .sol for one routing instance")
        .not_a_setting();
}

double cost_of(Solved const& solved) { return solved.report.cost; }

Json instance_json(Instance const& instance, Solved const& solved) {
    Json entry = {
        {"cost", solved.report.cost},
        {"actions", solved.episode.actions},
        {"valid", solved.report.valid()},
        {"log_likelihood", std::accumulate(solved.episode.log_probs.begin(), solved.episode.log_probs.end(), 0.0)}};
    if (!instance.name().empty()) entry["name"] = instance.name();
    if (!solved.report.valid()) entry["violations"] = solved.report.violations;
    entry.update(solution_to_json(instance, solved.solution));
    return entry;
}

void print_solved(Loaded const& loaded, std::vector<Solved> const& solved, SolveCommand const& command) {
    fmt::print("{}, {}\n{}", loaded.heading(), name_of(command.decode.mode), loaded.notes_text());
    constexpr std::size_t rows = 10;
    Table table({"instance", std::string(loaded.info().cost_word), "steps", "<checked"});
    std::size_t invalid = 0;
    int const places = decimals(solved, cost_of);
    for (std::size_t i = 0; i < solved.size(); ++i) {
        CheckReport const& report = solved[i].report;
        invalid += report.valid() ? 0 : 1;
        if (i >= rows && report.valid()) continue;
        table.add(loaded.numbers[i], fmt::format("{:.{}f}", report.cost, places), solved[i].episode.actions.size(),
                  report.valid() ? "valid" : "INVALID: " + report.violations.front());
    }
    fmt::print("{}", table.text());
    if (solved.size() > rows) fmt::print("  ... and {} more\n", solved.size() - rows);
    fmt::print("mean {} {:.4f}, {} of {} valid, {:.2f} s\n", loaded.info().cost_word, mean_of(solved, cost_of),
               solved.size() - invalid, solved.size(), loaded.stopwatch.seconds());
}

void write_solutions(SolveCommand const& command, Loaded const& loaded, std::vector<Solved> const& solved) {
    std::string const& path = command.solutions;
    if (path.ends_with(".sol")) {
        auto const* routes = std::get_if<Routes>(&solved.front().solution);
        if (routes == nullptr) fail(path + ": --solutions: .sol holds routes, not schedules; use .json");
        return must(io::write_text(path, io::format_sol({*routes, solved.front().report.cost})));
    }
    Json json = result_of("solutions", "solve", command.inputs, loaded, Json::object());
    json["problem"] = loaded.info().name;
    json["instances"] = Json::array();
    for (std::size_t i = 0; i < solved.size(); ++i) {
        Json entry = {{"cost", solved[i].report.cost}, {"valid", solved[i].report.valid()}};
        entry.update(solution_to_json(*loaded.file.instances[i], solved[i].solution));
        json["instances"].push_back(std::move(entry));
    }
    write_json(path, json);
}

/// What can be said of one instance only.
void check_single(SolveCommand const& command, std::size_t count) {
    if (command.narrate && count != 1) {
        fail("{}: --narrate tells one episode, there are {} instances; add --limit 1, or "
             "--instance with its number",
             command.inputs.instances, count);
    }
    if (command.solutions.ends_with(".sol") && count != 1) {
        fail("{}: --solutions: .sol holds one instance, there are {}; use .json, or --limit 1", command.solutions,
             count);
    }
}

/// The chosen decisions of the only episode.
std::vector<NarratedStep> narrated(Loaded const& loaded, Solved const& solved, SolveCommand const& command) {
    auto const chosen = must(command.told.of(solved.episode.actions.size()));
    auto const all = must(narrate(*loaded.policy.policy, loaded.file.instances.front(), solved.episode, command.decode));
    std::vector<NarratedStep> story;
    for (std::size_t const step : chosen) story.push_back(all[step]);
    return story;
}

Outcome run(SolveCommand& command) {
    auto const loaded = load(command.inputs);
    check_single(command, loaded.file.instances.size());
    command.decode.seed = command.inputs.seed;
    command.decode.threads = command.inputs.threads;
    command.decode.numbers = loaded.numbers;
    auto const solved = [&] {
        ProgressBar bar("solving");
        command.decode.progress = bar.callback();
        return must(cax::solve(*loaded.policy.policy, loaded.file.instances, command.decode), command.inputs.instances);
    }();

    std::vector<NarratedStep> story;
    if (command.narrate) {
        story = narrated(loaded, solved.front(), command);
        fmt::print("{}\n{}\n", loaded.file.instances.front()->description(), narration_text(loaded.info(), story));
    }
    print_solved(loaded, solved, command);
    if (!command.inputs.json.empty()) {
        Json json = result_of("solve", "solve", command.inputs, loaded, table_of(command).json());
        json["problem"] = loaded.info().name;
        json["mean_cost"] = mean_of(solved, cost_of);
        json["instances"] = Json::array();
        for (std::size_t i = 0; i < solved.size(); ++i) {
            json["instances"].push_back(instance_json(*loaded.file.instances[i], solved[i]));
            json["instances"].back()["instance"] = loaded.numbers[i];
        }
        if (command.narrate) json["instances"][0]["steps"] = narration_json(loaded.info(), story);
        write_json(command.inputs.json, json);
    }
    if (!command.solutions.empty()) write_solutions(command, loaded, solved);
    bool const all_valid = std::ranges::all_of(solved, [](Solved const& each) { return each.report.valid(); });
    return all_valid ? Outcome::success : Outcome::answer_is_no;
}

} // namespace

Command solve_command() {
    return make_command<SolveCommand>(
        {.name = "solve",
         .summary = "Let a policy solve instances, and check what it did",
         .paragraph =
             "Solves every instance with the policy and has each solution judged by the problem's own checker, which "
             "knows nothing of the policy. The policy must be for the instances' problem; other sizes than the trained "
             "one work. --encode matters only for policies whose encoder inputs change during an episode (FJSP): "
             "'once' is rl4co's own loop, 'each-step' shows the encoder the current state, which is what explanations "
             "look at unless told otherwise.",
         .footer = R"(Examples:
  cax solve op.safetensors four.json
  cax solve cvrptw.safetensors instances.npz --decode multistart --json result.json
  cax solve op.safetensors four.json --limit 1 --narrate
  cax solve op.safetensors four.json --instance 2 --narrate --steps 5)"});
}

} // namespace cax::cli
