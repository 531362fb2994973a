#include "study.hpp"

#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/study/plan.hpp"
#include "cax/study/runner.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace cax::cli {
namespace {

Outcome write_and_tell(study::Store const& store, study::Settings const& settings, StudyCommand const& options) {
    std::string const& folder = options.folder;
    auto const reading = options.published ? study::Reading::published : study::Reading::paper;
    auto const files = write_study(store, settings, folder, reading);
    Table answers({"<question", "<problem", "<answer", "<lp - other, interval over instances"});
    for (study::Answer const& each : files.tables.answers) {
        answers.add(each.question, each.problem, each.answer, each.numbers);
    }
    fmt::print("{}\n{}/report.md: every table, beside the paper's; tables.json, csv/ and figures/ for other uses\n",
               answers.text(), folder);
    if (!files.note.empty()) fmt::print("note: {}\n", files.note);
    study::Table const* const failures = files.tables.find("failures");
    if (failures == nullptr || failures->rows.empty()) return Outcome::success;
    fmt::print("some cells could not be computed: see \"failures\" in {}/report.md\n", folder);
    return Outcome::answer_is_no;
}

Outcome run_study(StudyCommand const& options) {
    Stopwatch const stopwatch;
    auto const loaded = load_study(options);
    std::filesystem::path const db = options.store();
    std::error_code ignored;
    if (options.db.empty()) std::filesystem::create_directories(options.folder, ignored);
    auto store = must(study::Store::open(db, loaded.header));
    auto const before = must(store.size());
    if (before > 0) fmt::print("{}: {} cells are there, going on\n", db.string(), before);
    ProgressBar bar("study");
    study::RunOptions run{.threads = options.threads, .first_task = 0, .progress = bar.callback()};
    if (before > 0) run.first_task = static_cast<std::size_t>(getpid());
    auto const report = must(study::run(store, loaded.settings, loaded.policies, run));
    fmt::print("{}: {} cells computed in {}\n", db.string(), report.computed, duration_in_words(stopwatch.seconds()));
    study::Shard const& shard = loaded.header.shard;
    if (shard.count > 1) {
        fmt::print("shard {}/{} is done; join all {} with: cax study merge SHARD... --db FILE\n", shard.index,
                   shard.count, shard.count);
        return Outcome::success;
    }
    Json json = app::result_with_head(
        {.kind = "study-run", .command = "study", .seed = loaded.settings.seed, .wall_seconds = stopwatch.seconds()},
        study::to_json(loaded.settings));
    json["cells_computed"] = report.computed;
    json["cells_found"] = before;
    json["failed"] = report.failed;
    auto const outcome = write_and_tell(store, loaded.settings, options);
    write_json((std::filesystem::path(options.folder) / "run.json").string(), json);
    return outcome;
}

void merge_shards(StudyCommand const& options) {
    must(study::merge_files(options.shards, options.store()));
    fmt::print("{}: {} shards joined; tables with: cax study export --db {} -o DIR\n", options.store(),
               options.shards.size(), options.store());
}

Outcome export_study(StudyCommand const& options) {
    auto const store = must(study::Store::open_to_read(options.store()));
    auto const settings = must(study::settings_of(store), options.store());
    return write_and_tell(store, settings, options);
}

void copy_store(StudyCommand const& options) {
    auto const store = must(study::Store::open_to_read(options.db));
    must(store.copy_to(options.copy));
    fmt::print("{}: {} cells and more, if somebody is writing them\n", options.copy, must(store.size()));
}

void describe_store(OptionTable& table, StudyCommand& command) {
    table.value("db", command.db, "FILE", "The study's store; without it, study.sqlite in the folder of -o");
    table.value("output", command.folder, "DIR", "Folder for tables, report and figures").also('o');
}

void describe_published(OptionTable& table, StudyCommand& command) {
    table
        .flag("paper", command.paper,
              "Headline tables by the paper's equations and its algorithm 1 (also what happens without)")
        .without({"published"});
    table.flag("published", command.published,
               "Headline tables by what the published code computes instead of the paper's equations; the cells are "
               "the same, and the table of differences has both");
}

void describe(OptionTable& table, StudyCommand& command) {
    table.value("policy", command.policies, "FILE", "A policy file; may be repeated. Without it, all of --models");
    table.value("models", command.models, "DIR", "Folder of policies; -s0, -s1, ... in a name tell seeds apart");
    table.flag("quick", command.quick, "Few instances, steps and shots: a minute, and no conclusions");
    table.value("settings", command.settings, "FILE", "JSON file that changes settings by name (docs/study.md)");
    table.value("instances", command.instances, "FILE",
                "One's own instances instead of generated ones, whole files; may be repeated");
    table.value("shard", command.shard, "i/n",
                "Only this share of the work, as i/n with i from 0; auto: the task of a Slurm array, auto/n: of n");
    describe_published(table, command);
    describe_store(table, command);
    table.group(common_group);
    table.value("seed", command.seed, "S", seed_help);
    threads_option(table, command.threads);
}

std::vector<Command> study_parts(std::shared_ptr<StudyCommand> const& command) {
    return {make_command(
                command,
                {.name = "status",
                 .summary = "How far is it?",
                 .paragraph = "Lists how many cells of every stage are done; of several stores, how far each is and "
                              "which shards are not there yet. Exit code 1 if something is missing.",
                 .footer = "Examples:\n  cax study status -o study\n  cax study status part*.sqlite"},
                [](OptionTable& table, StudyCommand& own) {
                    table.positional("STORES", own.shards, "The shards' stores, instead of --db").required = false;
                    describe_store(table, own);
                    json_option(table, own.json);
                },
                show_status),
            make_command(
                command,
                {.name = "merge",
                 .summary = "Join the stores of a study's shards",
                 .paragraph = "Refuses shards of other settings, policies or versions, missing shards, shards given "
                              "twice and shards that are not finished. The joined store is the one that a single run "
                              "would have made.",
                 .footer = "Examples:\n  cax study merge part?.sqlite --db all.sqlite"},
                [](OptionTable& table, StudyCommand& own) {
                    table.positional("SHARDS", own.shards, "The shards' stores").from(1);
                    describe_store(table, own);
                },
                merge_shards),
            make_command(
                command,
                {.name = "export",
                 .summary = "Tables, report, CSV and figures from a finished store",
                 .paragraph = "Computes no cell and needs no policy.",
                 .footer = "Examples:\n  cax study export --db all.sqlite -o study"},
                [](OptionTable& table, StudyCommand& own) {
                    describe_store(table, own);
                    describe_published(table, own);
                },
                export_study),
            make_command(
                command,
                {.name = "copy",
                 .summary = "Copy a store, even while it is being written",
                 .paragraph = "What is finished at that moment, in one new file without a log beside it: to bring it "
                              "from a node's own disk to a place that all see (docs/cluster.md).",
                 .footer = "Examples:\n  cax study copy /tmp/part3.sqlite shared/part3.sqlite"},
                [](OptionTable& table, StudyCommand& own) {
                    table.positional("STORE", own.db, "The store");
                    table.positional("TO", own.copy, "The new file");
                },
                copy_store)};
}

} // namespace

