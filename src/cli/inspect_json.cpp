#include "inspect_json.hpp"

#include "must.hpp"

#include "table.hpp"

#include "cax/core/printable.hpp"
#include "cax/io/json_pieces.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::cli {
namespace {

/// Entries of a set, and how many of them are proven optimal. One entry at a time becomes a value.
struct SetCount {
    std::size_t instances = 0;
    std::size_t optimal = 0;
};

SetCount count_set(io::JsonPieces const& pieces, io::JsonPiece const& set) {
    SetCount count;
    if (!set.is_object()) return count;
    auto const list = must(pieces.member(set, "instances"));
    if (!list || !list->is_list()) return count;
    auto elements = pieces.elements(*list);
    for (;;) {
        auto const piece = must(elements.next());
        if (!piece) return count;
        auto const entry = must(pieces.value(*piece));
        ++count.instances;
        bool const proven = entry.is_object() && entry.contains("optimal") && entry["optimal"] == true;
        count.optimal += proven ? 1 : 0;
    }
}

Findings inspect_best_known(io::JsonPieces const& pieces, io::JsonPiece const& sets) {
    Findings findings{"best known solutions\n", {{"kind", "best-known"}, {"sets", Json::array()}}};
    Table table({"<set", "instances", "proven optimal"});
    for (auto const& [name, set] : must(pieces.members(sets))) {
        auto const count = count_set(pieces, set);
        table.add(printable(name), count.instances, count.optimal);
        findings.fields["sets"].push_back({{"name", name}, {"instances", count.instances}, {"optimal", count.optimal}});
    }
    findings.text += table.text();
    return findings;
}

std::string shortened(Json const& value) {
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 90) text = text.substr(0, 87) + "...";
    return text;
}

Findings inspect_result(io::JsonPieces const& pieces, std::vector<io::JsonMember> const& members,
                        std::string const& schema) {
    Findings findings{fmt::format("a result of cax, schema {}\n", printable(schema)),
                      {{"kind", "result"}, {"result_schema", schema}}};
    for (auto const& [key, piece] : members) {
        if (key == "schema") continue;
        if (piece.is_list()) {
            auto const count = must(pieces.count(piece));
            findings.text += fmt::format("  {:<18} {} entries\n", printable(key), count);
            findings.fields["counts"][key] = count;
            continue;
        }
        auto const value = must(pieces.value(piece));
        findings.text += fmt::format("  {:<18} {}\n", printable(key), shortened(value));
    }
    return findings;
}

} // namespace

std::optional<Findings> inspect_object(std::string_view text) {
    auto const pieces = must(io::JsonPieces::cut(text));
    auto const members = must(pieces.members(pieces.whole()));
    for (auto const& [key, piece] : members) {
        if (key == "problems" && piece.is_object()) return inspect_best_known(pieces, piece);
    }
    auto const stated = std::ranges::find(members, "schema", &io::JsonMember::key);
    if (stated == members.end()) return std::nullopt;
    auto const schema = must(pieces.value(stated->piece));
    bool const ours = schema.is_string() && schema.get_ref<std::string const&>().starts_with("cax/");
    if (!ours || schema == "cax/instances/1") return std::nullopt;
    return inspect_result(pieces, members, schema.get<std::string>());
}

} // namespace cax::cli
