#pragma once
// The commands of the program as a list, with their options: what completion and manual pages are made of.
#include "command.hpp"

#include <string>
#include <vector>

namespace cax::cli {

struct TreeNode {
    std::string path; ///< "study merge"; empty for the program itself
    Command const* command;
    OptionTable table; ///< of its options

    [[nodiscard]] bool is_program() const { return path.empty(); }
    /// "_study_merge", for names of functions; "-study-merge", for names of files.
    [[nodiscard]] std::string path_with(char separator) const;
};

/// The program, then every command, each before its parts.
[[nodiscard]] std::vector<TreeNode> command_tree(Command const& program);

/// What can be typed for the option: {"-o", "--output"}, {"--refine", "--no-refine"}; none for a positional.
[[nodiscard]] std::vector<std::string> typed_names_of(Option const& option);

/// How a value is completed.
enum class ValueKind { words, file, folder, other };
[[nodiscard]] ValueKind value_kind(Option const& option);

} // namespace cax::cli
