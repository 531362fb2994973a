#include "cax/baselines/baseline.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/app/solutions.hpp"
#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct BaselineCommand {
    std::string instances;
    std::string set;
    BaselinesOptions search;
    app::LoadOptions files;
    std::string json;

    [[nodiscard]] std::string set_name() const { return set.empty() ? app::stem_of(instances) : set; }
};

void describe(OptionTable& table, BaselineCommand& command) {
    table.positional("INSTANCES", command.instances, "Instance file");
    describe(table, command.search);
    table.value("set", command.set, "NAME", "Name of the set in the JSON file; otherwise the instance file's stem")
        .not_a_setting();
    table.group(common_group);
    table.choose({"instance", "limit"}, command.files);
    seed_option(table, command.search.seed);
    threads_option(table, command.search.threads);
    table.choose({"read"}, command.files);
    json_option(table, command.json);
}

double mean_cost(std::vector<SearchResult> const& results) { return mean_of(results, &SearchResult::cost); }

std::size_t proven(std::vector<SearchResult> const& results) {
    return static_cast<std::size_t>(std::ranges::count_if(results, &SearchResult::optimal));
}

void print_baselines(io::InstanceFile const& file, std::vector<std::size_t> const& numbers,
                     std::vector<SearchResult> const& results, double seconds) {
    ProblemInfo const& info = file.problem->info();
    fmt::print("{}\n", app::instances_in_words(file.instances));
    constexpr std::size_t rows = 10;
    int const places = decimals(results, &SearchResult::cost);
    Table table({"instance", std::string(info.cost_word), "bound", "<proven"});
    for (std::size_t i = 0; i < results.size(); ++i) {
        SearchResult const& each = results[i];
        table.add(numbers[i], fmt::format("{:.{}f}", each.cost, places),
                  each.lower_bound ? fmt::format("{:.{}f}", *each.lower_bound, places) : "-",
                  each.optimal ? "optimal" : "");
    }
    fmt::print("{}mean {} {:.4f}, {} of {} proven optimal, {:.2f} s\n", table.text(rows), info.cost_word,
               mean_cost(results), proven(results), results.size(), seconds);
}

/// A best-known file with a head: `cax gap --best-known` reads it.
Json baseline_json(app::ResultHead const& head, BaselineCommand& command, io::InstanceFile const& file,
                   std::vector<SearchResult> const& results) {
    Json json = app::result_with_head(head, table_of(command).json());
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
    json["problems"][command.set_name()] = {{"mean_cost", mean_cost(results)}, {"instances", std::move(entries)}};
    return json;
}

void run(BaselineCommand& command) {
    Stopwatch const stopwatch;
    auto const reader = must(parse_pairs(command.files.read, "--read"));
    auto file = must(io::read_instances(command.instances, nullptr, reader));
    auto const numbers = must(app::select(file, command.files.selection), command.instances);
    ProgressBar bar("searching");
    command.search.numbers = numbers;
    command.search.progress = bar.callback();
    auto const results = must(find_baselines(file.instances, command.search), command.instances);
    print_baselines(file, numbers, results, stopwatch.seconds());
    app::ResultHead const head{
        .kind = "baseline", .seed = command.search.seed, .instances = &file, .wall_seconds = stopwatch.seconds()};
    write_json(command.json, baseline_json(head, command, file, results));
}

} // namespace

Command baseline_command() {
    return make_command<BaselineCommand>(
        {.name = "baseline",
         .summary = "Solve instances by classical means, proven where possible",
         .paragraph =
             "Solves every instance without a policy: ruin and recreate for routing, an exact programme for "
             "orienteering with up to 20 customers that matter, branch and bound for knapsacks, annealing and then a "
             "constraint solver for job shops. Every solution is checked; 'optimal' means that it is proven. The JSON "
             "file is a best-known file for 'cax gap'. Seconds make a result depend on the machine; with --iterations, "
             "and seconds enough, the same seed gives the same result anywhere.",
         .footer = R"(Examples:
  cax baseline op20.npz
  cax baseline cvrptw50.npz --seconds 30 --json best.json
  cax baseline fjsp10x5.npz --seconds 60 --limit 8 --json best.json
  cax baseline cvrptw50.npz --iterations 200000 --seconds 3600 --seed 1)"});
}

} // namespace cax::cli
