#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/core/parallel.hpp"
#include "cax/explain/requests.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/records/counterfactual.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

namespace cax::cli {
namespace {

/// Instances are episode and explained in groups of this size: what is kept does not grow with the file.
constexpr std::size_t group_size = 16;
constexpr std::size_t cells_shown = 10;

struct CounterfactualCommand : CellsCommand<CounterfactualRequest> {};

/// What all decisions say together.
std::string tally_text(ProblemInfo const& info, AnswerTally const& tally) {
    Table table({"<status", "cells"});
    for (auto const& [status, count] : tally.statuses) table.add(name_of(status), count);
    std::string text = table.text();
    std::vector<std::string> families;
    for (auto const& [family, count] : tally.families) {
        families.push_back(fmt::format("{} {}", info.families[family], count));
    }
    if (!families.empty()) text += fmt::format("heaviest family of the flips: {}\n", fmt::join(families, ", "));
    text += fmt::format("forward passes per cell: {:.1f}", tally.per_cell(tally.forward_passes));
    if (tally.shots > 0) // those of a guided search are none
        text += fmt::format(" (plain loop: {:.1f}), {:.1f} % of the shots pass the envelope",
                            tally.per_cell(tally.passing), 100 * tally.passing_share());
    text += '\n';
    if (!tally.sampled.l1.empty()) {
        text += fmt::format("median flip: L1 {:.4g}, {:g} entries\n", tally.sampled.median_l1(),
                            tally.sampled.median_entries());
    }
    if (!tally.refined.l1.empty()) {
        text += fmt::format("refined: L1 {:.4g}, {:g} entries, {:.1f} times smaller (medians); {:.1f} forward passes "
                            "per cell\n",
                            tally.refined.median_l1(), tally.refined.median_entries(), tally.median_shrinkage(),
                            tally.per_cell(tally.refine_passes));
    }
    return text;
}

/// "instance 0, step 3: visit customer 6; it would visit customer 12 if" and the changes, a line each.
std::string cell_text(Episode const& episode, CounterfactualAnswer const& found) {
    Decision const& decision = episode.decisions[found.step];
    std::string text = fmt::format("instance {}, step {}: {}; ", found.instance, found.step + 1,
                                   describe_action(*decision.state, found.action));
    SettledFlip const* const best = found.best();
    if (best == nullptr)
        return text + (found.guided ? "nothing that was tried changes that\n" : "no shot changes that\n");
    auto const& changes = best->flip.changes;
    text += fmt::format("it would {} if ({})\n", best->flip.new_action_words, name_of(best->status()));
    constexpr std::size_t most_lines = 5;
    for (std::size_t i = 0; i < std::min(most_lines, changes.size()); ++i) {
        text += fmt::format("    {}\n", changes[i].words);
    }
    if (changes.size() > most_lines) {
        text += fmt::format("    ... and {} more entries (--refine looks for fewer)\n", changes.size() - most_lines);
    }
    if (best->certificate && best->certificate->verdict != Verdict::certified && !best->certificate->reason.empty()) {
        text += fmt::format("    {}: {}\n", name_of(best->status()), best->certificate->reason);
    }
    return text;
}

/// Families by how little of them flips the step.
std::string families_text(ProblemInfo const& info, std::vector<FamilyAnswer> const& answers) {
    std::vector<FamilyAnswer const*> order;
    for (FamilyAnswer const& answer : answers) order.push_back(&answer);
    std::ranges::stable_sort(order, {}, [](FamilyAnswer const* answer) {
        return answer->flip ? answer->relative_size : std::numeric_limits<double>::infinity();
    });
    std::string text;
    for (FamilyAnswer const* answer : order) {
        std::string_view const name = info.families[answer->family];
        if (!answer->flip) {
            text += fmt::format("    {:<12} nothing flips up to {:g} of the scale\n", name, answer->reach);
            continue;
        }
        auto const& changes = answer->flip->flip.changes;
        text +=
            fmt::format("    {:<12} {:.3f} of the scale: {}{}\n", name, answer->relative_size, changes.front().words,
                        changes.size() > 1 ? fmt::format(" and {} more", changes.size() - 1) : "");
    }
    return text;
}

/// Everything that is printed or written, collected decision by decision.
struct Report {
    AnswerTally tally;
    WachterCount wachter;
    Json decisions = Json::array(); ///< filled only if somebody wants the file
    std::string sentences;      ///< of the first decisions
};

struct Explained {
    CounterfactualAnswer found;
    std::vector<FamilyAnswer> families;
};

Result<Explained> explain_cell(Policy const& policy, Episode const& episode, std::size_t step, AnswerOptions const& request,
                               bool per_family) {
    auto found = answer_counterfactual(policy, episode, step, request);
    if (!found) return found.error();
    auto families = per_family ? answer_per_family(policy, episode, step, request) : std::vector<FamilyAnswer>();
    if (!families) return families.error();
    return Explained{*std::move(found), *std::move(families)};
}

void add_cell(Report& report, Episode const& episode, Explained const& decision, bool keep) {
    report.tally.add(decision.found);
    if (keep) {
        Json json = records::decision_json(episode, decision.found);
        for (FamilyAnswer const& answer : decision.families) json["families"].push_back(records::family_json(episode, answer));
        report.decisions.push_back(std::move(json));
    }
    if (report.tally.decisions > cells_shown) return;
    report.sentences += cell_text(episode, decision.found);
    if (!decision.families.empty()) report.sentences += families_text(episode.instance->problem().info(), decision.families);
}

/// A part of the instances, from `first` on.
void explain_group(Loaded const& loaded, std::size_t first, CounterfactualCommand const& command,
                   std::function<void(double)> const& progress, Report& report) {
    Policy const& policy = *loaded.policy.policy;
    AnswerOptions const& options = command.request.options;
    auto const instances = std::span(loaded.file.instances).subspan(first);
    RolloutOptions walking = command.decisions.rollout_options();
    walking.numbers.assign(loaded.numbers.begin() + static_cast<std::ptrdiff_t>(first), loaded.numbers.end());
    auto const episodes = must(rollout(policy, instances.first(std::min(group_size, instances.size())), walking));
    std::vector<std::pair<Episode const*, std::size_t>> decisions;
    for (Episode const& each : episodes) {
        for (Decision const& decision : must(command.decisions.of(std::span(&each, 1)))) decisions.emplace_back(&each, decision.step);
    }
    std::vector<Result<Explained>> explained(decisions.size(), Explained());
    std::mutex mutex;
    std::size_t finished = 0;
    parallel_for(decisions.size(), command.inputs.threads, [&](std::size_t c, std::size_t) {
        explained[c] = explain_cell(policy, *decisions[c].first, decisions[c].second, options, command.request.per_family);
        std::scoped_lock const lock(mutex);
        progress(static_cast<double>(++finished) / static_cast<double>(decisions.size()));
    });
    for (std::size_t c = 0; c < decisions.size(); ++c) {
        auto const& [own, step] = decisions[c];
        std::string const where = fmt::format("instance {}, step {}", own->decisions[step].instance, step + 1);
        add_cell(report, *own, must(std::move(explained[c]), where), command.inputs.wants_result());
    }
    if (!command.request.wachter) return;
    report.wachter += must(count_wachter(policy, episodes, options.search, command.inputs.threads));
}

Report explain_all(Loaded const& loaded, CounterfactualCommand const& command) {
    ProgressBar bar("searching");
    Progress const show = bar.callback();
    Report report;
    std::size_t const all = loaded.file.instances.size();
    for (std::size_t first = 0; first < all; first += group_size) {
        auto const progress = [&](double part) {
            constexpr double ticks = 100; // per instance
            double const done =
                static_cast<double>(first) + part * static_cast<double>(std::min(group_size, all - first));
            if (show) show(static_cast<std::size_t>(ticks * done), static_cast<std::size_t>(ticks) * all);
        };
        explain_group(loaded, first, command, progress, report);
    }
    return report;
}

void print_report(Loaded const& loaded, CounterfactualRequest const& request, Report const& report) {
    CounterfactualOptions const& search = request.options.search;
    bool const guided = request.options.finder_for(*loaded.policy.policy) == FlipSearch::guided;
    fmt::print("{}: {}, {} states, certified as: {}\n{}\n{}", loaded.heading(),
               guided ? "guided search" : fmt::format("{} shots", search.shots), name_of(search.fidelity.state),
               name_of(request.options.certification.mode), loaded.notes_text(), report.sentences);
    if (report.tally.decisions > cells_shown)
        fmt::print("... and {} more cells (--json has them all)\n", report.tally.decisions - cells_shown);
    fmt::print("\n{}", tally_text(loaded.info(), report.tally));
    if (request.wachter && report.wachter.shots > 0) {
        WachterCount const& count = report.wachter;
        fmt::print("all tensors at once, no filter: {:.1f} % of {} shots pass the envelope; so do {} of {} smallest "
                   "flips\n",
                   100 * static_cast<double>(count.passing) / static_cast<double>(count.shots), count.shots,
                   count.passing_answers, count.flipped_cells);
    }
    fmt::print("{:.2f} s\n", loaded.stopwatch.seconds());
}

void run(CounterfactualCommand& command) {
    auto const loaded = load(command.inputs);
    CounterfactualRequest& request = command.request;
    request.options.search.perturbation.seed = command.inputs.seed;
    request.options.search.state_options = command.decisions.state_options();
    must(request.resolve(loaded.info()));
    auto report = within(command.inputs.instances, [&] { return explain_all(loaded, command); });
    print_report(loaded, request, report);
    if (!command.inputs.wants_result()) return;
    Json json = result_of("counterfactual", "counterfactual", command.inputs, loaded, table_of(command).json());
    json["problem"] = loaded.info().name;
    json["counts"] = records::statuses_json(report.tally.statuses);
    json["summary"] = records::tally_json(report.tally);
    if (request.wachter) json["wachter"] = records::wachter_json(report.wachter);
    json["cells"] = std::move(report.decisions);
    write_result(command.inputs, json);
}

} // namespace

Command counterfactual_command() {
    return make_command<CounterfactualCommand>(
        {.name = "counterfactual",
         .summary = "What would have changed a decision, with a witness that it could be",
         .paragraph =
             "For every decision of the policy: a small change to the instance that makes it choose otherwise (where "
             "its gradient points, or the smallest of many random ones with --search sampler), and a certificate that "
             "the changed instance still has a solution. --refine turns that into a few entries and round numbers. "
             "What a status means: certified, a flip with a checked witness; refuted, a flip, but proved to have no "
             "such solution; undecided, a flip, but the solver's budget was spent; no_flip, nothing that was tried "
             "changes the decision (which is no proof that nothing does).",
         .footer = R"(Examples:
  cax counterfactual op.safetensors four.json --limit 1 --refine
  cax counterfactual op.safetensors four.json --step 3 --towards 7 --refine
  cax counterfactual cvrptw.safetensors fleet.npz --steps 8 --fleet 12 --json out.json
  cax counterfactual cvrptw.safetensors fleet.npz --certify prefix --fix locs --budget durations=20
  cax counterfactual fjsp.safetensors shop.json --primitive --refine
  cax counterfactual op.safetensors four.json --published --certify none)"});
}

} // namespace cax::cli
