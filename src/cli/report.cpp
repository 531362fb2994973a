#include "command.hpp"
#include "must.hpp"
#include "result_file.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/report/page.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct ReportCommand {
    std::string input;
    std::string output;
};

void describe(OptionTable& table, ReportCommand& command) {
    table.positional("RESULT", command.input, "Explanation (.json), study's tables (.json) or a study's folder");
    table.value("output", command.output, "FILE", "The page to write").also('o').must();
}

void run(ReportCommand const& options) {
    std::filesystem::path path = options.input;
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) path /= "tables.json"; // what a study leaves in its folder
    auto const json = read_json(path.string());
    auto const page = must(report::page(json), path.string());
    must(io::write_text(options.output, page));
    fmt::print("{}: {} as a page, {} kB; open it in a browser\n", options.output, json["schema"].get<std::string>(),
               (page.size() + 999) / 1000);
}

} // namespace

Command report_command() {
    return make_command<ReportCommand>(
        {.name = "report",
         .summary = "Show an explanation or a study as one HTML page",
         .paragraph = "Puts a result of `cax explain --json` or the tables of a study into a page that needs nothing "
                      "else: one file, no network, printable, light and dark.",
         .footer = R"(Examples:
  cax report city-why.json -o city.html
  cax report study/ -o study.html)"});
}

} // namespace cax::cli
