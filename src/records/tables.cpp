#include "cax/records/tables.hpp"

#include "rows.hpp"

#include "cax/explain/parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::records {
namespace {

std::string csv_field(Json const& value) {
    if (value.is_null()) return "";
    std::string const text =
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csv_line(auto const& values) {
    std::string line;
    for (auto const& value : values) line += (&value == &values.front() ? "" : ",") + csv_field(value);
    return line + "\r\n";
}

/// Cells of cax/swap/1 and its like hold one part, by its name.
void add_cells(Tables& tables, Json const& cells, std::string_view part) {
    for (Json const& each : cells) {
        add_part(tables, part, decision_of(each["instance"], each), each[std::string(part)]);
    }
}

void add_explanation(Tables& tables, Json const& result) {
    Json const& about = result["instance"];
    Json const number = about.contains("number") ? about["number"] : Json(0);
    for (Json const& step : result["steps"]) {
        Row const decision = decision_of(number, step);
        add_decision(tables, decision, step);
        Parts::each_about_decisions([&]<class Part> {
            std::string const name(Part::name);
            if (step.contains(name)) add_part(tables, name, decision, step[name]);
        });
        add_lines(tables, decision, "line", step["lines"]);
        add_lines(tables, decision, "detail", step["sentences"]);
    }
    add_lines(tables, {number, nullptr, nullptr, nullptr}, "story", result["story"]);
}

/// Nodes are written by node there, and by family in an explanation.
Json nodes_by_family(Json const& families, Json const& nodes) {
    Json result = Json::object();
    for (std::size_t k = 0; k < families.size(); ++k) {
        Json& own = result[families[k].get<std::string>()] = Json::array();
        for (Json const& node : nodes) own.push_back(node[k]);
    }
    return result;
}

void add_attributions(Tables& tables, Json const& result) {
    for (Json const& instance : result["instances"]) {
        for (Json step : instance["steps"]) {
            step["node_families"] = nodes_by_family(result["families"], step["nodes"]);
            add_part(tables, "attribution", decision_of(instance["instance"], step), step);
        }
    }
}

void add_subsets(Tables& tables, Json const& result) {
    auto const add_all = [&](Json const& along) {
        for (Json decision : along["cells"]) {
            decision["order"] = along["order"];
            add_part(tables, "subset", decision_of(decision["instance"], decision), decision);
        }
    };
    if (result.contains("orderings")) {
        for (Json const& each : result["orderings"]) add_all(each);
    } else {
        add_all(result);
    }
}

} // namespace

std::string TidyTable::csv() const {
    std::string text = csv_line(columns);
    for (auto const& row : rows) text += csv_line(row);
    return text;
}

void Tables::add(char const* name, std::initializer_list<char const*> columns, Row const& decision, Row const& values) {
    auto found = std::ranges::find(all, name, &TidyTable::name);
    if (found == all.end()) {
        TidyTable table{name, {"instance", "step", "action", "words"}, {}};
        table.columns.insert(table.columns.end(), columns.begin(), columns.end());
        all.push_back(std::move(table));
        found = all.end() - 1;
    }
    if (values.empty()) return;
    Row row = decision;
    row.insert(row.end(), values.begin(), values.end());
    found->rows.push_back(std::move(row));
}

Row decision_of(Json const& instance, Json const& record) {
    return {instance, record["step"], record["action"], record["words"]};
}

std::vector<TidyTable> tables_of(Json const& result) {
    Tables tables;
    std::string const schema = result["schema"].get<std::string>();
    if (schema == "cax/explanation/1") {
        add_explanation(tables, result);
    } else if (schema == "cax/subset/1") {
        add_subsets(tables, result);
    } else if (schema == "cax/attribution/1") {
        add_attributions(tables, result);
    } else if (schema == "cax/regret/1") {
        for (Json const& instance : result["instances"]) {
            for (Json const& each : instance.value("decisions", Json::array()))
                add_part(tables, "regret", decision_of(instance["instance"], each), each);
        }
    } else if (schema == "cax/counterfactual/1") {
        for (Json const& each : result["cells"]) {
            add_part(tables, "counterfactual", decision_of(each["instance"], each), each);
        }
    } else {
        for (std::string_view const part : Parts::names) {
            if (schema == fmt::format("cax/{}/1", part)) add_cells(tables, result["cells"], part);
        }
    }
    return std::move(tables.all);
}

} // namespace cax::records
