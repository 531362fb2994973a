// The `cax` binary: parses arguments, runs one subcommand, turns what comes back into an exit code and one line.
#include "command.hpp"
#include "help.hpp"

#include "cax/nn/gemm.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <fmt/format.h>
#include <span>

namespace cax::cli {
namespace {

constexpr char const* description =
    "cax explains the decisions of neural combinatorial-optimisation policies: which constraints drove a decision, "
    "what would have changed it, and what it depended on.";

constexpr char const* examples = R"(
A first walk (every subcommand has its own --help with examples):
  cax generate op --size 20 --count 4 --seed 7 -o four.json    four random orienteering instances
  cax inspect four.json                                        what is in that file?
  cax solve policy.safetensors four.json                       let a policy solve them, and check what it did
  cax solve policy.safetensors four.json --limit 1 --narrate   the first one, decision by decision, in words
  cax explain policy.safetensors four.json --step 0            why did it begin like that?

Exit codes: 0 success, 1 it ran but the answer is no (invalid solution, golden mismatch), 2 bad input or usage.)";

/// One line, whatever the text holds: messages quote arguments and file names.
void print_error(std::string message) {
    for (char& c : message) {
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';
    }
    fmt::print(stderr, "cax: {}\n", message);
}

/// What is wrong with the arguments, and where to read on.
std::string usage_error(CLI::App const& app, CLI::ParseError const& error, std::span<char* const> arguments) {
    auto const chosen = app.get_subcommands();
    if (!chosen.empty()) return fmt::format("{} (try: cax {} --help)", error.what(), chosen.front()->get_name());
    bool const named = arguments.size() > 1 && arguments[1][0] != '-' && arguments[1][0] != '\0';
    return fmt::format("{} (try: cax --help)",
                       named ? fmt::format("'{}' is not a subcommand", arguments[1]) : error.what());
}

/// No option of cax takes a negative number, and one that is read into a count would become a huge one.
void refuse_negatives(CLI::App& app) {
    for (auto* option : app.get_options())
        option->check([](std::string const& text) {
            bool const number = text.size() > 1 && text[0] == '-' && (std::isdigit(text[1]) != 0 || text[1] == '.');
            return number ? text + " is negative" : std::string();
        });
    for (auto* command : app.get_subcommands({})) refuse_negatives(*command);
}

int run(int argc, char** argv) {
    CLI::App app(description, "cax");
    app.formatter(help_formatter());
    app.set_version_flag("--version", [] { return fmt::format("cax {} ({})", CAX_VERSION, nn::kernel_name()); });
    app.footer(examples);
    app.require_subcommand(1);

    Work work;
    add_generate(app, work);
    add_inspect(app, work);
    add_solve(app, work);
    add_counterfactual(app, work);
    add_baseline(app, work);
    add_gap(app, work);
    add_subset(app, work);
    add_attribute(app, work);
    add_explain(app, work);
    add_report(app, work);
    add_diff(app, work);
    add_study(app, work);
    add_train(app, work);
    add_check_golden(app, work);
    refuse_negatives(app);

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& stop) {
        if (stop.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(stop); // --help
        print_error(usage_error(app, stop, {argv, static_cast<std::size_t>(argc)}));
        return exit_bad_input;
    }
    auto const outcome = work();
    if (!outcome) {
        print_error(outcome.error().message);
        return exit_bad_input;
    }
    return static_cast<int>(*outcome);
}

} // namespace
} // namespace cax::cli

int main(int argc, char** argv) {
    try {
        return cax::cli::run(argc, argv);
    } catch (std::bad_alloc const&) {
        cax::cli::print_error("out of memory");
    } catch (std::exception const& failure) { // a closed or full standard output, for one
        cax::cli::print_error(failure.what());
    }
    return cax::cli::exit_bad_input;
}
