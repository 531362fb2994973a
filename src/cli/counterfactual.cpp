#include "command.hpp"
#include "common_options.hpp"
#include "counterfactual_options.hpp"
#include "counterfactual_output.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"

#include "cax/core/json.hpp"
#include "cax/core/parallel.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace cax::cli {
namespace {

/// Instances are walked and explained in groups of this size: what is kept does not grow with the file.
constexpr std::size_t group_size = 16;
constexpr std::size_t cells_shown = 10;

/// Everything that is printed or written, collected cell by cell.
struct Report {
    CounterfactualTally tally;
    WachterCount wachter;
    Json cells = Json::array(); ///< filled only if somebody wants the file
    std::string sentences;
    std::size_t shown = 0;
    std::size_t count = 0;
};

/// Only the cell that --step names, if it names one.
Result<std::vector<Walk>> chosen_walks(Policy const& policy, std::span<InstancePtr const> instances, std::size_t first,
                                       CounterfactualCommand const& command) {
    std::size_t const steps = command.step ? *command.step + 1 : command.steps;
    auto walks = walk(policy, instances, {.steps = steps, .state = {}, .progress = {}});
    if (!walks) return walks.error();
    for (std::size_t i = 0; i < walks->size() && command.step; ++i) {
        if (*command.step < (*walks)[i].cells.size()) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("instance {}: --step {}: the policy takes {} decisions, counted from 0", first + i,
                                 *command.step, (*walks)[i].cells.size())};
    }
    return walks;
}

using CellPlace = std::pair<std::size_t, std::size_t>; ///< walk, step

std::vector<CellPlace> chosen_cells(std::vector<Walk> const& walks, CounterfactualCommand const& command) {
    std::vector<CellPlace> cells;
    for (std::size_t w = 0; w < walks.size(); ++w) {
        for (std::size_t step = 0; step < walks[w].cells.size(); ++step) {
            if (!command.step || step == *command.step) cells.emplace_back(w, step);
        }
    }
    return cells;
}

struct Explained {
    CounterfactualAnswer found;
    std::vector<FamilyAnswer> families;
    std::optional<Error> error;
};

Explained explain_cell(Policy const& policy, Walk const& walk, std::size_t step, CounterfactualRequest const& request,
                       bool per_family) {
    auto found = answer_counterfactual(policy, walk, step, request);
    if (!found) return {{}, {}, found.error()};
    std::vector<FamilyAnswer> families;
    if (per_family) {
        auto answers = answer_per_family(policy, walk, step, request);
        if (!answers) return {{}, {}, answers.error()};
        families = *std::move(answers);
    }
    return {*std::move(found), std::move(families), std::nullopt};
}

void add_cell(Report& report, Walk const& walk, Explained const& cell, std::size_t first, bool keep) {
    CounterfactualAnswer named = cell.found;
    named.instance += first; // in the group, so far
    report.tally.add(named);
    ++report.count;
    if (keep) {
        Json json = cell_json(walk, named);
        for (FamilyAnswer const& answer : cell.families) json["families"].push_back(family_json(walk, answer));
        report.cells.push_back(std::move(json));
    }
    if (report.shown >= cells_shown) return;
    ++report.shown;
    report.sentences += cell_text(walk, named);
    if (!cell.families.empty()) report.sentences += families_text(walk.instance->problem().info(), cell.families);
}

Result<void> explain_group(Policy const& policy, std::span<InstancePtr const> instances, std::size_t first,
                           CounterfactualCommand const& command, CounterfactualRequest request,
                           std::function<void(double)> const& progress, Report& report) {
    auto const walks = chosen_walks(policy, instances, first, command);
    if (!walks) return walks.error();
    request.search.first_instance = first;
    auto const cells = chosen_cells(*walks, command);
    std::vector<Explained> explained(cells.size());
    std::mutex mutex;
    std::size_t finished = 0;
    parallel_for(cells.size(), command.threads, [&](std::size_t c, std::size_t) {
        auto const [w, step] = cells[c];
        explained[c] = explain_cell(policy, (*walks)[w], step, request, command.per_family);
        std::scoped_lock const lock(mutex);
        progress(static_cast<double>(++finished) / static_cast<double>(cells.size()));
    });
    for (std::size_t c = 0; c < cells.size(); ++c) {
        auto const [w, step] = cells[c];
        if (auto const& error = explained[c].error) {
            return error->within(fmt::format("instance {}, step {}", first + w, step));
        }
        add_cell(report, (*walks)[w], explained[c], first, !command.json.empty());
    }
    if (!command.wachter) return {};
    auto const count = count_wachter(policy, *walks, request.search, command.threads);
    if (!count) return count.error();
    report.wachter += *count;
    return {};
}

