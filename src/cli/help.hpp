#pragma once
// How --help looks: text wrapped to a page's width, one line per subcommand in the overview, the whole explanation in
// the subcommand's own help.
#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Formatter;
} // namespace CLI

namespace cax::cli {

/// Give it to the App before subcommands are added.
[[nodiscard]] std::shared_ptr<CLI::Formatter> help_formatter();

/// What a subcommand is for: `title` in the overview, and a paragraph in its own help.
void describe(CLI::App& command, std::string const& title, std::string const& paragraph);

/// Lines of at most `width` characters, broken at spaces; line breaks in the text stay.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width);

} // namespace cax::cli