Command study_command() {
    auto const command = std::make_shared<StudyCommand>();
    Command study = make_command(
        command,
        {.name = "study",
         .summary = "Judge the explanations: every table and figure of the paper, and more",
         .paragraph =
             "For every policy: attributions under all backends, counterfactuals in all readings, certificates, "
             "sufficient subsets and gaps, on instances that it generates; then the tables of the paper's section "
             "3, ours beside the paper's. Cells land in one SQLite file as they are done: killed at any moment, "
             "the "
             "same command goes on where it was and ends with the same tables. Nothing depends on threads or "
             "shards.",
         .footer = R"(Examples:
  cax study --quick -o quick                           a look at everything, in about a minute
  cax study -o study                                   the whole study of the policies in models/
  cax study status -o study                            how far is it?
  cax study --policy mine.safetensors --settings s.json -o mine
  cax study --instances mine.npz --models models       your own instances
  cax study --shard 2/5 --db part2.sqlite              one of five parts (docs/cluster.md: --shard auto)
  cax study merge part?.sqlite --db all.sqlite         join them
  cax study export --db all.sqlite -o study            tables, report and figures)"},
        [](OptionTable& table, StudyCommand& own) { describe(table, own); }, run_study);
    study.parts = study_parts(command);
    return study;
}

} // namespace cax::cli
