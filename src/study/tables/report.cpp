#include "cax/study/report.hpp"

#include "cax/core/json.hpp"
#include "tables/columns.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace cax::study {
namespace {

/// Three decimals where they say something, powers of ten where they do not.
std::string number_text(double value) {
    if (value != 0 && std::abs(value) < 5e-4) return fmt::format("{:.1e}", value);
    return fmt::format("{:.3f}", value);
}

std::string cell_text(Value const& value) {
    if (auto const* words = std::get_if<std::string>(&value)) {
        std::string text;
        for (char const c : *words) text += c == '|' ? std::string("\\|") : std::string(1, c);
        return text;
    }
    if (auto const* count = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *count);
    if (auto const* number = std::get_if<double>(&value)) return number_text(*number);
    return "";
}

std::string row_text(std::vector<std::string> const& decisions) { return fmt::format("| {} |\n", fmt::join(decisions, " | ")); }

std::string table_text(Table const& table) {
    std::vector<std::string> rule(table.columns.size(), "---");
    std::string text = row_text(table.columns) + row_text(rule);
    for (auto const& row : table.rows) {
        std::vector<std::string> decisions;
        for (Value const& value : row) decisions.push_back(cell_text(value));
        text += row_text(decisions);
    }
    return text;
}

/// Methods down, problems across: does the method say something?
std::string glance_text(Table const& table) {
    Columns const rows(table);
    auto const problems = rows.distinct("problem");
    auto const methods = rows.distinct("method");
    std::map<std::pair<std::string, std::string>, std::string> by_place;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        by_place[{rows.text(row, "method"), rows.text(row, "problem")}] = cell_text(rows.text(row, "says something?"));
    }
    std::vector<std::string> head{"method"};
    head.insert(head.end(), problems.begin(), problems.end());
    std::string text = row_text(head) + row_text(std::vector<std::string>(head.size(), "---"));
    for (std::string const& method : methods) {
        std::vector<std::string> decisions{method};
        for (std::string const& problem : problems) decisions.push_back(by_place[{method, problem}]);
        text += row_text(decisions);
    }
    return text;
}

/// Questions down, problems across: the page's first table.
std::string answers_text(std::vector<Answer> const& answers) {
    std::vector<std::string> problems;
    std::vector<std::string> questions;
    std::map<std::pair<std::string, std::string>, Answer const*> by_place;
    auto const note = [](std::vector<std::string>& list, std::string const& word) {
        if (std::ranges::find(list, word) == list.end()) list.push_back(word);
    };
    for (Answer const& answer : answers) {
        note(problems, answer.problem);
        note(questions, answer.question);
        by_place[{answer.question, answer.problem}] = &answer;
    }
    std::vector<std::string> head{"question"};
    head.insert(head.end(), problems.begin(), problems.end());
    std::string text = row_text(head) + row_text(std::vector<std::string>(head.size(), "---"));
    for (std::string const& question : questions) {
        std::vector<std::string> decisions{question};
        for (std::string const& problem : problems) {
            Answer const* const answer = by_place[{question, problem}];
            decisions.push_back(answer == nullptr ? ""
                                              : fmt::format("**{}**: {}", answer->answer, cell_text(answer->numbers)));
        }
        text += row_text(decisions);
    }
    return text;
}

std::string head_text(StoreHeader const& header, ReportOptions const& options) {
    std::string text = "# The study: does the paper reproduce?\n\n";
    if (!options.command.empty())
        text += fmt::format("Made by `{}`; nothing below was edited by hand.\n\n", options.command);
    text += fmt::format("cax {}, settings `{}`.\n\n", header.version, header.settings);
    text += "| policy | problem | size | SHA-256 |\n| --- | --- | --- | --- |\n";
    for (PolicyEntry const& p : header.policies) {
        text += fmt::format("| {} | {} | {} | {} |\n", p.name, p.problem, p.size, p.sha256.substr(0, 16));
    }
    return text + "\n";
}

} // namespace

std::string to_markdown(StudyTables const& study, StoreHeader const& header, ReportOptions const& options) {
    std::string text = head_text(header, options);
    text += "## At a glance\n\n" + answers_text(study.answers) + "\n";
    text += "Numbers are differences of agreement with 95 % intervals (or what the settings say) over whole instances. "
            "\"Not shown\": the interval contains 0.\n\n";
    if (Table const* const glance = study.find("explanations")) {
        text += "### Which method says something, against majority and chance?\n\n" + glance_text(*glance);
        text += "\nThe first table below has the numbers, their intervals and how to read them.\n\n";
    }
    text += "## What we would conclude\n\n";
    for (std::string const& sentence : study.conclusions) text += "- " + sentence + "\n";
    text += "\n";
    for (Figure const& figure : figures(study)) {
        text += fmt::format("![{}]({}{}.svg)\n\n", figure.title, options.figures_folder, figure.name);
    }
    for (Table const& table : study.tables) {
        if (table.name == "failures" && table.rows.empty()) continue;
        text += fmt::format("## {}\n\n", table.title);
        text += table.long_form ? fmt::format("{} rows: see `{}.csv`.\n\n", table.rows.size(), table.name)
                                : table_text(table) + "\n";
        for (std::string const& each : table.notes) text += each + "\n\n";
    }
    text += fmt::format("The paper's numbers are from: {}\n", study.citation);
    return text;
}

} // namespace cax::study
