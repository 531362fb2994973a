#pragma once
// What a subcommand is: words, a description of its options, and what it does. One file each, with an options struct, a
// `describe` and a `run`; main.cpp has the list of them, and command_line.cpp makes a parser and help of that.
#include "cax/core/options.hpp"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cax::cli {

/// What the shell sees. Errors of the world (files, values, usage) are not here: must.hpp ends them, in exit code 2.
enum class Outcome {
    success = 0,
    answer_is_no = 1, ///< it ran, but: an invalid solution, golden numbers not met
};
inline constexpr int exit_bad_input = 2;

/// The work that the arguments ask for.
using Work = std::function<Outcome()>;

struct CommandText {
    std::string name;
    std::string summary;   ///< one line, for the overview
    std::string paragraph; ///< what it does, in its own help
    std::string footer;    ///< after the options; begins and goes on with whole lines, and ends with examples
};

/// A subcommand, or the program itself, which has nothing but parts.
struct Command {
    CommandText text;
    std::function<void(OptionTable&)> describe = [](OptionTable&) {};
    Work run = {};
    std::vector<Command> parts = {}; ///< subcommands of its own; without one it runs itself
};

/// Of options, what describes them, and what runs. A `run` that returns nothing has one outcome: success.
template <class Options, class Describe, class Run>
Command make_command(std::shared_ptr<Options> const& options, CommandText text, Describe describe, Run run) {
    auto const work = [options, run] {
        if constexpr (!std::is_void_v<decltype(run(*options))>) return run(*options);
        run(*options);
        return Outcome::success;
    };
    return {std::move(text), [options, describe](OptionTable& table) { describe(table, *options); }, work};
}
/// Of an options struct beside which there are describe(OptionTable&, Options&) and run(Options&).
template <class Options> Command make_command(CommandText text, Options options = {}) {
    return make_command(
        std::make_shared<Options>(std::move(options)), std::move(text),
        [](OptionTable& table, Options& own) { describe(table, own); }, [](Options& own) { return run(own); });
}

Command attribute_command();
Command baseline_command();
Command check_golden_command();
Command counterfactual_command();
Command diff_command();
Command explain_command();
std::vector<Command> part_commands(); ///< of parts of an explanation, one by one
Command gap_command();
Command generate_command();
Command inspect_command();
Command regret_command();
Command report_command();
Command serve_command();
Command solve_command();
Command study_command();
Command subset_command();
Command train_command();
// Of all commands of the program, these two included; it outlives them.
Command completion_command(Command const& program);
Command manual_command(Command const& program);

} // namespace cax::cli
