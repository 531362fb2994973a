// Instances as JSON values. Numbers survive both ways bit for bit.
//
//   {"name", the numbers of the instance, "depot": {"x", "y", ...}, "customers": [{"x", "y", ...}]}
//
// without "depot" where there is none, and with the problem's own word for its nodes.
#include "../errors.hpp"
#include "../fields.hpp"
#include "problem.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::table {
namespace {

Json node_to_json(Numbers const& numbers, std::span<Field const> fields, std::size_t node) {
    Json json;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        Field const& field = fields[f];
        if (field.entries == Entries::instance || node < first_in_files(field)) continue;
        auto const number = entry_of(field, numbers.columns[f], node);
        if (field.key.empty()) {
            for (std::size_t c = 0; c < field.width; ++c) json[field.label[c]] = json_number(readable(number[c]));
        } else if (field.limits == Limits::ordered) {
            // Whether pairs are whole is told by how their numbers are written: 7 or 7.0.
            auto const time = [&](float value) {
                return numbers.whole_pairs ? Json(static_cast<std::int64_t>(value)) : Json(readable(value));
            };
            json[field.key] = Json::array({time(number[0]), time(number[1])});
        } else if (field.limits == Limits::fraction) {
            json[field.key] = json_number(in_units(number[0], capacity_of(numbers, fields, field)));
        } else if (!(node == 0 && field.depot_may_lack && number[0] == 0) && number[0] != field.lacking) {
            json[field.key] = json_number(readable(number[0]));
        }
    }
    return json;
}

/// Appends a pair; one that is not written in whole numbers clears the flag.
Result<void> append_pair(Json const& json, std::string_view key, std::vector<float>& column, bool& whole) {
    auto const list = require_array(json, key);
    if (!list) return list.error();
    Json const& pair = **list;
    if (pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
        return malformed("{} is not a pair of numbers", key);
    }
    for (Json const& number : pair) {
        column.push_back(static_cast<float>(number.get<double>()));
        whole = whole && number.is_number_integer();
    }
    return {};
}

Result<void> append_entry(Json const& json, Field const& field, std::size_t node, float capacity,
                          std::vector<float>& column, bool& whole) {
    if (field.limits == Limits::ordered) return append_pair(json, field.key, column, whole);
    if (field.limits == Limits::fraction) {
        auto const amount = require_number(json, field.key);
        if (!amount) return amount.error();
        if (!(*amount >= 0)) return invalid("{} is {}: negative", field.key, *amount);
        column.push_back(static_cast<float>(*amount / double{capacity}));
        return {};
    }
    for (std::size_t c = 0; c < field.width; ++c) {
        std::string_view const key = field.key.empty() ? field.label[c] : field.key;
        bool const may_lack = field.lacking || (node == 0 && field.depot_may_lack);
        bool const left_out =
            (node == 0 && first_in_files(field) > 0) || (may_lack && json.is_object() && !json.contains(key));
        auto const value = left_out ? Result<float>(field.lacking.value_or(0)) : require_float(json, key);
        if (!value) return value.error();
        column.push_back(*value);
    }
    return {};
}

/// Whatever else a file says is ignored, but not what another problem would read.
Result<void> check_keys(Json const& json, Problem const& problem) {
    for (auto const& [key, value] : json.items()) {
        if (problem.is_foreign(key))
            return malformed("{} is a field of another problem than {}", key, problem.info().name);
    }
    return {};
}

Result<void> append_node(Json const& json, Problem const& problem, std::size_t node, Numbers& numbers) {
    if (auto ok = check_keys(json, problem); !ok) return ok;
    auto const fields = problem.fields();
    for (std::size_t f = 0; f < fields.size(); ++f) {
        if (fields[f].entries == Entries::instance || node < first_node(fields[f])) continue;
        auto ok = append_entry(json, fields[f], node, capacity_of(numbers, fields, fields[f]), numbers.columns[f],
                               numbers.whole_pairs);
        if (!ok) return ok;
    }
    return {};
}

} // namespace

Json Problem::to_json(cax::Instance const& any) const {
    auto const& instance = static_cast<Instance const&>(any);
    Numbers const& numbers = instance.numbers();
    Json json;
    json["name"] = json_string(numbers.name);
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (fields_[f].entries == Entries::instance)
            json[fields_[f].key] = json_number(readable(numbers.columns[f][0]));
    }
    if (look_.nodes.depot) json["depot"] = node_to_json(numbers, fields_, 0);
    Json& others = json[look_.nodes.many] = Json::array();
    for (std::size_t i = look_.nodes.depot ? 1 : 0; i < instance.nodes(); ++i) {
        others.push_back(node_to_json(numbers, fields_, i));
    }
    return json;
}

Result<InstancePtr> Problem::from_json(Json const& json) const {
    if (auto ok = check_keys(json, *this); !ok) return ok.error();
    Numbers numbers{.name = name_field(json), .columns = {}, .whole_pairs = true};
    numbers.columns.resize(fields_.size());
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (fields_[f].entries != Entries::instance) continue;
        auto const value = require_float(json, fields_[f].key);
        if (!value) return value.error();
        bool const divides = std::ranges::any_of(fields_, [&](Field const& field) {
            return field.limits == Limits::fraction && field.whole == fields_[f].name; // is read in its units
        });
        if (divides && !(*value > 0)) return invalid("{} is {}: expected a positive number", fields_[f].key, *value);
        numbers.columns[f] = {*value};
    }
    std::size_t node = 0;
    auto const append = [&](Json const& entry) -> Result<void> {
        auto ok = append_node(entry, *this, node, numbers);
        return ok ? ok : ok.error().within(name_of(node));
    };
    Json const* depot = nullptr;
    if (look_.nodes.depot) {
        auto const found = require_field(json, "depot");
        if (!found) return found.error();
        depot = *found;
    }
    auto const others = require_array(json, look_.nodes.many);
    if (!others) return others.error();
    if (depot != nullptr) {
        if (auto ok = append(*depot); !ok) return ok.error();
        ++node;
    }
    for (Json const& entry : **others) {
        if (auto ok = append(entry); !ok) return ok.error();
        ++node;
    }
    return make(std::move(numbers));
}

} // namespace cax::table
