#pragma once
// A finished study for people: a page in Markdown, and figures as scripts for gnuplot. Both only show what the tables
// say; nothing is computed here.
#include "cax/study/tables.hpp"

#include <string>
#include <vector>

namespace cax::study {

struct ReportOptions {
    std::string command;        ///< that made it
    std::string figures_folder; ///< as links write it, with a slash at the end if it is not empty
};
/// The answers first, then every table with its notes.
[[nodiscard]] std::string to_markdown(StudyTables const& study, StoreHeader const& header,
                                      ReportOptions const& options = {});

/// A gnuplot script that writes <name>.svg and <name>.png into the folder it runs in.
struct Figure {
    std::string name;
    std::string title;
    std::string script;
};
[[nodiscard]] std::vector<Figure> figures(StudyTables const& study);

} // namespace cax::study
