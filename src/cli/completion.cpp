// `cax completion`: scripts with which a shell completes commands, options and their words, made of the commands' own
// descriptions.
#include "command.hpp"
#include "command_tree.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::cli {
namespace {

enum class Shell { bash, zsh };

constexpr std::array<Named<Shell>, 2> shells{{{Shell::bash, "bash"}, {Shell::zsh, "zsh"}}};
NameTable<Shell> names_of(Shell) { return shells; }

std::string joined(std::vector<std::string> const& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string words_of(Option const& option) {
    std::vector<std::string> words;
    for (OptionWord const& word : option.words()) words.emplace_back(word.name);
    return joined(words);
}

bool takes_many_words(Option const& option) {
    auto const* const words = std::get_if<WordsTarget>(&option.target);
    return words != nullptr && words->many;
}

/// One line of a `case` for every option that takes a value: what can be typed after it.
std::string bash_values(TreeNode const& node) {
    std::string text;
    for (Option const& option : node.table.options()) {
        auto const names = typed_names_of(option);
        if (names.empty() || option.is_flag()) continue;
        std::string pattern;
        for (std::string const& name : names) {
            pattern += fmt::format("{}'{} {}'", pattern.empty() ? "" : " | ", node.path, name);
        }
        switch (value_kind(option)) {
        case ValueKind::words:
            text += fmt::format("    {}) {} '{}'; return ;;\n", pattern,
                                takes_many_words(option) ? "_cax_list" : "_cax_words", words_of(option));
            break;
        case ValueKind::folder: text += fmt::format("    {}) _cax_files -d; return ;;\n", pattern); break;
        case ValueKind::file: text += fmt::format("    {}) _cax_files -f; return ;;\n", pattern); break;
        case ValueKind::other: text += fmt::format("    {}) return ;;\n", pattern); break;
        }
    }
    return text;
}

/// What can be typed where no value is expected.
std::string bash_choices(TreeNode const& node) {
    std::vector<std::string> options{"--help"};
    std::vector<std::string> parts;
    for (Command const& part : node.command->parts) parts.push_back(part.text.name);
    std::string words = joined(parts);
    bool policy = false;
    for (Option const& option : node.table.options()) {
        for (std::string& name : typed_names_of(option)) options.push_back(std::move(name));
        if (!option.positional) continue;
        policy = policy || option.name == "POLICY";
        if (value_kind(option) == ValueKind::words) words = words_of(option);
    }
    if (node.is_program()) options.emplace_back("--version");
    return fmt::format("    '{}') options='{}' words='{}' models={} ;;\n", node.path, joined(options), words,
                       policy ? "yes" : "");
}

constexpr char const* bash_head = R"bash(# Completion of cax in bash; made by: cax completion --shell bash
_cax_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_cax_files() { mapfile -t COMPREPLY < <(compgen "$1" -- "$current"); compopt -o filenames; }
_cax_list() { # words separated by commas
    local before=
    [[ $current == *,* ]] && before=${current%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${current##*,}")
    compopt -o nospace
}
_cax_models() { # names of trained policies
    local folder file
    for folder in "$CAX_MODELS" models "$(dirname "$(dirname "$(command -v cax)")")/share/cax/models"; do
        for file in "$folder"/*.safetensors; do
            [[ -e $file ]] && basename "$file" .safetensors
        done
    done
}
_cax() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' options='' words='' models='' i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$command ${COMP_WORDS[i]}" in
)bash";

std::string bash_script(Command const& program) {
    auto const tree = command_tree(program);
    std::vector<std::string> paths;
    for (TreeNode const& node : tree) {
        if (node.is_program()) continue;
        paths.push_back(fmt::format("'{}{}'", node.path.find(' ') == std::string::npos ? " " : "", node.path));
    }
    std::string text = bash_head;
    text +=
        fmt::format("        {}) command=\"${{command:+$command }}${{COMP_WORDS[i]}}\" ;;\n", fmt::join(paths, " | "));
    text += "        esac\n    done\n    case \"$command $previous\" in\n";
    for (TreeNode const& node : tree) text += bash_values(node);
    text += "    esac\n    case $command in\n";
    for (TreeNode const& node : tree) text += bash_choices(node);
    text += R"bash(    esac
    if [[ $current == -* ]]; then
        _cax_words "$options"
        return
    fi
    [[ $models && $previous == "${command##* }" ]] && words="$words $(_cax_models)"
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; [[ $command ]] && compgen -f -- "$current")
    [[ $command ]] && compopt -o filenames
}
complete -F _cax cax
)bash";
    return text;
}

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
    std::string const what = zsh_quoted(option.positional ? option.name : option.value);
    switch (value_kind(option)) {
    case ValueKind::words:
        return takes_many_words(option) ? fmt::format(":{}:_values -s , word {}", what, words_of(option))
                                        : fmt::format(":{}:({})", what, words_of(option));
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
    if (node.is_program()) add("(- *)--version[Which version this is]");
    if (!node.command->parts.empty()) {
        add("1:command:->command");
        add("*::argument:->argument");
    }
    return text;
}

std::string zsh_name(std::string name) {
    std::ranges::replace(name, '-', '_');
    return name;
}

std::string zsh_function(TreeNode const& node) {
    std::string const name = zsh_name("_cax" + node.path_with('_'));
    std::string text =
        fmt::format("{}() {{\n    local state line\n    _arguments -C \\\n{}\n", name, zsh_arguments(node));
    if (!node.command->parts.empty()) {
        text += "    case $state in\n    command)\n        local -a commands=(\n";
        for (Command const& part : node.command->parts) {
            text += fmt::format("            '{}:{}'\n", zsh_quoted(part.text.name), zsh_quoted(part.text.summary));
        }
        text += "        )\n        _describe command commands ;;\n    argument)\n        case $words[1] in\n";
        for (Command const& part : node.command->parts) {
            text += fmt::format("        {}) {}_{} ;;\n", part.text.name, name, zsh_name(part.text.name));
        }
        text += "        esac ;;\n    esac\n";
    }
    return text + "}\n";
}

std::string zsh_script(Command const& program) {
    std::string text = R"zsh(#compdef cax
# Completion of cax in zsh; made by: cax completion --shell zsh
_cax_policies() { # files, and names of trained policies
    local -a names=("$CAX_MODELS"/*.safetensors(N:t:r) models/*.safetensors(N:t:r) ${commands[cax]:h:h}/share/cax/models/*.safetensors(N:t:r))
    compadd -a names
    _files -g '*.safetensors'
}
)zsh";
    for (TreeNode const& node : command_tree(program)) text += zsh_function(node);
    return text + "_cax \"$@\"\n";
}

struct CompletionCommand {
    Command const* program = nullptr;
    Shell shell = Shell::bash;
};

void describe(OptionTable& table, CompletionCommand& command) {
    table.choice("shell", command.shell, "For which shell");
}

void run(CompletionCommand const& command) {
    fmt::print("{}", command.shell == Shell::bash ? bash_script(*command.program) : zsh_script(*command.program));
}

} // namespace

Command completion_command(Command const& program) {
    return make_command<CompletionCommand>(
        {.name = "completion",
         .summary = "Make a shell complete commands, options and their words",
         .paragraph = "Prints a script for the shell. The Debian package installs both.",
         .footer = R"(Examples:
  cax completion --shell bash > ~/.local/share/bash-completion/completions/cax
  cax completion --shell zsh > ~/.zfunc/_cax          with ~/.zfunc in fpath, before compinit)"},
        {.program = &program});
}

} // namespace cax::cli
