#pragma once
// From arguments to the work they ask for. The parser and --help are made of the commands' own descriptions.
#include "command.hpp"

namespace cax::cli {

/// The work of the chosen subcommand, its options set; empty if help or the version was asked for, which has then been
/// printed. Fails with what is wrong with the arguments and where to read on.
[[nodiscard]] Work parse_command_line(Command const& program, std::string const& version, int argc, char** argv);

} // namespace cax::cli
