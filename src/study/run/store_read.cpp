// What a store says: headers compared, decisions listed, relations as CSV.
#include "cax/study/store.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "run/statement.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {
namespace {

/// The first setting that differs, by its full name.
std::optional<std::string> setting_difference(Json const& store, Json const& now, std::string const& prefix) {
    for (auto const& [name, value] : store.items()) {
        Json const other = now.is_object() && now.contains(name) ? now[name] : Json(nullptr);
        if (value == other) continue;
        if (value.is_object() && other.is_object()) {
            if (auto inner = setting_difference(value, other, prefix + name + ".")) return inner;
        }
        return fmt::format("{}{} is {} there and {} now", prefix, name, value.dump(), other.dump());
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> difference(StoreHeader const& store, StoreHeader const& now) {
    if (store.version != now.version) {
        return fmt::format("made by cax {}, this is {}", printable(store.version), now.version);
    }
    if (store.settings != now.settings) {
        Json const there = Json::parse(store.settings, nullptr, false);
        Json const here = Json::parse(now.settings, nullptr, false);
        if (there.is_discarded() || here.is_discarded()) return "its settings cannot be read";
        auto const which = setting_difference(there, here, "");
        return "other settings: " + which.value_or("one has settings that the other has not");
    }
    for (PolicyEntry const& p : now.policies) {
        auto const same = std::ranges::find_if(
            store.policies, [&](PolicyEntry const& q) { return q.problem == p.problem && q.seed == p.seed; });
        if (same == store.policies.end()) return fmt::format("it has no policy {} (seed {})", p.name, p.seed);
        if (same->sha256 != p.sha256) {
            return fmt::format("another {} policy of seed {}: {} there, {} ({}) now", p.problem, p.seed,
                               same->sha256.substr(0, 12), p.sha256.substr(0, 12), p.name);
        }
        if (same->size != p.size) {
            return fmt::format("{} instances of size {} there, {} now", p.problem, same->size, p.size);
        }
    }
    if (store.policies.size() != now.policies.size()) {
        return fmt::format("it has {} policies, now there are {}", store.policies.size(), now.policies.size());
    }
    return std::nullopt;
}

Result<std::set<std::pair<std::string, int>>> Store::present(std::string const& problem, std::size_t seed,
                                                             std::size_t instance) const {
    Statement query(database_.get(), "SELECT stage, step FROM cells WHERE problem = ? AND seed = ? AND instance = ?");
    query.bind(1, problem).bind(2, static_cast<std::int64_t>(seed)).bind(3, static_cast<std::int64_t>(instance));
    std::set<std::pair<std::string, int>> found;
    int code = SQLITE_ROW;
    while ((code = query.step()) == SQLITE_ROW) found.emplace(query.text(0), static_cast<int>(query.number(1)));
    if (code != SQLITE_DONE) return failure("looking for finished cells");
    return found;
}

Result<std::vector<CellRow>> Store::rows(std::string_view stage) const {
    Statement query(database_.get(), "SELECT problem, seed, instance, step, stage, result FROM cells "
                                     "WHERE ?1 = '' OR stage = ?1 ORDER BY problem, seed, instance, step, stage");
    query.bind(1, stage);
    std::vector<CellRow> found;
    int code = SQLITE_ROW;
    while ((code = query.step()) == SQLITE_ROW) {
        found.push_back({{query.text(0), static_cast<std::size_t>(query.number(1)),
                          static_cast<std::size_t>(query.number(2)), static_cast<int>(query.number(3)), query.text(4)},
                         query.text(5)});
    }
    if (code != SQLITE_DONE) return failure("reading cells");
    return found;
}

Result<std::size_t> Store::size() const {
    Statement query(database_.get(), "SELECT count(*) FROM cells");
    if (query.step() != SQLITE_ROW) return failure("counting cells");
    return static_cast<std::size_t>(query.number(0));
}

Result<std::vector<std::string>> Store::relations() const {
    Statement query(database_.get(), "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND "
                                     "name NOT GLOB '*[^a-z_]*' ORDER BY name");
    std::vector<std::string> names;
    int code = SQLITE_ROW;
    while ((code = query.step()) == SQLITE_ROW) names.push_back(query.text(0));
    if (code != SQLITE_DONE) return failure("reading its tables");
    return names;
}

namespace {

std::string csv_field(std::string const& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

Result<std::string> Store::csv(std::string const& relation) const {
    auto const names = relations();
    if (!names) return names.error();
    if (std::ranges::find(*names, relation) == names->end()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("{}: has no table or view '{}'; there are {}", path_.string(), printable(relation),
                                 fmt::join(*names, ", "))};
    }
    // All columns but a result's long text order the rows, so that equal stores give equal files.
    Statement query(database_.get(), fmt::format("SELECT * FROM \"{}\"", relation));
    if (!query.ok()) return failure("reading " + relation);
    std::string order;
    for (int c = 0; c < query.columns() && c < 6; ++c) order += fmt::format("{}{}", c == 0 ? "" : ", ", c + 1);
    Statement sorted(database_.get(), fmt::format("SELECT * FROM \"{}\" ORDER BY {}", relation, order));
    std::string text;
    for (int c = 0; c < sorted.columns(); ++c) text += (c == 0 ? "" : ",") + csv_field(sorted.name(c));
    text += "\r\n";
    int code = SQLITE_ROW;
    while ((code = sorted.step()) == SQLITE_ROW) {
        for (int c = 0; c < sorted.columns(); ++c) text += (c == 0 ? "" : ",") + csv_field(sorted.text(c));
        text += "\r\n";
    }
    if (code != SQLITE_DONE) return failure("reading " + relation);
    return text;
}

} // namespace cax::study
