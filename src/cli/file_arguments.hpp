#pragma once
// Files that a command line names, looked at before any work begins: nothing that is read may be written over, no two
// results may go to one file, and where a result goes must be writable. Options are known by their names, so that a
// command needs no line of its own for this.
#include "cax/core/result.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cax::cli {

/// A file as the user gave it.
struct FileArgument {
    std::string option; ///< "--json", "INSTANCES"
    std::string path;
};

/// Fails if an output is one of the inputs or another output, by whatever name, or cannot be written. Devices (such as
/// /dev/null) may be given as often as one likes.
void check_files(std::vector<FileArgument> const& inputs, std::vector<FileArgument> const& outputs);

/// check_files for the arguments of the subcommand that was chosen; and that the folder it writes to, if any, is there
/// or can be made.
void check_file_arguments(CLI::App const& app);

} // namespace cax::cli
