#include "cax/baselines/baseline.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct BaselineCommandOptions {
    std::string instances;
    std::string set;
    BaselinesOptions search;
    bool iterations_given = false;
    std::size_t limit = 0;
    std::vector<std::string> read;
    std::string json;

    [[nodiscard]] std::string set_name() const {
        return set.empty() ? std::filesystem::path(instances).stem().string() : set;
    }
};

double mean_cost(std::vector<SearchResult> const& results) {
    double sum = 0;
    for (SearchResult const& each : results) sum += each.cost;
    return sum / static_cast<double>(results.size());
}

std::size_t proven(std::vector<SearchResult> const& results) {
    return static_cast<std::size_t>(std::ranges::count_if(results, &SearchResult::optimal));
}

void print_summary(io::InstanceFile const& file, std::vector<SearchResult> const& results, double seconds) {
    ProblemInfo const& info = file.problem->info();
    fmt::print("{} {} instance{} of size {}\n", results.size(), info.name, results.size() == 1 ? "" : "s",
               sizes_in_words(file.instances));
    constexpr std::size_t rows = 10;
    bool const whole = std::ranges::all_of(
        results, [](double cost) { return cost == std::floor(cost); }, &SearchResult::cost);
    int const places = whole ? 0 : 4;
    Table table({"instance", std::string(info.cost_word), "bound", "<proven"});
    for (std::size_t i = 0; i < std::min(rows, results.size()); ++i) {
        SearchResult const& each = results[i];
        table.add({fmt::format("{}", i), fmt::format("{:.{}f}", each.cost, places),
                   each.lower_bound ? fmt::format("{:.{}f}", *each.lower_bound, places) : "-",
                   each.optimal ? "optimal" : ""});
    }
    fmt::print("{}", table.text());
    if (results.size() > rows) fmt::print("  ... and {} more\n", results.size() - rows);
    fmt::print("mean {} {:.4f}, {} of {} proven optimal, {:.2f} s\n", info.cost_word, mean_cost(results),
               proven(results), results.size(), seconds);
}

Json settings_json(BaselineCommandOptions const& options) {
    Json settings = {{"seconds", options.search.seconds},
                     {"iterations", options.iterations_given ? Json(options.search.iterations) : Json(nullptr)},
                     {"limit", options.limit}};
    if (!options.read.empty()) settings["read"] = options.read;
    return settings;
}

/// A best-known file with a head: `cax gap --best-known` reads it.
Json result_json(ResultHead const& head, BaselineCommandOptions const& options, io::InstanceFile const& file,
                 std::vector<SearchResult> const& results) {
    Json json = result_with_head(head, settings_json(options));
    json["problem"] = file.problem->info().name;
    json["mean_cost"] = mean_cost(results);
    json["proven"] = proven(results);
    Json entries = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
        SearchResult const& each = results[i];
        Json entry = {{"index", i},
                      {"cost", each.cost},
                      {"optimal", each.optimal},
                      {"lower_bound", each.lower_bound ? Json(*each.lower_bound) : Json(nullptr)},
                      {"iterations", each.iterations}};
        if (std::string const name = file.instances[i]->name(); !name.empty()) entry["name"] = name;
        entry.update(solution_to_json(*file.instances[i], each.solution));
        entries.push_back(std::move(entry));
    }
    json["problems"] = Json::object();
    json["problems"][options.set_name()] = {{"mean_cost", mean_cost(results)}, {"instances", std::move(entries)}};
    return json;
}

Result<Outcome> baseline(BaselineCommandOptions options) {
    Stopwatch const stopwatch;
    auto const reader_options = parse_pairs(options.read, "--read");
    if (!reader_options) return reader_options.error();
    auto file = io::read_instances(options.instances, nullptr, *reader_options);
    if (!file) return file.error();
    if (options.limit > 0 && file->instances.size() > options.limit) file->instances.resize(options.limit);
    if (file->instances.empty()) return Error{ErrorCode::invalid_value, options.instances + ": there are no instances"};
    ProgressBar bar("searching");
    options.search.progress = bar.callback();
    auto const results = find_baselines(file->instances, options.search);
    if (!results) return results.error().within(options.instances);
    print_summary(*file, *results, stopwatch.seconds());
    if (options.json.empty()) return Outcome::success;
    ResultHead const head{.kind = "baseline",
                          .command = "baseline",
                          .seed = options.search.seed,
                          .policy = nullptr,
                          .instances = &*file,
                          .stopwatch = &stopwatch};
    auto const written = write_json(options.json, result_json(head, options, *file, *results));
    if (!written) return written.error();
    return Outcome::success;
}

/// What is wrong with the words of --seconds and --iterations, or nothing.
std::string not_a_duration(std::string const& text) {
    double value = -1;
    if (CLI::detail::lexical_cast(text, value) && value >= 0 && std::isfinite(value)) return "";
    return fmt::format("'{}' is not a number of seconds", text);
}
std::string not_a_count(std::string const& text) {
    bool const digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? "" : fmt::format("'{}' is not a number of iterations", text);
}

} // namespace

void add_baseline(CLI::App& app, Work& work) {
    auto options = std::make_shared<BaselineCommandOptions>();
    CLI::App& command = *app.add_subcommand("baseline");
    describe(
        command, "Solve instances by classical means, proven where possible",
        "Solves every instance without a policy: ruin and recreate for routing, an exact programme for orienteering "
        "with up to 20 customers that matter, annealing and then a constraint solver for job shops. Every "
        "solution is checked; 'optimal' means that it is proven. The JSON file is a best-known file for 'cax gap'. "
        "Seconds make a result depend on the machine; with --iterations, and seconds enough, the same seed gives "
        "the same result anywhere.");
    command.add_option("INSTANCES", options->instances, "Instance file")->required()->type_name("");
    command.add_option("--seconds", options->search.seconds, "Time for each instance")
        ->check(CLI::Validator(not_a_duration, ""))
        ->type_name("S")
        ->capture_default_str();
    auto* iterations = command.add_option("--iterations", options->search.iterations,
                                          "Also stop after so many iterations of the search, and nodes of the solver");
    iterations->check(CLI::Validator(not_a_count, ""))->type_name("n");
    command.add_option("--set", options->set, "Name of the set in the JSON file; otherwise the instance file's stem")
        ->type_name("NAME");
    add_limit(command, options->limit);
    add_seed(command, options->search.seed);
    add_threads(command, options->search.threads);
    add_reader_options(command, options->read);
    add_json(command, options->json);
    command.footer(R"(
Examples:
  cax baseline op20.npz
  cax baseline cvrptw50.npz --seconds 30 --json best.json
  cax baseline fjsp10x5.npz --seconds 60 --limit 8 --json best.json
  cax baseline cvrptw50.npz --iterations 200000 --seconds 3600 --seed 1)");
    command.callback([&work, options, iterations] {
        options->iterations_given = iterations->count() > 0;
        work = [options] { return baseline(*options); };
    });
}

} // namespace cax::cli
