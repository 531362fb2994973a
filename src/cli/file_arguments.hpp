#pragma once
// Files that a command line names, looked at before any work begins: nothing that is read may be written over, no two
// results may go to one file, and where a result goes must be writable. Options are known by their names, so that a
// command needs no line of its own for this.
#include "cax/core/options.hpp"

#include <map>
#include <string>
#include <vector>

namespace cax::cli {

/// A file as the user gave it.
struct FileArgument {
    std::string option; ///< "--json", "INSTANCES"
    std::string path;
};

/// Fails if an output is one of the inputs or another output, by whatever name, or cannot be written. Devices (such as
/// /dev/null) may be given as often as one likes.
void check_files(std::vector<FileArgument> const& inputs, std::vector<FileArgument> const& outputs);

/// A command with what was typed for it.
struct TypedCommand {
    std::string path; ///< "study export"
    OptionTable table;
    std::map<std::string, Texts> given; ///< as typed, by name of the option

    /// Options that only this command has, then those that most have: the order of help.
    [[nodiscard]] std::vector<Option const*> options() const;
};

/// check_files for a command's arguments, and those of the commands that it is a part of; and that the folder it writes
/// to, if any, is there or can be made.
void check_file_arguments(std::vector<TypedCommand const*> const& commands);

} // namespace cax::cli
