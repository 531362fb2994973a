#include "command_tree.hpp"

namespace cax::cli {
namespace {

void add_nodes(std::vector<TreeNode>& nodes, std::string const& path, Command const& command) {
    TreeNode& node = nodes.emplace_back(TreeNode{path, &command, {}});
    command.describe(node.table);
    for (Command const& part : command.parts) add_nodes(nodes, path + (path.empty() ? "" : " ") + part.text.name, part);
}

} // namespace

std::string TreeNode::path_with(char separator) const {
    std::string name = path.empty() ? "" : separator + path;
    for (char& c : name) c = c == ' ' ? separator : c;
    return name;
}

std::vector<TreeNode> command_tree(Command const& program) {
    std::vector<TreeNode> nodes;
    add_nodes(nodes, "", program);
    return nodes;
}

std::vector<std::string> typed_names_of(Option const& option) {
    if (option.positional || !option.typed) return {};
    std::vector<std::string> names;
    if (option.letter != 0) names.push_back(std::string("-") + option.letter);
    names.push_back("--" + option.name);
    if (option.both) names.push_back("--no-" + option.name);
    return names;
}

ValueKind value_kind(Option const& option) {
    if (!option.words().empty()) return ValueKind::words;
    if (option.value == "DIR") return ValueKind::folder;
    return option.value == "FILE" || option.positional ? ValueKind::file : ValueKind::other;
}

} // namespace cax::cli
