#pragma once
// What main.cpp and the subcommands agree on. A subcommand is one file: an options struct, a function that declares the
// options on a CLI::App, and a function that runs. main.cpp has one line per subcommand.
#include "cax/core/result.hpp"

#include <functional>

namespace CLI {
class App;
}

namespace cax::cli {

/// What the shell sees. Errors of the world (files, values, usage) are not here: they are an Error, and exit code 2.
enum class Outcome {
    success = 0,
    answer_is_no = 1, ///< it ran, but: an invalid solution, golden numbers not met
};
inline constexpr int exit_bad_input = 2;

/// The work that the arguments ask for; set by the chosen subcommand while arguments are parsed, called afterwards.
using Work = std::function<Result<Outcome>()>;

void add_generate(CLI::App& app, Work& work);
void add_inspect(CLI::App& app, Work& work);
void add_solve(CLI::App& app, Work& work);
void add_counterfactual(CLI::App& app, Work& work);
void add_baseline(CLI::App& app, Work& work);
void add_gap(CLI::App& app, Work& work);
void add_subset(CLI::App& app, Work& work);
void add_attribute(CLI::App& app, Work& work);
void add_explain(CLI::App& app, Work& work);
void add_report(CLI::App& app, Work& work);
void add_diff(CLI::App& app, Work& work);
void add_study(CLI::App& app, Work& work);
void add_train(CLI::App& app, Work& work);
void add_check_golden(CLI::App& app, Work& work);

} // namespace cax::cli
