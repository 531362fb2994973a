#include "command_tree.hpp"

#include <fmt/format.h>

namespace cax::cli {
namespace {

/// Inside single quotes, and inside the brackets and between the colons of a specification.
std::string zsh_quoted(std::string_view text) {
    std::string result;
    for (char const c : text) {
        if (c == '\'') {
            result += "'\\''";
            continue;
        }
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

std::string zsh_value(Option const& option) {
    std::string words;
    for (OptionWord const& word : option.words()) words += (words.empty() ? "" : " ") + std::string(word.name);
    auto const* const some = std::get_if<WordsTarget>(&option.target);
    std::string const what = zsh_quoted(option.positional ? option.name : option.value);
    switch (value_kind(option)) {
    case ValueKind::words:
        return some != nullptr && some->many ? fmt::format(":{}:_values -s , word {}", what, words)
                                             : fmt::format(":{}:({})", what, words);
    case ValueKind::folder: return fmt::format(":{}:_files -/", what);
    case ValueKind::file: return fmt::format(":{}:{}", what, option.name == "POLICY" ? "_cax_policies" : "_files");
    case ValueKind::other: break;
    }
    return fmt::format(":{}: ", what);
}

std::string zsh_arguments(TreeNode const& node) {
    std::string text = "        '(- *)--help[What it does, and its options]'";
    auto const add = [&text](std::string const& line) { text += " \\\n        '" + line + "'"; };
    std::size_t place = 0;
    for (Option const& option : node.table.options()) {
        if (!option.typed) continue;
        if (option.positional) {
            add((option.is_list() ? std::string("*") : std::to_string(++place)) + (option.required ? "" : ":") +
                zsh_value(option));
            continue;
        }
        for (std::string const& name : typed_names_of(option)) {
            add((option.is_list() ? "*" : "") + name + "[" + zsh_quoted(option.help) + "]" +
                (option.is_flag() ? "" : zsh_value(option)));
        }
    }
    if (node.command == nullptr) add("(- *)--version[Which version this is]");
    if (!node.parts.empty()) {
        add("1:command:->command");
        add("*::argument:->argument");
    }
    return text;
}

std::string zsh_function(TreeNode const& node) {
    std::string const name = "_cax" + node.path_with('_');
    std::string text =
        fmt::format("{}() {{\n    local state line\n    _arguments -C \\\n{}\n", name, zsh_arguments(node));
    if (!node.parts.empty()) {
        text += "    case $state in\n    command)\n        local -a commands=(\n";
        for (std::string const& part : node.parts) {
            text += fmt::format("            '{}:{}'\n", zsh_quoted(part), zsh_quoted(node.summary_of(part)));
        }
        text += "        )\n        _describe command commands ;;\n    argument)\n        case $words[1] in\n";
        for (std::string const& part : node.parts) {
            std::string own = part;
            for (char& c : own) c = c == '-' ? '_' : c;
            text += fmt::format("        {}) {}_{} ;;\n", part, name, own);
        }
        text += "        esac ;;\n    esac\n";
    }
    return text + "}\n";
}

} // namespace

std::string zsh_script(Program const& program) {
    std::string text = R"zsh(#compdef cax
# Completion of cax in zsh; made by: cax completion --shell zsh
_cax_policies() { # files, and names of trained policies
    local -a names=("$CAX_MODELS"/*.safetensors(N:t:r) models/*.safetensors(N:t:r) ${commands[cax]:h:h}/share/cax/models/*.safetensors(N:t:r))
    compadd -a names
    _files -g '*.safetensors'
}
)zsh";
    for (TreeNode const& node : command_tree(program)) {
        TreeNode named = node;
        for (char& c : named.path) c = c == '-' ? '_' : c;
        text += zsh_function(named);
    }
    return text + "_cax \"$@\"\n";
}

} // namespace cax::cli
