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
    if (node.command == nullptr) return text + " \\fICOMMAND\\fR [\\fIOPTIONS\\fR]";
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

std::string footer_section(std::string footer) {
    std::string heading = "NOTES";
    constexpr std::string_view examples = "Examples:\n";
    if (footer.starts_with(examples)) {
        heading = "EXAMPLES";
        footer = footer.substr(examples.size());
    }
    return fmt::format(".SH {}\n.nf\n{}\n.fi\n", heading, roff(footer));
}

std::string page_of(TreeNode const& node, Program const& program) {
    std::string const name = "cax" + node.path_with('-');
    std::string const summary =
        node.command != nullptr ? node.command->text.summary : "explains the decisions of neural optimisation policies";
    std::string text = fmt::format(".TH {} 1 \"\" \"cax {}\" \"cax\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
                                   roff(capitals(name)), CAX_VERSION, roff(name), roff(summary), synopsis(node));
    text += fmt::format(".SH DESCRIPTION\n{}\n",
                        roff(node.command != nullptr ? node.command->text.paragraph : program.description));
    text += options_section(node);
    if (!node.parts.empty()) {
        text += ".SH COMMANDS\n";
        for (std::string const& part : node.parts) {
            text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(name + "-" + part), roff(node.summary_of(part)));
        }
    }
    text += footer_section(node.command != nullptr ? node.command->text.footer : program.footer);
    return node.command != nullptr ? text + ".SH SEE ALSO\n\\fBcax\\fR(1)\n" : text;
}

struct ManualCommand {
    Program const* program = nullptr;
    std::string folder = ".";
};

Outcome write_manual(ManualCommand const& command) {
    make_folder(command.folder);
    for (TreeNode const& node : command_tree(*command.program)) {
        auto const path = std::filesystem::path(command.folder) / ("cax" + node.path_with('-') + ".1");
        must(io::write_text(path, page_of(node, *command.program)));
    }
    return Outcome::success;
}

} // namespace

Command manual_command(Program const& program) {
    auto const command = std::make_shared<ManualCommand>();
    command->program = &program;
    return {.text = {.name = "manual",
                     .summary = "Write the manual pages: cax(1), and one of each command",
                     .paragraph = "What --help says, as pages for man. The Debian package installs them.",
                     .footer = R"(Examples:
  cax manual --folder man && man -l man/cax-explain.1)"},
            .describe =
                [command](OptionTable& table) {
                    table.value("folder", command->folder, "DIR", "Where; it is made if it is not there");
                },
            .run = [command] { return write_manual(*command); }};
}

} // namespace cax::cli
