#include "cax/io/solutions.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/io/json_pieces.hpp"
#include "cax/problems/exchange.hpp"
#include "json_text.hpp"
#include "malformed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace cax::io {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// Cuts the next line, then the next word, off the front.
std::string_view next_line(std::string_view& text) {
    auto const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}
std::string_view next_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    auto const word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

template <class T> std::optional<T> number(std::string_view word) {
    T value{};
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

/// "#1: 3 7 1", what follows the word Route.
Result<std::vector<std::size_t>> parse_route(std::string_view line) {
    auto const colon = line.find(':');
    if (colon == std::string_view::npos) return malformed("Route without a colon");
    line.remove_prefix(colon + 1);
    std::vector<std::size_t> route;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
        auto const customer = number<std::size_t>(word);
        if (!customer || *customer == 0) return malformed(fmt::format("'{}' is no customer", printable(word)));
        route.push_back(*customer);
    }
    return route;
}

Result<void> parse_sol_line(std::string_view line, SolFile& file) {
    auto const word = next_word(line);
    if (word.empty()) return {};
    if (word == "Route") {
        auto route = parse_route(line);
        if (!route) return route.error();
        file.routes.routes.push_back(*std::move(route));
        return {};
    }
    if (word != "Cost" && word != "Cost:")
        return malformed(fmt::format("'{}' is neither Route nor Cost", printable(word)));
    auto const value = next_word(line);
    auto const cost = number<double>(value);
    if (!cost || !std::isfinite(*cost)) return malformed(fmt::format("cost '{}' is no number", printable(value)));
    if (file.cost) return malformed("a second cost");
    if (!next_word(line).empty()) return malformed("something behind the cost");
    file.cost = cost;
    return {};
}

/// A finite number under `key`.
Result<double> number_in(Json const& entry, char const* key) {
    auto const value = entry.find(key);
    if (value == entry.end()) return malformed(fmt::format("no {}", key));
    if (!value->is_number()) return malformed(fmt::format("{} is {}, not a number", key, describe(*value)));
    return value->get<double>();
}

Result<BestKnown> parse_entry(Json const& entry, std::size_t index, Instance const& instance) {
    if (!entry.is_object()) return malformed(fmt::format("{} where an object belongs", describe(entry)));
    if (auto const stated = entry.find("index"); stated != entry.end() && *stated != index) {
        return malformed(fmt::format("index is {}, but its place is {}", describe(*stated), index));
    }
    auto const cost = number_in(entry, "cost");
    if (!cost) return cost.error();
    BestKnown best{.cost = *cost, .optimal = false, .lower_bound = {}, .solution = {}};
    if (auto const optimal = entry.find("optimal"); optimal != entry.end()) {
        if (!optimal->is_boolean())
            return malformed(fmt::format("optimal is {}, not true or false", describe(*optimal)));
        best.optimal = optimal->get<bool>();
    }
    if (auto const bound = entry.find("lower_bound"); bound != entry.end() && !bound->is_null()) {
        auto const value = number_in(entry, "lower_bound");
        if (!value) return value.error();
        best.lower_bound = *value;
    }
    constexpr std::array solution_keys{"routes", "tour", "schedule", "packing"};
    for (char const* key : solution_keys) {
        if (!entry.contains(key) || best.solution) continue;
        auto solution = solution_from_json(instance, entry);
        if (!solution) return solution.error();
        best.solution = *std::move(solution);
    }
    return best;
}

/// The list problems.<set>.instances.
Result<JsonPiece> entries_of(JsonPieces const& pieces, std::string_view set) {
    if (!pieces.whole().is_object()) {
        auto const value = pieces.value(pieces.whole());
        if (!value) return value.error();
        return malformed(fmt::format("{}, not a best-known file", describe(*value)));
    }
    auto const sets = pieces.member(pieces.whole(), "problems");
    if (!sets) return sets.error();
    if (!*sets || !(*sets)->is_object()) return malformed("problems is missing: not a best-known file");
    auto const named = pieces.members(**sets);
    if (!named) return named.error();
    auto const found = std::ranges::find(*named, set, &JsonMember::key);
    if (found == named->end()) {
        std::string names;
        for (JsonMember const& each : *named) names += (names.empty() ? "" : ", ") + each.key;
        return Error{ErrorCode::mismatch, fmt::format("no set '{}' (there are: {})", printable(set), printable(names))};
    }
    Error const no_list = malformed(fmt::format("set '{}': instances is not a list", printable(set)));
    if (!found->piece.is_object()) return no_list;
    auto const list = pieces.member(found->piece, "instances");
    if (!list) return list.error();
    if (!*list || !(*list)->is_list()) return no_list;
    return **list;
}

} // namespace

Result<SolFile> parse_sol(std::string_view text) {
    SolFile file;
    for (std::size_t line = 1; !text.empty(); ++line) {
        if (auto const parsed = parse_sol_line(next_line(text), file); !parsed) {
            return parsed.error().within(fmt::format("line {}", line));
        }
    }
    if (file.routes.routes.empty()) return malformed("no routes");
    return file;
}

std::string format_sol(SolFile const& file) {
    std::string text;
    for (std::size_t i = 0; i < file.routes.routes.size(); ++i) {
        text += fmt::format("Route #{}: {}\n", i + 1, fmt::join(file.routes.routes[i], " "));
    }
    if (file.cost) text += fmt::format("Cost {}\n", *file.cost);
    return text;
}

Result<std::size_t> count_best_known(std::string_view text, std::string_view set) {
    auto const pieces = JsonPieces::cut(text);
    if (!pieces) return pieces.error();
    auto const list = entries_of(*pieces, set);
    if (!list) return list.error();
    return pieces->count(*list);
}

Result<std::vector<BestKnown>> parse_best_known(std::string_view text, std::string_view set,
                                                std::span<InstancePtr const> instances) {
    auto const pieces = JsonPieces::cut(text);
    if (!pieces) return pieces.error();
    auto const list = entries_of(*pieces, set);
    if (!list) return list.error();
    auto const count = pieces->count(*list);
    if (!count) return count.error();
    std::string const where = fmt::format("set '{}'", printable(set));
    if (*count < instances.size()) {
        return Error{ErrorCode::mismatch,
                     fmt::format("{}: {} entries for {} instances", where, *count, instances.size())};
    }
    std::vector<BestKnown> best;
    auto elements = pieces->elements(*list);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto const piece = elements.next();
        if (!piece) return piece.error();
        auto const value = pieces->value(**piece);
        if (!value) return value.error();
        auto entry = parse_entry(*value, i, *instances[i]);
        if (!entry) return entry.error().within(fmt::format("{}, entry {}", where, i));
        best.push_back(*std::move(entry));
    }
    return best;
}

} // namespace cax::io
