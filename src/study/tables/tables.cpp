#include "cax/study/tables.hpp"

#include "cax/core/json.hpp"
#include "cax/study/plan.hpp"
#include "tables/table_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {

Table const* StudyTables::find(std::string_view name) const {
    auto const found = std::ranges::find(tables, name, &Table::name);
    return found == tables.end() ? nullptr : &*found;
}

Result<StudyTables> make_tables(Store const& store, Settings const& settings, Reading reading) {
    if (Shard const& shard = store.header().shard; shard.count > 1) {
        return Error{ErrorCode::mismatch, fmt::format("this is shard {}/{} of a study: merge all {} of them first",
                                                      shard.index, shard.count, shard.count)};
    }
    auto const status = status_of(store, settings);
    if (!status) return status.error();
    if (std::size_t const missing = missing_cells(*status); missing > 0) {
        return Error{ErrorCode::mismatch,
                     fmt::format("the study is not finished: {} cells are missing; run it again to go on", missing)};
    }
    auto const findings = read_findings(store);
    if (!findings) return findings.error();
    Paper const paper;
    TableInput const in{*findings, settings, paper, headline_signal(reading == Reading::published)};
    return StudyTables{.reading = reading,
                       .citation = paper.citation(),
                       .answers = answers(in),
                       .conclusions = conclusions(in),
                       .tables = {explanations_table(in),
                                  claims_table(in),
                                  coverage_table(in),
                                  agreement_table(in),
                                  difference_table(in),
                                  searches_table(in),
                                  search_agreement_table(in),
                                  signals_table(in),
                                  stability_table(in),
                                  sweep_table(in),
                                  aggregation_table(in),
                                  published_table(in),
                                  confusion_table(in),
                                  duals_table(in),
                                  wachter_table(in),
                                  subsets_table(in),
                                  gaps_table(in),
                                  truths_table(in),
                                  relative_table(in),
                                  sanity_table(in),
                                  exchange_table(in),
                                  curves_table(in),
                                  thumb_table(in),
                                  regimes_table(in),
                                  failures_table(in)}};
}

namespace {

Json value_json(Value const& value) {
    return std::visit(
        []<class T>(T const& content) {
            if constexpr (std::is_same_v<T, std::monostate>) {
                return Json(nullptr);
            } else {
                return Json(content);
            }
        },
        value);
}

} // namespace

Json to_json(StudyTables const& study) {
    Json json = {{"reading", study.reading == Reading::published ? "published" : "paper"},
                 {"citation", study.citation},
                 {"answers", Json::array()},
                 {"conclusions", study.conclusions},
                 {"tables", Json::object()}};
    for (Answer const& answer : study.answers) {
        json["answers"].push_back({{"question", answer.question},
                                   {"problem", answer.problem},
                                   {"answer", answer.answer},
                                   {"evidence", answer.numbers}});
    }
    for (Table const& table : study.tables) {
        Json& entry = json["tables"][table.name] = {
            {"title", table.title}, {"columns", table.columns}, {"rows", Json::array()}, {"notes", table.notes}};
        for (auto const& row : table.rows) {
            Json decisions = Json::array();
            for (Value const& value : row) decisions.push_back(value_json(value));
            entry["rows"].push_back(std::move(decisions));
        }
    }
    return json;
}

std::string to_csv(Table const& table) {
    auto const field = [](std::string const& text) {
        if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
        std::string quoted = "\"";
        for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        return quoted + '"';
    };
    std::string csv;
    for (std::size_t c = 0; c < table.columns.size(); ++c) csv += (c == 0 ? "" : ",") + field(table.columns[c]);
    csv += "\r\n";
    for (auto const& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            Json const json = value_json(row[c]);
            std::string const text = json.is_null() ? "" : json.is_string() ? json.get<std::string>() : json.dump();
            csv += (c == 0 ? "" : ",") + field(text);
        }
        csv += "\r\n";
    }
    return csv;
}

} // namespace cax::study
