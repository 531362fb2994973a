// The `cax` binary: runs one subcommand, turns what comes back into an exit code and one line.
#include "command_line.hpp"
#include "must.hpp"
#include "process.hpp"

#include "cax/nn/gemm.hpp"

#include <fmt/format.h>
#include <system_error>

namespace cax::cli {
namespace {

constexpr char const* description =
    "cax explains the decisions of neural combinatorial-optimisation policies: which constraints drove a decision, "
    "what would have changed it, and what it depended on.";

constexpr char const* first_walk = R"(A first walk (every subcommand has its own --help with examples):
  cax generate op --size 20 --count 4 --seed 7 -o four.json    four random orienteering instances
  cax inspect four.json                                        what is in that file?
  cax solve policy.safetensors four.json                       let a policy solve them, and check what it did
  cax solve policy.safetensors four.json --limit 1 --narrate   the first one, decision by decision, in words
  cax explain policy.safetensors four.json --step 1            why did it begin like that?

Steps count from 1 wherever people read or type them, and from 0 in JSON files. Instances of a file count from 0.

Exit codes: 0 success, 1 it ran but the answer is no (invalid solution, golden mismatch), 2 bad input or usage.)";

int run(int argc, char** argv) {
    Command program{.text = {.name = "cax",
                             .summary = "explains the decisions of neural optimisation policies",
                             .paragraph = description,
                             .footer = first_walk},
                    .parts = {generate_command(), inspect_command(), solve_command(), counterfactual_command(),
                              baseline_command(), gap_command(), subset_command(), attribute_command(),
                              explain_command(), regret_command(), report_command(), serve_command(), diff_command(), study_command(), train_command(),
                              check_golden_command()}};
    for (Command& each : part_commands()) program.parts.push_back(std::move(each));
    program.parts.push_back(completion_command(program));
    program.parts.push_back(manual_command(program));
    std::string const version = fmt::format("cax {} ({})", CAX_VERSION, nn::kernel_name());
    Work const work = parse_command_line(program, version, argc, argv);
    Outcome const outcome = work ? work() : Outcome::success; // none: help was asked for
    must(finish_output()); // of what it printed: if that got lost, nothing it says can be relied on
    return static_cast<int>(outcome);
}

} // namespace
} // namespace cax::cli

int main(int argc, char** argv) {
    cax::cli::prepare_process();
    try {
        return cax::cli::leave(cax::cli::run(argc, argv));
    } catch (cax::cli::Failure const& failure) {
        cax::cli::print_error(failure.message);
    } catch (std::bad_alloc const&) {
        cax::cli::print_error("out of memory");
    } catch (std::exception const& failure) { // a full standard output, for one
        auto const* const system = dynamic_cast<std::system_error const*>(&failure);
        auto const finished = cax::cli::finish_output(system != nullptr ? system->code().value() : 0);
        cax::cli::print_error(finished ? failure.what() : finished.error().message);
    }
    return cax::cli::leave(cax::cli::exit_bad_input);
}
