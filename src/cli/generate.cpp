#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"

#include "cax/io/instances.hpp"
#include "cax/problems/registry.hpp"

#include <fmt/format.h>

namespace cax::cli {
namespace {

struct GenerateCommand {
    std::string problem;
    std::string size;
    std::size_t count = 1;
    std::uint64_t seed = 0;
    Texts set;
    std::string output;
};

void describe(OptionTable& table, GenerateCommand& command) {
    table.positional("PROBLEM", command.problem, "One of: " + problem_names());
    table.value("size", command.size, "N", "Size of each instance; the default is the policies' usual one");
    table.value("count", command.count, "B", "How many").range(1, 1'000'000);
    table.value("set", command.set, "KEY=VALUE", "Option of the generator; may be repeated");
    table.value("output", command.output, "FILE", ".json, .npz (rl4co), or a text format's extension (one instance)")
        .also('o')
        .must();
    seed_option(table, command.seed);
}

/// Instance i comes from its own random stream: the first B of a larger set are the set of B.
std::vector<InstancePtr> generate_instances(Problem const& problem, GenerateCommand const& options,
                                            std::string_view size, Options const& settings) {
    std::vector<InstancePtr> instances;
    for (std::size_t i = 0; i < options.count; ++i) {
        Rng rng(options.seed, static_cast<std::uint32_t>(i));
        instances.push_back(
            must(problem.generate(size, settings, rng), fmt::format("{} of size {}", problem.info().name, size)));
    }
    return instances;
}

void run(GenerateCommand const& options) {
    Problem const* problem = find_problem(options.problem);
    if (problem == nullptr) fail("problem: '{}' is not one of {}", options.problem, problem_names());
    auto const settings = must(parse_pairs(options.set, "--set"));
    std::string_view const size = options.size.empty() ? problem->info().default_size : std::string_view(options.size);
    auto const instances = generate_instances(*problem, options, size, settings);
    must(io::write_instances(options.output, instances));
    fmt::print("{}: {}, seed {}\n", options.output, app::instances_in_words(instances), options.seed);
}

std::string options_in_words() {
    std::string text = "Options of the generators (--set):\n";
    for (Problem const* problem : all_problems()) {
        ProblemInfo const& info = problem->info();
        text += fmt::format("  {} (--size {}, default {})\n", info.name, info.size_hint, info.default_size);
        for (auto const& [name, what] : info.generator_options) text += fmt::format("    {:<22} {}\n", name, what);
    }
    return text;
}

} // namespace

Command generate_command() {
    return make_command<GenerateCommand>(
        {.name = "generate",
         .summary = "Random instances of a problem",
         .paragraph = "Writes random instances with the distributions of rl4co's generators. Instance i depends on the "
                      "seed and on i alone, so a longer file starts with the instances of a shorter one.",
         .footer = options_in_words() + R"(
Examples:
  cax generate op --count 100 --seed 1 -o op.json
  cax generate cvrptw --size 50 --count 16 -o instances.npz     readable by rl4co
  cax generate fjsp --size 10x5 -o shop.fjs                     one instance in a text format)"});
}

} // namespace cax::cli
