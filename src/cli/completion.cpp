// `cax completion`: scripts with which a shell completes commands, options and their words, made of the commands' own
// descriptions.
#include "command.hpp"
#include "command_tree.hpp"

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
    std::string words = joined(node.parts);
    bool policy = false;
    for (Option const& option : node.table.options()) {
        for (std::string& name : typed_names_of(option)) options.push_back(std::move(name));
        if (!option.positional) continue;
        policy = policy || option.name == "POLICY";
        if (value_kind(option) == ValueKind::words) words = words_of(option);
    }
    if (node.command == nullptr) options.emplace_back("--version");
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

std::string bash_script(Program const& program) {
    auto const tree = command_tree(program);
    std::vector<std::string> paths;
    for (TreeNode const& node : tree) {
        if (node.command == nullptr) continue;
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

struct CompletionCommand {
    Program const* program = nullptr;
    Shell shell = Shell::bash;
};

} // namespace

Command completion_command(Program const& program) {
    auto const command = std::make_shared<CompletionCommand>();
    command->program = &program;
    return {.text = {.name = "completion",
                     .summary = "Make a shell complete commands, options and their words",
                     .paragraph = "Prints a script for the shell. The Debian package installs both.",
                     .footer = R"(Examples:
  cax completion --shell bash > ~/.local/share/bash-completion/completions/cax
  cax completion --shell zsh > ~/.zfunc/_cax          with ~/.zfunc in fpath, before compinit)"},
            .describe = [command](OptionTable& table) { table.choice("shell", command->shell, "For which shell"); },
            .run =
                [command] {
                    fmt::print("{}", command->shell == Shell::bash ? bash_script(*command->program)
                                                                   : zsh_script(*command->program));
                    return Outcome::success;
                }};
}

} // namespace cax::cli
