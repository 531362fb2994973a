#pragma once
// Results as tidy tables, for CSV files and data frames: one row per decision and family, per change, per alternative,
// per line of text. Made of the records themselves, so that a table says nothing that the result file does not.
#include "cax/core/json.hpp"

#include <string>
#include <vector>

namespace cax::records {

struct TidyTable {
    std::string name; ///< "attributions"; the file is attributions.csv
    std::vector<std::string> columns;
    std::vector<std::vector<Json>> rows; ///< numbers, texts, true, false, null

    /// With a line of column names; what is null is empty. RFC 4180.
    [[nodiscard]] std::string csv() const;
};

/// The tables of a result, by its `schema`; those of parts that were not asked for are left out, and so none are left
/// for kinds that explain nothing. Precondition: the library wrote it.
[[nodiscard]] std::vector<TidyTable> tables_of(Json const& result);

} // namespace cax::records
