#include "command.hpp"
#include "common_options.hpp"
#include "decode_options.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "narrate.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/exchange.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace cax::cli {
namespace {

struct SolveOptions {
    std::string policy;
    std::string instances;
    DecodeOptions decode;
    Precision precision = Precision::float32;
    std::size_t limit = 0;
    std::vector<std::string> read;
    bool narrate = false;
    std::string json;
    std::string solutions;
};

/// One instance's episode, judged by the problem's own checker.
struct Solved {
    Episode episode;
    Solution solution;
    CheckReport report;
};

Result<std::vector<Solved>> decode_and_check(Policy const& policy, std::vector<InstancePtr> const& instances,
                                             DecodeOptions options) {
    ProgressBar bar("solving");
    options.progress = bar.callback();
    auto episodes = decode(policy, instances, options);
    if (!episodes) return episodes.error();
    std::vector<Solved> solved;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto solution = instances[i]->solution_of((*episodes)[i].actions);
        if (!solution) return solution.error().within(fmt::format("instance {}", i));
        CheckReport report = instances[i]->check(*solution);
        solved.push_back({std::move((*episodes)[i]), std::move(*solution), std::move(report)});
    }
    return solved;
}

double mean_cost(std::vector<Solved> const& solved) {
    double const sum = std::accumulate(solved.begin(), solved.end(), 0.0,
                                       [](double so_far, Solved const& each) { return so_far + each.report.cost; });
    return sum / static_cast<double>(solved.size());
}

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

Json settings_json(SolveOptions const& options) {
    Json settings = {{"decode", name_of(options.decode.mode)},
                     {"encode", name_of(options.decode.encode)},
                     {"precision", precision_name(options.precision)},
                     {"limit", options.limit}};
    if (options.decode.mode == DecodeMode::sample) settings["samples"] = options.decode.samples;
    if (!options.read.empty()) settings["read"] = options.read;
    return settings;
}

/// Makespans of whole numbers are whole numbers.
int decimals(std::vector<Solved> const& solved) {
    bool const whole = std::ranges::all_of(
        solved, [](Solved const& each) { return each.report.cost == std::floor(each.report.cost); });
    return whole ? 0 : 4;
}

void print_summary(LoadedPolicy const& policy, io::InstanceFile const& file, std::vector<Solved> const& solved,
                   SolveOptions const& options, double seconds) {
    ProblemInfo const& info = policy.problem->info();
    fmt::print("{} {} instance{} of size {}, {}\n", solved.size(), info.name, solved.size() == 1 ? "" : "s",
               sizes_in_words(file.instances), name_of(options.decode.mode));
    if (auto const note = size_note(policy, file.instances); !note.empty()) fmt::print("note: {}\n", note);
    constexpr std::size_t rows = 10;
    Table table({"instance", std::string(info.cost_word), "steps", "<checked"});
    std::size_t invalid = 0;
    int const places = decimals(solved);
    for (std::size_t i = 0; i < solved.size(); ++i) {
        CheckReport const& report = solved[i].report;
        invalid += report.valid() ? 0 : 1;
        if (i >= rows && report.valid()) continue;
        table.add({fmt::format("{}", i), fmt::format("{:.{}f}", report.cost, places),
                   fmt::format("{}", solved[i].episode.actions.size()),
                   report.valid() ? "valid" : "INVALID: " + report.violations.front()});
    }
    fmt::print("{}", table.text());
    if (solved.size() > rows) fmt::print("  ... and {} more\n", solved.size() - rows);
    fmt::print("mean {} {:.4f}, {} of {} valid, {:.2f} s\n", info.cost_word, mean_cost(solved), solved.size() - invalid,
               solved.size(), seconds);
}

Result<void> write_solutions(std::string const& path, ResultHead const& head, io::InstanceFile const& file,
                             std::vector<Solved> const& solved) {
    if (path.ends_with(".sol")) {
        auto const* routes = std::get_if<Routes>(&solved.front().solution);
        if (routes == nullptr) {
            return Error{ErrorCode::unsupported, path + ": --solutions: .sol holds routes, not schedules; use .json"};
        }
        return io::write_text(path, io::format_sol({*routes, solved.front().report.cost}));
    }
    Json json = result_with_head(head, Json::object());
    json["problem"] = file.problem->info().name;
    json["instances"] = Json::array();
    for (std::size_t i = 0; i < solved.size(); ++i) {
        Json entry = {{"cost", solved[i].report.cost}, {"valid", solved[i].report.valid()}};
        entry.update(solution_to_json(*file.instances[i], solved[i].solution));
        json["instances"].push_back(std::move(entry));
    }
    return write_json(path, json);
}

