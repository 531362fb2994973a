#include "command.hpp"
#include "common_options.hpp"
#include "help.hpp"
#include "inputs.hpp"

#include "cax/io/instances.hpp"
#include "cax/problems/registry.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct GenerateOptions {
    std::string problem;
    std::string size;
    std::size_t count = 1;
    std::uint64_t seed = 0;
    std::vector<std::string> set;
    std::string output;
};

/// Instance i comes from its own random stream: the first B of a larger set are the set of B.
Result<std::vector<InstancePtr>> generate_instances(Problem const& problem, GenerateOptions const& options,
                                                    std::string_view size, Options const& settings) {
    std::vector<InstancePtr> instances;
    for (std::size_t i = 0; i < options.count; ++i) {
        Rng rng(options.seed, static_cast<std::uint32_t>(i));
        auto instance = problem.generate(size, settings, rng);
        if (!instance) return instance.error().within(fmt::format("{} of size {}", problem.info().name, size));
        instances.push_back(std::move(*instance));
    }
    return instances;
}

Result<Outcome> generate(GenerateOptions const& options) {
    Problem const* problem = find_problem(options.problem);
    if (problem == nullptr) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("problem: '{}' is not one of {}", options.problem, problem_names())};
    }
    auto const settings = parse_pairs(options.set, "--set");
    if (!settings) return settings.error();
    std::string_view const size = options.size.empty() ? problem->info().default_size : std::string_view(options.size);
    auto const instances = generate_instances(*problem, options, size, *settings);
    if (!instances) return instances.error();
    if (auto const written = io::write_instances(options.output, *instances); !written) return written.error();
    fmt::print("{}: {} {} instance{} of size {}, seed {}\n", options.output, instances->size(), problem->info().name,
               instances->size() == 1 ? "" : "s", sizes_in_words(*instances), options.seed);
    return Outcome::success;
}

std::string options_in_words() {
    std::string text = "\nOptions of the generators (--set):\n";
    for (Problem const* problem : all_problems()) {
        ProblemInfo const& info = problem->info();
        text += fmt::format("  {} (--size {}, default {})\n", info.name, info.size_hint, info.default_size);
        for (auto const& [name, what] : info.generator_options) text += fmt::format("    {:<22} {}\n", name, what);
    }
    return text;
}

} // namespace

void add_generate(CLI::App& app, Work& work) {
    auto options = std::make_shared<GenerateOptions>();
    CLI::App& command = *app.add_subcommand("generate");
    describe(command, "Random instances of a problem",
             "Writes random instances with the distributions of rl4co's generators. Instance i depends on the "
             "seed and on i alone, so a longer file starts with the instances of a shorter one.");
    command.add_option("PROBLEM", options->problem, "One of: " + problem_names())->required()->type_name("");
    command.add_option("--size", options->size, "Size of each instance; the default is the policies' usual one")
        ->type_name("N");
    command.add_option("--count", options->count, "How many")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("B")
        ->capture_default_str();
    add_seed(command, options->seed);
    command.add_option("--set", options->set, "Option of the generator, as key=value; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    command
        .add_option("-o,--output", options->output, ".json, .npz (rl4co), or a text format's extension (one instance)")
        ->required()
        ->type_name("FILE");
    command.footer(options_in_words() + R"(
Examples:
  cax generate op --count 100 --seed 1 -o op.json
  cax generate cvrptw --size 50 --count 16 -o instances.npz     readable by rl4co
  cax generate fjsp --size 10x5 -o shop.fjs                     one instance in a text format)");
    command.callback([&work, options] { work = [options] { return generate(*options); }; });
}

} // namespace cax::cli
