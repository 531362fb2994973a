#include "command_tree.hpp"

namespace cax::cli {
namespace {

void add_nodes(std::vector<TreeNode>& nodes, Program const& program, std::string const& above, Command const& command) {
    TreeNode node{above + command.text.name, &command, {}, {}, &program};
    command.describe(node.table);
    for (Command const& part : command.parts) node.parts.push_back(part.text.name);
    std::string const path = node.path + " ";
    nodes.push_back(std::move(node));
    for (Command const& part : command.parts) add_nodes(nodes, program, path, part);
}

} // namespace

std::string TreeNode::path_with(char separator) const {
    std::string name = path.empty() ? "" : separator + path;
    for (char& c : name) c = c == ' ' ? separator : c;
    return name;
}

std::string TreeNode::summary_of(std::string const& part) const {
    for (Command const& each : command != nullptr ? command->parts : program->commands) {
        if (each.text.name == part) return each.text.summary;
    }
    return "";
}

std::vector<TreeNode> command_tree(Program const& program) {
    std::vector<TreeNode> nodes;
    nodes.push_back({"", nullptr, {}, {}, &program});
    for (Command const& command : program.commands) nodes.front().parts.push_back(command.text.name);
    for (Command const& command : program.commands) add_nodes(nodes, program, "", command);
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
