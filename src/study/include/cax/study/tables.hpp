#pragma once
// What a finished study says: tables with the paper's numbers beside ours, the claims of the paper with what became of
// them, and the short answers that a reader wants first. Everything comes from the store; equal decisions give equal
// tables, byte for byte.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"
#include "cax/study/settings.hpp"
#include "cax/study/store.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cax::study {

/// A decision of a table: nothing, words, a count, or a measured number.
using Value = std::variant<std::monostate, std::string, std::int64_t, double>;

struct Table {
    std::string name;  ///< "agreement": its key in tables.json, its file name as CSV
    std::string title; ///< a sentence
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows = {};
    std::vector<std::string> notes = {}; ///< how to read it, and why it differs from the paper where it does
    bool long_form = false;              ///< too long for a report: CSV and JSON only
};

struct Answer {
    std::string question;
    std::string problem;
    std::string answer;  ///< "yes", "no", "not shown", "no data"
    std::string numbers; ///< one sentence with them
};

/// What headline numbers are computed by: the paper's equations, or what its published code does instead.
enum class Reading { paper, published };

struct StudyTables {
    Reading reading = Reading::paper;
    std::string citation; ///< where the paper's numbers are from
    std::vector<Answer> answers;
    std::vector<std::string> conclusions; ///< a sentence each
    std::vector<Table> tables;

    /// Null if there is none of that name.
    [[nodiscard]] Table const* find(std::string_view name) const;
};

/// Error if the store is incomplete (the message says by how much) or a decision cannot be read.
[[nodiscard]] Result<StudyTables> make_tables(Store const& store, Settings const& settings,
                                              Reading reading = Reading::paper);

/// {"reading", "citation", "answers", "conclusions", "tables": {name: {title, columns, rows, notes}}}
[[nodiscard]] Json to_json(StudyTables const& tables);
[[nodiscard]] std::string to_csv(Table const& table);

} // namespace cax::study
