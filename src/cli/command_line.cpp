// The only file that knows the parser's library, which is slow to compile.
#include "command_line.hpp"

#include "file_arguments.hpp"

#include "common_options.hpp"
#include "must.hpp"
#include "table.hpp"

#include <CLI/CLI.hpp>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace cax::cli {
namespace {

constexpr std::size_t page_width = 110;
constexpr std::size_t option_width = 30;

/// Text wrapped to a page's width, one line per subcommand in the overview.
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() { column_width(option_width); }

    /// The library is generous with empty lines.
    std::string make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
        for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
        return text;
    }
    std::string make_description(CLI::App const* app) const override {
        return wrapped(app->get_description(), page_width) + "\n\n";
    }
    std::string make_subcommand(CLI::App const* command) const override {
        std::string const& text = command->get_description();
        std::stringstream out;
        CLI::detail::format_help(out, command->get_name(), text.substr(0, text.find('\n')), option_width);
        return out.str();
    }
    std::string make_option_name(CLI::Option const* option, bool positional) const override {
        std::string const name = CLI::Formatter::make_option_name(option, positional);
        return name.substr(0, name.find("{false}")); // of a flag that can be switched off
    }
    /// Which options exclude or need each other is said when somebody combines them.
    std::string make_option_opts(CLI::Option const* option) const override {
        std::string text = CLI::Formatter::make_option_opts(option);
        text = text.substr(0, text.find(" Excludes: "));
        return text.substr(0, text.find(" Needs: "));
    }
    std::string make_option_desc(CLI::Option const* option) const override {
        return wrapped(option->get_description(), page_width - option_width);
    }
};

/// A command on its way through the parser.
struct Parsed : TypedCommand {
    Command const* command = nullptr;
    CLI::App* app = nullptr;
    std::deque<Parsed> parts;
};

std::string typed_names(Option const& option) {
    if (option.positional) return option.name;
    std::string names = "--" + option.name;
    if (option.letter != 0) names = fmt::format("-{},{}", option.letter, names);
    return option.both ? names + ",!--no-" + option.name : names;
}

CLI::Option* add_option(CLI::App& app, Option const& option, Texts& given) {
    if (option.is_flag()) {
        return app.add_flag_function(
            typed_names(option), [&given](std::int64_t count) { given = {count > 0 ? "true" : "false"}; },
            option.help_text());
    }
    auto const keep = [&given](CLI::results_t const& values) { return given = values, true; };
    CLI::Option* const added = app.add_option(typed_names(option), CLI::callback_t(keep), option.help_text());
    added->type_name(option.value)->default_str(option.default_text());
    if (option.positional && option.is_list())
        added->expected(static_cast<int>(option.least), CLI::detail::expected_max_vector_size)
            ->allow_extra_args()
            ->option_text(option.value);
    else if (option.is_list())
        added->expected(1)->take_all();
    return added;
}

void add_options(Parsed& parsed) {
    std::map<std::string, CLI::Option*> added;
    for (Option const* const option : parsed.options()) {
        CLI::Option* const one = added[option->name] = add_option(*parsed.app, *option, parsed.given[option->name]);
        one->required(option->required);
        if (!option->group.empty()) one->group(option->group);
        for (std::string const& name : option->former) { // no group: not in the help
            Option former = *option;
            former.name = name;
            former.letter = 0;
            add_option(*parsed.app, former, parsed.given[name])->group("");
        }
    }
    for (Option const& option : parsed.table.options()) {
        for (std::string const& other : option.excludes) {
            if (added.contains(other)) added.at(option.name)->excludes(added.at(other));
        }
        for (std::string const& other : option.needs) added.at(option.name)->needs(added.at(other));
    }
}

void add_command(CLI::App& app, std::string const& above, Command const& command, std::deque<Parsed>& all) {
    Parsed& parsed = all.emplace_back();
    parsed.path = above + command.text.name;
    parsed.command = &command;
    parsed.app = app.add_subcommand(command.text.name, command.text.summary + "\n\n" + command.text.paragraph);
    parsed.app->footer("\n" + command.text.footer);
    command.describe(parsed.table);
    add_options(parsed);
    for (Command const& part : command.parts) add_command(*parsed.app, parsed.path + " ", part, parsed.parts);
    if (!command.parts.empty()) parsed.app->require_subcommand(0, 1);
}

/// The chosen command, then its chosen part.
std::vector<Parsed*> chosen_of(std::deque<Parsed>& all) {
    std::vector<Parsed*> chosen;
    for (Parsed& parsed : all) {
        if (!parsed.app->parsed()) continue;
        chosen = chosen_of(parsed.parts);
        chosen.insert(chosen.begin(), &parsed);
    }
    return chosen;
}

/// What is wrong with the arguments, and where to read on.
std::string usage_error(CLI::App const& app, CLI::ParseError const& error, int argc, char** argv) {
    auto const chosen = app.get_subcommands();
    if (!chosen.empty()) return fmt::format("{} (try: cax {} --help)", error.what(), chosen.front()->get_name());
    bool const named = argc > 1 && argv[1][0] != '-' && argv[1][0] != '\0';
    return fmt::format("{} (try: cax --help)", named ? fmt::format("'{}' is not a subcommand", argv[1]) : error.what());
}

} // namespace

Work parse_command_line(Command const& program, std::string const& version, int argc, char** argv) {
    CLI::App app(program.text.paragraph, program.text.name);
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("--version", version);
    app.footer("\n" + program.text.footer);
    app.require_subcommand(1);
    std::deque<Parsed> commands;
    for (Command const& command : program.parts) add_command(app, "", command, commands);
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& stop) {
        if (stop.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) fail(usage_error(app, stop, argc, argv));
        std::ostringstream text; // help or the version
        app.exit(stop, text, text);
        fmt::print("{}", text.str());
        return Work();
    }
    auto const chosen = chosen_of(commands);
    check_file_arguments({chosen.begin(), chosen.end()});
    for (Parsed* const parsed : chosen) {
        std::erase_if(parsed->given, [](auto const& option) { return option.second.empty(); });
        for (std::string const& notice : parsed->table.deprecations(parsed->given))
            fmt::print(stderr, "cax: deprecated: {}\n", notice);
        if (auto const ok = parsed->table.set(parsed->given); !ok)
            fail("{} (try: cax {} --help)", ok.error().message, parsed->command->text.name);
    }
    return chosen.back()->command->run;
}

} // namespace cax::cli
