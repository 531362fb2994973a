#include "study.hpp"

#include "must.hpp"

#include "result_file.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/study/report.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cax::cli {
namespace {

/// Runs `gnuplot SCRIPT` in the folder. False if it is not installed or fails.
bool draw(std::filesystem::path const& folder, std::string const& script) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    std::string program = "gnuplot";
    std::string argument = script;
    char* const argv[] = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    bool const started = posix_spawnp(&child, "gnuplot", &actions, nullptr, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!started) return false;
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Draws where nobody looks and moves what is finished: a picture is whole or not there.
bool draw_figure(std::filesystem::path const& folder, std::string const& script) {
    std::filesystem::path const drawing = folder / fmt::format(".drawing-{}", ::getpid());
    std::error_code failed;
    std::filesystem::create_directories(drawing, failed);
    bool drawn = !failed && draw(drawing, "../" + script);
    for (auto const& picture : std::filesystem::directory_iterator(drawing, failed)) {
        if (!drawn) break;
        std::filesystem::rename(picture.path(), folder / picture.path().filename(), failed);
        drawn = !failed;
    }
    std::filesystem::remove_all(drawing, failed);
    return drawn;
}

std::string write_figures(study::StudyTables const& tables, std::filesystem::path const& folder) {
    make_folder(folder);
    std::string note;
    for (study::Figure const& figure : study::figures(tables)) {
        std::string const script = figure.name + ".gp";
        must(io::write_text(folder / script, figure.script));
        if (note.empty() && !draw_figure(folder, script)) {
            note = fmt::format("gnuplot did not draw {}; the scripts are in {}", figure.name, folder.string());
        }
    }
    return note;
}

Json tables_json(study::Store const& store, study::Settings const& settings, study::StudyTables const& tables) {
    Json json = app::result_with_head({.kind = "study", .seed = settings.seed}, study::to_json(settings));
    json["wall_seconds"] = nullptr; // a table is the same however long it took, and in how many runs
    json["policies"] = Json::array();
    for (study::PolicyEntry const& p : store.header().policies) {
        json["policies"].push_back(
            {{"path", p.name}, {"sha256", p.sha256}, {"problem", p.problem}, {"size", p.size}, {"seed", p.seed}});
    }
    json.update(study::to_json(tables));
    return json;
}

void write_csvs(study::Store const& store, study::StudyTables const& tables, std::filesystem::path const& folder) {
    make_folder(folder / "cells");
    for (study::Table const& table : tables.tables) {
        must(io::write_text(folder / (table.name + ".csv"), study::to_csv(table)));
    }
    for (std::string const& relation : must(store.relations())) {
        if (relation == "cells") continue; // the store itself is the better form of it
        must(io::write_text(folder / "cells" / (relation + ".csv"), must(store.csv(relation))));
    }
}

} // namespace

StudyFiles write_study(study::Store const& store, study::Settings const& settings, std::filesystem::path const& folder,
                       study::Reading reading) {
    auto tables = must(study::make_tables(store, settings, reading));
    make_folder(folder);
    write_json((folder / "tables.json").string(), tables_json(store, settings, tables));
    std::string const report =
        study::to_markdown(tables, store.header(), {.command = "cax study", .figures_folder = "figures/"});
    must(io::write_text(folder / "report.md", report));
    write_csvs(store, tables, folder / "csv");
    std::string note = write_figures(tables, folder / "figures");
    return {std::move(tables), std::move(note)};
}

} // namespace cax::cli
