#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/parity/check_golden.hpp"

#include <fmt/format.h>

namespace cax::cli {
namespace {

using parity::Count;
using parity::Difference;
using parity::GoldenFolder;
using parity::GoldenReport;

enum class Precisions { float32, float64, both };
constexpr std::array precisions{Named<Precisions>{Precisions::float32, "float"},
                                Named<Precisions>{Precisions::float64, "double"},
                                Named<Precisions>{Precisions::both, "both"}};
NameTable<Precisions> names_of(Precisions) { return precisions; }

struct CheckGoldenCommand {
    std::string folder;
    Precisions precision = Precisions::both;
    std::size_t threads = 0;
    std::string json;
};

void describe(OptionTable& table, CheckGoldenCommand& command) {
    table.positional("DIR", command.folder, "Folder that is, or holds, golden folders").as("folder");
    table.choice("precision", command.precision, "What the network computes in");
    threads_option(table, command.threads);
    json_option(table, command.json);
}

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
    for (GoldenFolder const& folder : report.folders) {
        for (auto const& [name, difference] : folder.differences) {
            table.add(name_of_folder(folder, root), name, difference.compared, in_words(difference),
                      fmt::format("{:.0e}", difference.tolerance));
        }
        for (auto const& [name, count] : folder.counts) {
            std::string const verdict = count.unequal == 0 ? "none" : fmt::format("{} unequal !", count.unequal);
            table.add(name_of_folder(folder, root), name, count.compared, verdict, "");
        }
    }
    if (!table.empty()) fmt::print("\n{}", table.text());
}

void print_report(GoldenReport const& report, std::string const& root) {
    fmt::print("largest differences from the golden numbers: log-probabilities and gradients, in double (64) and float "
               "(32)\n");
    Table table({"<folder", "<problem", "log p 64", "grad 64", "log p 32", "grad 32", "states", "masks", "actions",
                 "rewards", "<verdict"});
    for (GoldenFolder const& folder : report.folders) {
        table.add(name_of_folder(folder, root), folder.problem, in_words(folder.log_probs64),
                  in_words(folder.gradients64), in_words(folder.log_probs32), in_words(folder.gradients32),
                  in_words(folder.states), in_words(folder.masks), in_words(folder.actions), in_words(folder.rewards),
                  folder.passed() ? "agrees" : "DIFFERS");
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
    for (auto const& [path, problem] : report.skipped) {
        fmt::print("{}: skipped: cax does not know the problem {}\n", path.filename().string(), problem);
    }
    fmt::print("{}\n", report.passed() ? "all agree" : "NOT all agree");
}

Outcome run(CheckGoldenCommand& options) {
    Stopwatch const stopwatch;
    ProgressBar bar("checking");
    auto const report = must(parity::check_golden(options.folder, {.float32 = options.precision != Precisions::float64,
                                                                   .float64 = options.precision != Precisions::float32,
                                                                   .threads = options.threads,
                                                                   .progress = bar.callback()}));
    print_report(report, options.folder);
    Json json =
        app::result_with_head({.kind = "check-golden", .wall_seconds = stopwatch.seconds()}, table_of(options).json());
    json["passed"] = report.passed();
    json["folders"] = Json::array();
    for (GoldenFolder const& folder : report.folders) json["folders"].push_back(parity::to_json(folder));
    json["skipped"] = Json::array();
    for (auto const& [path, problem] : report.skipped) {
        json["skipped"].push_back({{"path", path.string()}, {"problem", problem}});
    }
    write_json(options.json, json);
    return report.passed() ? Outcome::success : Outcome::answer_is_no;
}

} // namespace

Command check_golden_command() {
    return make_command<CheckGoldenCommand>(
        {.name = "check-golden",
         .summary = "Recompute recorded numbers of the reference and compare",
         .paragraph =
             "Finds every golden folder below DIR (a policy's weights and a trace of everything the reference computed "
             "with them, or what the paper's published code computed) and recomputes all of it: states, masks, "
             "log-probabilities, gradients, actions, whole episodes and their rewards; masses, multipliers and scores. "
             "Exit code 1 if anything differs by more than rounding, or if there was nothing to compare.",
         .footer = R"(Examples:
  cax check-golden tests/data/rl4co-golden
  cax check-golden golden/ --precision double --json parity.json)"});
}

} // namespace cax::cli