Result<Report> explain_all(Policy const& policy, std::vector<InstancePtr> const& instances,
                           CounterfactualCommand const& command, CounterfactualRequest const& request) {
    ProgressBar bar("searching");
    Progress const show = bar.callback();
    Report report;
    for (std::size_t first = 0; first < instances.size(); first += group_size) {
        std::size_t const count = std::min(group_size, instances.size() - first);
        auto const progress = [&](double part) {
            constexpr double ticks = 100; // per instance
            double const done = static_cast<double>(first) + part * static_cast<double>(count);
            if (show) show(static_cast<std::size_t>(ticks * done), static_cast<std::size_t>(ticks) * instances.size());
        };
        auto ok = explain_group(policy, std::span(instances).subspan(first, count), first, command, request, progress,
                                report);
        if (!ok) return ok.error();
    }
    return report;
}

void print_report(LoadedPolicy const& policy, io::InstanceFile const& file, CounterfactualCommand const& command,
                  CounterfactualRequest const& request, Report const& report, double seconds) {
    ProblemInfo const& info = policy.problem->info();
    fmt::print("{} {} instance{} of size {}: {} shots, {} states, certified as: {}\n", file.instances.size(), info.name,
               file.instances.size() == 1 ? "" : "s", sizes_in_words(file.instances), request.search.shots,
               name_of(request.search.state), name_of(request.certification.mode));
    if (auto const note = size_note(policy, file.instances); !note.empty()) fmt::print("note: {}\n", note);
    fmt::print("\n{}", report.sentences);
    if (report.count > report.shown) {
        fmt::print("... and {} more cells (--json has them all)\n", report.count - report.shown);
    }
    fmt::print("\n{}", report.tally.text(info));
    if (command.wachter && report.wachter.shots > 0) {
        WachterCount const& count = report.wachter;
        fmt::print("all tensors at once, no filter: {:.1f} % of {} shots pass the envelope; so do {} of {} smallest "
                   "flips\n",
                   100 * static_cast<double>(count.passing) / static_cast<double>(count.shots), count.shots,
                   count.passing_answers, count.flipped_cells);
    }
    fmt::print("{:.2f} s\n", seconds);
}

Json wachter_json(WachterCount const& count) {
    return {{"shots", count.shots},
            {"passing", count.passing},
            {"cells", count.cells},
            {"flipped_cells", count.flipped_cells},
            {"passing_answers", count.passing_answers}};
}

Result<Outcome> run_counterfactual(CounterfactualCommand const& command) {
    Stopwatch const stopwatch;
    auto const reader_options = parse_pairs(command.read, "--read");
    if (!reader_options) return reader_options.error();
    auto const policy = load_policy(
        command.policy, {.precision = command.precision, .threads = command.threads, .coupled_batch = false});
    if (!policy) return policy.error();
    auto const request = counterfactual_request(command, policy->problem->info());
    if (!request) return request.error();
    auto const file = load_instances(command.instances, *policy, *reader_options, command.limit);
    if (!file) return file.error();
    auto report = explain_all(*policy->policy, file->instances, command, *request);
    if (!report) return report.error().within(command.instances);
    print_report(*policy, *file, command, *request, *report, stopwatch.seconds());
    if (command.json.empty()) return Outcome::success;

    Json json = result_with_head({.kind = "counterfactual",
                                  .command = "counterfactual",
                                  .seed = command.seed,
                                  .policy = &*policy,
                                  .instances = &*file,
                                  .stopwatch = &stopwatch},
                                 settings_json(command, *request, policy->problem->info()));
    json["problem"] = policy->problem->info().name;
    json["counts"] = report->tally.counts_json();
    json["summary"] = report->tally.summary_json();
    if (command.wachter) json["wachter"] = wachter_json(report->wachter);
    json["cells"] = std::move(report->cells);
    if (auto const written = write_json(command.json, json); !written) return written.error();
    return Outcome::success;
}

} // namespace

void add_counterfactual(CLI::App& app, Work& work) {
    auto command = std::make_shared<CounterfactualCommand>();
    CLI::App& sub = *app.add_subcommand("counterfactual");
    describe(sub, "What would have changed a decision, with a witness that it could be",
             "For every decision of the policy: the smallest of many random changes to the instance that makes it "
             "choose otherwise, and a certificate that the changed instance still has a solution. --refine turns that "
             "into a few entries and round numbers. What a status means: certified, a flip with a checked witness; "
             "refuted, a flip, but proved to have no such solution; undecided, a flip, but the solver's budget was "
             "spent; no_flip, no shot changes the decision (which is no proof that nothing does).");
    declare_options(sub, *command);
    sub.footer(R"(
Examples:
  cax counterfactual op.safetensors four.json --limit 1 --refine
  cax counterfactual op.safetensors four.json --step 2 --towards 7 --refine
  cax counterfactual cvrptw.safetensors fleet.npz --steps 8 --fleet 12 --json out.json
  cax counterfactual cvrptw.safetensors fleet.npz --certify prefix --fix locs --budget durations=20
  cax counterfactual fjsp.safetensors shop.json --primitive --refine
  cax counterfactual op.safetensors four.json --published --certify none)");
    sub.callback([&work, command] { work = [command] { return run_counterfactual(*command); }; });
}

} // namespace cax::cli