Result<Outcome> solve(SolveOptions const& options) {
    Stopwatch const stopwatch;
    auto const reader_options = parse_pairs(options.read, "--read");
    if (!reader_options) return reader_options.error();
    auto const policy = load_policy(
        options.policy, {.precision = options.precision, .threads = options.decode.threads, .coupled_batch = false});
    if (!policy) return policy.error();
    auto const file = load_instances(options.instances, *policy, *reader_options, options.limit);
    if (!file) return file.error();
    if (options.narrate && file->instances.size() != 1) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("{}: --narrate tells one episode, there are {} instances; add --limit 1",
                                 options.instances, file->instances.size())};
    }
    if (options.solutions.ends_with(".sol") && file->instances.size() != 1) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("{}: --solutions: .sol holds one instance, there are {}; use .json, or --limit 1",
                                 options.solutions, file->instances.size())};
    }
    auto const solved = decode_and_check(*policy->policy, file->instances, options.decode);
    if (!solved) return solved.error().within(options.instances);

    std::vector<NarratedStep> story;
    if (options.narrate) {
        story = narrate(*policy->policy, *file->instances.front(), solved->front().episode, options.decode);
        fmt::print("{}\n{}\n", file->instances.front()->description(), narration_text(policy->problem->info(), story));
    }
    print_summary(*policy, *file, *solved, options, stopwatch.seconds());

    ResultHead head{.kind = "solve",
                    .command = "solve",
                    .seed = options.decode.seed,
                    .policy = &*policy,
                    .instances = &*file,
                    .stopwatch = &stopwatch};
    if (!options.json.empty()) {
        Json json = result_with_head(head, settings_json(options));
        json["problem"] = policy->problem->info().name;
        json["mean_cost"] = mean_cost(*solved);
        json["instances"] = Json::array();
        for (std::size_t i = 0; i < solved->size(); ++i) {
            json["instances"].push_back(instance_json(*file->instances[i], (*solved)[i]));
        }
        if (options.narrate) json["instances"][0]["steps"] = narration_json(policy->problem->info(), story);
        if (auto const written = write_json(options.json, json); !written) return written.error();
    }
    if (!options.solutions.empty()) {
        head.kind = "solutions";
        if (auto const written = write_solutions(options.solutions, head, *file, *solved); !written)
            return written.error();
    }
    bool const all_valid = std::ranges::all_of(*solved, [](Solved const& each) { return each.report.valid(); });
    return all_valid ? Outcome::success : Outcome::answer_is_no;
}

} // namespace

void add_solve(CLI::App& app, Work& work) {
    auto options = std::make_shared<SolveOptions>();
    CLI::App& command = *app.add_subcommand("solve");
    describe(
        command, "Let a policy solve instances, and check what it did",
        "Solves every instance with the policy and has each solution judged by the problem's own checker, which knows "
        "nothing of the policy. The policy must be for the instances' problem; other sizes than the trained one work. "
        "--encode matters only for policies whose encoder inputs change during an episode (FJSP): 'once' is rl4co's "
        "own "
        "loop, 'each-step' shows the encoder the current state, which is what explanations look at.");
    command.add_option("POLICY", options->policy, "Policy file (.safetensors)")->required()->type_name("");
    command.add_option("INSTANCES", options->instances, "Instance file")->required()->type_name("");
    command.add_option("--decode", options->decode.mode, decode_help)
        ->transform(CLI::CheckedTransformer(decode_words()).description(""))
        ->type_name("WORD")
        ->default_str("greedy");
    add_samples(command, options->decode.samples);
    add_encode(command, options->decode.encode);
    add_limit(command, options->limit);
    add_seed(command, options->decode.seed);
    add_threads(command, options->decode.threads);
    add_precision(command, options->precision);
    add_reader_options(command, options->read);
    add_json(command, options->json);
    command
        .add_option("--solutions", options->solutions, "Write the solutions: .json, or .sol for one routing instance")
        ->type_name("FILE");
    command.add_flag("--narrate", options->narrate, "Tell the episode of one instance decision by decision");
    command.footer(R"(
Examples:
  cax solve op.safetensors four.json
  cax solve cvrptw.safetensors instances.npz --decode multistart --json result.json
  cax solve op.safetensors four.json --limit 1 --narrate)");
    command.callback([&work, options] { work = [options] { return solve(*options); }; });
}

} // namespace cax::cli
