#include "help.hpp"

#include <CLI/CLI.hpp>

namespace cax::cli {
namespace {

constexpr std::size_t help_width = 110;
constexpr std::size_t option_width = 30;

class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() { column_width(option_width); }

    std::string make_description(CLI::App const* app) const override {
        return wrapped(app->get_description(), help_width) + "\n\n";
    }
    std::string make_subcommand(CLI::App const* command) const override {
        std::string const& text = command->get_description();
        std::stringstream out;
        CLI::detail::format_help(out, command->get_name(), text.substr(0, text.find('\n')), option_width);
        return out.str();
    }
    /// Which options exclude each other is said when somebody combines them.
    std::string make_option_opts(CLI::Option const* option) const override {
        std::string const text = CLI::Formatter::make_option_opts(option);
        return text.substr(0, text.find(" Excludes: "));
    }
    std::string make_option_desc(CLI::Option const* option) const override {
        return wrapped(option->get_description(), help_width - option_width);
    }
};

} // namespace

std::shared_ptr<CLI::Formatter> help_formatter() { return std::make_shared<HelpFormatter>(); }

void describe(CLI::App& command, std::string const& title, std::string const& paragraph) {
    command.description(title + "\n\n" + paragraph);
}

std::string wrapped(std::string_view text, std::size_t width) {
    std::string result;
    std::size_t column = 0;
    while (!text.empty()) {
        auto const end = text.find_first_of(" \n");
        std::string_view const word = text.substr(0, end);
        if (column > 0 && column + 1 + word.size() > width) {
            result += '\n';
            column = 0;
        } else if (column > 0 && !word.empty()) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
        if (end == std::string_view::npos) break;
        if (text[end] == '\n') {
            result += '\n';
            column = 0;
        }
        text.remove_prefix(end + 1);
    }
    return result;
}

} // namespace cax::cli
