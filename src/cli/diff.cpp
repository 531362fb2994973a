#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"

#include "cax/core/json.hpp"
#include "cax/report/differences.hpp"

#include <fmt/format.h>

namespace cax::cli {
namespace {

struct DiffCommand {
    std::string a;
    std::string b;
    std::string json;
};

void describe(OptionTable& table, DiffCommand& command) {
    table.positional("A", command.a, "Result of explain or solve (.json)");
    table.positional("B", command.b, "Another one of the same kind");
    json_option(table, command.json);
}

Outcome run(DiffCommand const& command) {
    auto const a = read_json(command.a);
    auto const b = read_json(command.b);
    auto const lines = must(report::differences({command.a, a}, {command.b, b}));
    for (std::string const& line : lines) fmt::print("{}\n", line);
    if (lines.empty()) fmt::print("no difference\n");
    Json json = app::result_with_head({.kind = "diff"}, Json::object());
    json["files"] = {command.a, command.b};
    json["differences"] = lines;
    write_json(command.json, json);
    return lines.empty() ? Outcome::success : Outcome::answer_is_no;
}

} // namespace

Command diff_command() {
    return make_command<DiffCommand>(
        {.name = "diff",
         .summary = "What differs between two explanations or two results of solve",
         .paragraph = "Compares two files of the same kind in the words of the explanations: another policy, another "
                      "seed, a changed instance. Exit code 0 if nothing differs, 1 if something does.",
         .footer = R"(Examples:
  cax diff monday.json tuesday.json)"});
}

} // namespace cax::cli
