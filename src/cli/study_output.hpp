#pragma once
// What a finished study leaves in its folder: tables.json, report.md, a CSV per table and per relation of the store,
// and figures drawn by gnuplot.
#include "cax/core/result.hpp"
#include "cax/study/settings.hpp"
#include "cax/study/store.hpp"
#include "cax/study/tables.hpp"

#include <filesystem>
#include <string>

namespace cax::cli {

struct StudyFiles {
    study::StudyTables tables;
    std::string note; ///< what could not be drawn and why; empty if all was
};

/// Everything but the figures is the same, byte for byte, for equal cells.
[[nodiscard]] StudyFiles write_study(study::Store const& store, study::Settings const& settings,
                                     std::filesystem::path const& folder, study::Reading reading);

/// The answers, as a table.
void print_answers(study::StudyTables const& tables);

} // namespace cax::cli
