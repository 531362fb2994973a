// `cax manual`: manual pages, made of the commands' own descriptions.
#include "command.hpp"
#include "command_tree.hpp"
#include "common_options.hpp"
#include "must.hpp"

#include "cax/io/files.hpp"

#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace cax::cli {
namespace {

/// Text as the formatter takes it: no line is a request, and what is typed has plain hyphens.
std::string roff(std::string_view text) {
    std::string result;
    bool starts = true;
    for (char const c : text) {
        if (starts && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
        starts = c == '\n';
    }
    return result;
}

std::string capitals(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string option_entry(Option const& option) {
    std::string names;
    for (std::string const& name : typed_names_of(option)) {
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    }
    if (option.positional) names = fmt::format("\\fI{}\\fR", roff(option.name));
    if (!option.value.empty() && !option.positional) names += fmt::format(" \\fI{}\\fR", roff(option.value));
    std::string const given = option.default_text();
    std::string const ending = given.empty() || option.is_flag() ? "" : fmt::format(" (default: {})", given);
    return fmt::format(".TP\n{}\n{}\n", names, roff(option.help_text() + ending));
}

std::string synopsis(TreeNode const& node) {
    std::string text = "\\fBcax" + (node.path.empty() ? "" : " " + roff(node.path)) + "\\fR";
    if (node.is_program()) return text + " \\fICOMMAND\\fR [\\fIOPTIONS\\fR]";
    for (Option const& option : node.table.options()) {
        if (!option.positional) continue;
        std::string const name = fmt::format("\\fI{}\\fR{}", roff(option.name), option.is_list() ? "..." : "");
        text += option.required ? " " + name : fmt::format(" [{}]", name);
    }
    return text + " [\\fIOPTIONS\\fR]";
}

std::string options_section(TreeNode const& node) {
    std::string text;
    for (bool const common : {false, true}) {
        std::string entries;
        for (Option const& option : node.table.options()) {
            if (option.typed && (option.group == common_group) == common) entries += option_entry(option);
        }
        if (!entries.empty()) text += fmt::format(".SH {}\n{}", common ? "COMMON OPTIONS" : "OPTIONS", entries);
    }
    return text;
}

std::string footer_section(std::string_view text) {
    constexpr std::string_view examples = "Examples:\n";
    bool const only_examples = text.starts_with(examples);
    if (only_examples) text.remove_prefix(examples.size());
    return fmt::format(".SH {}\n.nf\n{}\n.fi\n", only_examples ? "EXAMPLES" : "NOTES", roff(text));
}

std::string page_of(TreeNode const& node) {
    std::string const name = "cax" + node.path_with('-');
    CommandText const& own = node.command->text;
    std::string text = fmt::format(".TH {} 1 \"\" \"cax {}\" \"cax\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
                                   roff(capitals(name)), CAX_VERSION, roff(name), roff(own.summary), synopsis(node));
    text += fmt::format(".SH DESCRIPTION\n{}\n{}", roff(own.paragraph), options_section(node));
    if (!node.command->parts.empty()) text += ".SH COMMANDS\n";
    for (Command const& part : node.command->parts) {
        text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(name + "-" + part.text.name), roff(part.text.summary));
    }
    text += footer_section(own.footer);
    return node.is_program() ? text : text + ".SH SEE ALSO\n\\fBcax\\fR(1)\n";
}

struct ManualCommand {
    Command const* program = nullptr;
    std::string folder = ".";
};

void describe(OptionTable& table, ManualCommand& command) {
    table.value("folder", command.folder, "DIR", "Where; it is made if it is not there");
}

void run(ManualCommand const& command) {
    make_folder(command.folder);
    for (TreeNode const& node : command_tree(*command.program)) {
        auto const path = std::filesystem::path(command.folder) / ("cax" + node.path_with('-') + ".1");
        must(io::write_text(path, page_of(node)));
    }
}

} // namespace

Command manual_command(Command const& program) {
    return make_command<ManualCommand>(
        {.name = "manual",
         .summary = "Write the manual pages: cax(1), and one of each command",
         .paragraph = "What --help says, as pages for man. The Debian package installs them.",
         .footer = R"(Examples:
  cax manual --folder man && man -l man/cax-explain.1)"},
        {.program = &program});
}

} // namespace cax::cli
