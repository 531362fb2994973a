// The `cax` binary: parses arguments, runs one subcommand, turns what comes back into an exit code and one line.
#include "command.hpp"
#include "file_arguments.hpp"
#include "help.hpp"
#include "process.hpp"

#include "cax/nn/gemm.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <span>
#include <sstream>
#include <system_error>

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

/// CLI11's words, but for a value that is not of the option's kind: "Could not convert: --work = 1e18".
std::string words_of(CLI::ParseError const& error) {
    std::string const words = error.what();
    constexpr std::string_view start = "Could not convert: ";
    auto const equals = words.find(" = ");
    if (!words.starts_with(start) || equals == std::string::npos) return words;
    std::string const option = words.substr(start.size(), equals - start.size());
    std::string const value = words.substr(equals + 3);
    double number = 0;
    auto const [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    bool const is_number = code == std::errc() && end == value.data() + value.size();
    bool const digits = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    return fmt::format("{}: '{}' is {}", option, value,
                       digits      ? "too large"
                       : is_number ? "not a whole number (write it with digits alone)"
                                   : "not a number");
}

/// What is wrong with the arguments, and where to read on.
std::string usage_error(CLI::App const& app, CLI::ParseError const& error, std::span<char* const> arguments) {
    auto const chosen = app.get_subcommands();
    if (!chosen.empty()) return fmt::format("{} (try: cax {} --help)", words_of(error), chosen.front()->get_name());
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
        if (stop.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) { // --help, --version
            std::ostringstream text;
            int const code = app.exit(stop, text, text);
            fmt::print("{}", text.str());
            return code;
        }
        print_error(usage_error(app, stop, {argv, static_cast<std::size_t>(argc)}));
        return exit_bad_input;
    }
    auto const files = check_file_arguments(app);
    auto const outcome = files ? work() : files.error();
    if (!outcome) {
        print_error(outcome.error().message);
        return exit_bad_input;
    }
    return static_cast<int>(*outcome);
}

/// The same, unless what it printed got lost: then nothing it says can be relied on.
int run_and_finish(int argc, char** argv) {
    int const outcome = run(argc, argv);
    if (outcome == exit_bad_input) return outcome;
    auto const finished = finish_output();
    if (finished) return outcome;
    print_error(finished.error().message);
    return exit_bad_input;
}

} // namespace
} // namespace cax::cli

int main(int argc, char** argv) {
    cax::cli::prepare_process();
    try {
        return cax::cli::run_and_finish(argc, argv);
    } catch (std::bad_alloc const&) {
        cax::cli::print_error("out of memory");
    } catch (std::exception const& failure) { // a full standard output, for one
        auto const* const system = dynamic_cast<std::system_error const*>(&failure);
        auto const finished = cax::cli::finish_output(system != nullptr ? system->code().value() : 0);
        cax::cli::print_error(finished ? failure.what() : finished.error().message);
    }
    return cax::cli::exit_bad_input;
}
