#pragma once
// What the files of `cax study` share: what it is given (its options, and the policies, settings and instances that
// they name), what a finished study leaves in its folder, and how far one is.
#include "command.hpp"

#include "cax/app/load.hpp"
#include "cax/core/options.hpp"
#include "cax/study/plan.hpp"
#include "cax/study/runner.hpp"
#include "cax/study/tables.hpp"

#include <filesystem>
#include <optional>

namespace cax::cli {

struct StudyCommand {
    Texts policies;
    std::string models = "models";
    std::string settings;
    bool quick = false;
    bool paper = false;
    bool published = false;
    std::string db;
    std::string folder = "study";
    std::string shard = "0/1";
    std::optional<std::uint64_t> seed;
    std::size_t threads = 0;
    Texts instances; ///< files of one's own
    Texts shards;    ///< stores to merge, or to look at
    std::string json;
    std::string copy; ///< where a copy goes

    [[nodiscard]] std::string store() const {
        return db.empty() ? (std::filesystem::path(folder) / "study.sqlite").string() : db;
    }
};

struct LoadedStudy {
    study::Settings settings;
    std::vector<app::LoadedPolicy> loaded;
    std::vector<study::StudyPolicy> policies; ///< in the order of the header
    study::StoreHeader header;
};

/// A failure names the file, setting or variable that is wrong.
[[nodiscard]] LoadedStudy load_study(StudyCommand const& options);

struct StudyFiles {
    study::StudyTables tables;
    std::string note; ///< what could not be drawn and why; empty if all was
};
/// tables.json, report.md, a CSV per table and per relation of the store, and figures drawn by gnuplot. Everything but
/// the figures is the same, byte for byte, for equal decisions.
[[nodiscard]] StudyFiles write_study(study::Store const& store, study::Settings const& settings,
                                     std::filesystem::path const& folder, study::Reading reading);

/// How far one store is, or many shards of one study.
[[nodiscard]] Outcome show_status(StudyCommand const& options);

} // namespace cax::cli
