#include "command.hpp"
#include "common_options.hpp"
#include "help.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/parity/check_golden.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace cax::cli {
namespace {

using parity::Count;
using parity::Difference;
using parity::GoldenFolder;
using parity::GoldenReport;

struct CheckGoldenOptions {
    std::string folder;
    std::string precision = "both";
    std::size_t threads = 0;
    std::string json;
};

std::string in_words(Count const& count) {
    if (count.compared == 0) return "-";
    return count.unequal == 0 ? fmt::format("{}", count.compared)
                              : fmt::format("{} ({} unequal)", count.compared, count.unequal);
}

std::string in_words(Difference const& difference) {
    if (difference.compared == 0) return "-";
    std::string const kinks =
        difference.kinks > 0 ? fmt::format(" ({} kink{})", difference.kinks, difference.kinks == 1 ? "" : "s") : "";
    return fmt::format("{:.1e}{}{}", difference.largest, difference.exceeded > 0 ? " !" : "", kinks);
}

/// The folder's path as seen from the one that was given.
std::string name_of_folder(GoldenFolder const& folder, std::string const& root) {
    std::string const relative = folder.path.lexically_proximate(root).string();
    return relative.empty() || relative == "." ? folder.path.filename().string() : relative;
}

/// What only some formats hold: one line per kind of number.
void print_further(GoldenReport const& report, std::string const& root) {
    Table table({"<folder", "<compared", "count", "largest difference", "allowed"});
    bool any = false;
    for (GoldenFolder const& folder : report.folders) {
        for (auto const& [name, difference] : folder.differences) {
            table.add({name_of_folder(folder, root), name, fmt::format("{}", difference.compared), in_words(difference),
                       fmt::format("{:.0e}", difference.tolerance)});
            any = true;
        }
        for (auto const& [name, count] : folder.counts) {
            std::string const verdict = count.unequal == 0 ? "none" : fmt::format("{} unequal !", count.unequal);
            table.add({name_of_folder(folder, root), name, fmt::format("{}", count.compared), verdict, ""});
            any = true;
        }
    }
    if (any) fmt::print("\n{}", table.text());
}

void print_report(GoldenReport const& report, std::string const& root) {
    fmt::print("largest differences from the golden numbers: log-probabilities and gradients, in double (64) and float "
               "(32)\n");
    Table table({"<folder", "<problem", "log p 64", "grad 64", "log p 32", "grad 32", "states", "masks", "actions",
                 "rewards", "<verdict"});
    for (GoldenFolder const& folder : report.folders) {
        table.add({name_of_folder(folder, root), folder.problem, in_words(folder.log_probs64),
                   in_words(folder.gradients64), in_words(folder.log_probs32), in_words(folder.gradients32),
                   in_words(folder.states), in_words(folder.masks), in_words(folder.actions), in_words(folder.rewards),
                   folder.passed() ? "agrees" : "DIFFERS"});
    }
    fmt::print("{}", table.text());
    print_further(report, root);
    for (GoldenFolder const& folder : report.folders) {
        std::string const name = name_of_folder(folder, root);
        if (folder.decisions == 0) fmt::print("{}: no decision was compared: the trace has no steps\n", name);
        for (std::string const& failure : folder.failures) fmt::print("{}: {}\n", name, failure);
        if (folder.failure_count > folder.failures.size()) {
            fmt::print("{}: ... and {} more\n", name, folder.failure_count - folder.failures.size());
        }
        if (!folder.not_compared.empty()) {
            fmt::print("{}: not compared: {} tensors, {} and the like\n", name, folder.not_compared.size(),
                       folder.not_compared.front());
        }
    }
    fmt::print("{}\n", report.passed() ? "all agree" : "NOT all agree");
}

Json to_json(Count const& count) { return {{"compared", count.compared}, {"unequal", count.unequal}}; }

Json to_json(Difference const& difference) {
    return {{"compared", difference.compared}, {"exceeded", difference.exceeded},   {"kinks", difference.kinks},
            {"largest", difference.largest},   {"tolerance", difference.tolerance}, {"where", difference.where}};
}

template <class T> Json to_json(std::map<std::string, T, std::less<>> const& entries) {
    Json json = Json::object();
    for (auto const& [name, entry] : entries) json[name] = to_json(entry);
    return json;
}

Json to_json(GoldenFolder const& folder) {
    return {{"path", folder.path.string()},
            {"format", folder.format},
            {"problem", folder.problem},
            {"network", folder.network},
            {"passed", folder.passed()},
            {"decisions", folder.decisions},
            {"log_probs64", to_json(folder.log_probs64)},
            {"gradients64", to_json(folder.gradients64)},
            {"log_probs32", to_json(folder.log_probs32)},
            {"gradients32", to_json(folder.gradients32)},
            {"states", to_json(folder.states)},
            {"masks", to_json(folder.masks)},
            {"actions", to_json(folder.actions)},
            {"rewards", to_json(folder.rewards)},
            {"counts", to_json(folder.counts)},
            {"differences", to_json(folder.differences)},
            {"failure_count", folder.failure_count},
            {"failures", folder.failures},
            {"not_compared", folder.not_compared}};
}

Result<Outcome> check_golden(CheckGoldenOptions const& options) {
    Stopwatch const stopwatch;
    ProgressBar bar("checking");
    auto const report = parity::check_golden(options.folder, {.float32 = options.precision != "double",
                                                              .float64 = options.precision != "float",
                                                              .threads = options.threads,
                                                              .progress = bar.callback()});
    if (!report) return report.error();
    print_report(*report, options.folder);
    if (!options.json.empty()) {
        ResultHead const head{.kind = "check-golden", .command = "check-golden", .stopwatch = &stopwatch};
        Json json = result_with_head(head, {{"folder", options.folder}, {"precision", options.precision}});
        json["passed"] = report->passed();
        json["folders"] = Json::array();
        for (GoldenFolder const& folder : report->folders) json["folders"].push_back(to_json(folder));
        if (auto const written = write_json(options.json, json); !written) return written.error();
    }
    return report->passed() ? Outcome::success : Outcome::answer_is_no;
}

} // namespace

void add_check_golden(CLI::App& app, Work& work) {
    auto options = std::make_shared<CheckGoldenOptions>();
    CLI::App& command = *app.add_subcommand("check-golden");
    describe(
        command, "Recompute recorded numbers of the reference and compare",
        "Finds every golden folder below DIR (a policy's weights and a trace of everything the reference computed with "
        "them, or what the paper's published code computed) and recomputes all of it: states, masks, "
        "log-probabilities, "
        "gradients, actions, whole episodes and their rewards; masses, multipliers and scores. Exit code 1 if anything "
        "differs by more than rounding, or if there was nothing to compare.");
    command.add_option("DIR", options->folder, "Folder that is, or holds, golden folders")->required()->type_name("");
    command.add_option("--precision", options->precision, "float, double or both")
        ->check(CLI::IsMember({"float", "double", "both"}).description(""))
        ->type_name("WORD")
        ->capture_default_str();
    add_threads(command, options->threads);
    add_json(command, options->json);
    command.footer(R"(
Examples:
  cax check-golden tests/data/rl4co-golden
  cax check-golden golden/ --precision double --json parity.json)");
    command.callback([&work, options] { work = [options] { return check_golden(*options); }; });
}

} // namespace cax::cli
