#include "cax/io/plans.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/exchange.hpp"
#include "json_text.hpp"
#include "malformed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace cax::io {
namespace {

constexpr std::array plan_keys{"routes", "tour", "schedule", "packing"};

bool holds_plan(Json const& json) {
    return json.is_object() &&
           std::ranges::any_of(plan_keys, [&](char const* key) { return json.contains(key) && !json[key].is_null(); });
}

/// The entry of a list that belongs to the instance: the one that says so, the only one, or the one at its place.
Result<Json const*> entry_for(Json const& list, PlanPlace const& place) {
    if (!list.is_array()) return malformed("instances is not a list");
    for (Json const& entry : list) {
        if (entry.is_object() && entry.contains("instance") && entry["instance"] == place.number) return &entry;
    }
    bool const numbered = !list.empty() && list[0].is_object() && list[0].contains("instance");
    if (!numbered && list.size() == 1) return &list[0];
    if (!numbered && place.number < list.size()) return &list[place.number];
    return Error{ErrorCode::mismatch,
                 fmt::format("it has plans of {} instances, none of instance {}", list.size(), place.number)};
}

/// The only set of a best-known file, or the one that is named.
Result<Json const*> set_in(Json const& sets, std::string const& name) {
    if (!sets.is_object() || sets.empty()) return malformed("problems has no sets");
    if (sets.size() == 1) return &sets.begin().value();
    if (auto const found = sets.find(name); found != sets.end()) return &*found;
    std::string names;
    for (auto const& [key, set] : sets.items()) names += (names.empty() ? "" : ", ") + key;
    return Error{ErrorCode::mismatch, fmt::format("no set '{}' (there are: {})", printable(name), printable(names))};
}

/// The object in which the plan stands.
Result<Json const*> entry_in(Json const& json, PlanPlace const& place) {
    if (holds_plan(json)) return &json;
    if (!json.is_object()) return malformed(fmt::format("{}, not a plan", describe(json)));
    if (auto const list = json.find("instances"); list != json.end()) return entry_for(*list, place);
    auto const sets = json.find("problems");
    if (sets == json.end())
        return malformed("neither routes, tour, schedule nor packing, nor instances or problems with them");
    auto const set = set_in(*sets, place.set);
    if (!set) return set.error();
    if (!(*set)->is_object() || !(*set)->contains("instances")) return malformed("the set has no instances");
    return entry_for((**set)["instances"], place);
}

/// A plan is foreign if it breaks this instance's rules, or costs something else than its file says. Files of others
/// round distances in their own ways.
Result<void> belongs(Instance const& instance, Solution const& solution, std::optional<double> stated, bool rounded) {
    CheckReport const report = instance.check(solution);
    if (!report.valid()) {
        return Error{ErrorCode::mismatch, "not valid for this instance: " + report.violations.front()};
    }
    if (!stated) return {};
    constexpr double rounding = 0.01;
    double const slip = (rounded ? rounding : 1e-6) * std::max(1.0, std::fabs(report.cost));
    if (std::fabs(report.cost - *stated) <= slip) return {};
    for (DistanceRule const rule : {DistanceRule::truncated_to_tenth, DistanceRule::nearest_integer}) {
        if (rounded && std::fabs(instance.check(solution, rule).cost - *stated) <= slip) return {};
    }
    return Error{
        ErrorCode::mismatch,
        fmt::format("made for another instance: it says that its cost is {}, here it is {}", *stated, report.cost)};
}

Result<std::vector<std::size_t>> actions_in(Json const& entry) {
    std::vector<std::size_t> actions;
    auto const list = entry.find("actions");
    if (list == entry.end() || list->is_null()) return actions;
    if (!list->is_array()) return malformed("actions is not a list");
    for (Json const& action : *list) {
        if (!action.is_number_unsigned()) return malformed(fmt::format("actions: {} is no action", describe(action)));
        actions.push_back(action.get<std::size_t>());
    }
    return actions;
}

Result<PlanFile> read_entry(Json const& entry, Instance const& instance) {
    if (!holds_plan(entry)) return malformed("the entry has neither routes, tour, schedule nor packing");
    auto solution = solution_from_json(instance, entry);
    if (!solution) return solution.error();
    std::optional<double> cost;
    if (auto const stated = entry.find("cost"); stated != entry.end() && stated->is_number()) {
        cost = stated->get<double>();
    }
    if (auto const ok = belongs(instance, *solution, cost, false); !ok) return ok.error();
    auto actions = actions_in(entry);
    if (!actions) return actions.error();
    return PlanFile{*std::move(solution), *std::move(actions), ""};
}

Result<PlanFile> read_sol(std::string_view text, Instance const& instance) {
    auto const file = parse_sol(text);
    if (!file) return file.error();
    Json json = {{"routes", file->routes.routes}};
    if (file->routes.routes.size() == 1) json["tour"] = file->routes.routes.front();
    auto solution = solution_from_json(instance, json);
    if (!solution) return solution.error();
    if (auto const ok = belongs(instance, *solution, file->cost, true); !ok) return ok.error();
    return PlanFile{*std::move(solution), {}, ""};
}

} // namespace

Result<PlanFile> parse_plan(std::string_view text, PlanPlace const& place, Instance const& instance) {
    std::string_view const front = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!front.starts_with('{') && !front.starts_with('[')) return read_sol(text, instance);
    auto const json = parse_json(text);
    if (!json) return json.error();
    auto const entry = entry_in(*json, place);
    if (!entry) return entry.error();
    auto plan = read_entry(**entry, instance);
    if (!plan) return plan;
    if (auto const command = json->find("command"); command != json->end() && command->is_string()) {
        plan->maker = "cax " + command->get<std::string>();
    }
    return plan;
}

} // namespace cax::io
