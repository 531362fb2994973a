#include "cax/records/kept_parts.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace cax::records {
namespace {

/// JSON has no infinities; everything else it gives back to the bit.
Json exact(double value) {
    return std::isfinite(value) ? Json(value) : Json(value > 0 ? "inf" : value < 0 ? "-inf" : "nan");
}
Json exact(std::optional<double> value) { return value ? exact(*value) : Json(nullptr); }
double exact_number(Json const& json) {
    if (!json.is_string()) return json.get<double>();
    double const infinity = std::numeric_limits<double>::infinity();
    return json == "inf" ? infinity : json == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}
std::optional<double> exact_or_nothing(Json const& json) {
    return json.is_null() ? std::nullopt : std::optional(exact_number(json));
}
std::vector<double> exact_numbers(Json const& json) {
    std::vector<double> values;
    for (Json const& each : json) values.push_back(exact_number(each));
    return values;
}
Json exact(std::vector<double> const& values) {
    Json json = Json::array();
    for (double const value : values) json.push_back(exact(value));
    return json;
}

Json kept_slack(Slack const& slack) {
    return {slack.family, slack.rule, exact(slack.used), exact(slack.limit), exact(slack.slack), slack.by_nature};
}
Slack kept_slack_of(Json const& json) {
    return {json.at(0).get<std::size_t>(), json.at(1).get<std::string>(), exact_number(json.at(2)),
            exact_number(json.at(3)),      exact_number(json.at(4)),      json.at(5).get<bool>()};
}

Json kept_alternative(Instance const& instance, Alternative const& each) {
    Json slacks = Json::array();
    for (Slack const& slack : each.slacks) slacks.push_back(kept_slack(slack));
    return {{"action", each.action},
            {"words", each.words},
            {"allowed", each.allowed},
            {"forbidden_by", each.forbidden_by ? kept_slack(*each.forbidden_by) : Json(nullptr)},
            {"spent", each.spent},
            {"probability", exact(each.probability)},
            {"slacks", std::move(slacks)},
            {"extra", exact(each.extra)},
            {"start", exact(each.start)},
            {"end", exact(each.end)},
            {"cost", exact(each.cost)},
            {"status", name_of(each.status)},
            {"bound", exact(each.bound)},
            {"impossible", each.impossible},
            {"policy_cost", exact(each.policy_cost)},
            {"regret", exact(each.regret)},
            {"solution", each.solution ? solution_to_json(instance, *each.solution) : Json(nullptr)}};
}

/// Whatever does not fit throws.
Alternative read_alternative(Instance const& instance, Json const& json) {
    Alternative each;
    each.action = json.at("action").get<std::size_t>();
    each.words = json.at("words").get<std::string>();
    each.allowed = json.at("allowed").get<bool>();
    if (!json.at("forbidden_by").is_null()) each.forbidden_by = kept_slack_of(json.at("forbidden_by"));
    each.spent = json.at("spent").get<bool>();
    each.probability = exact_number(json.at("probability"));
    for (Json const& slack : json.at("slacks")) each.slacks.push_back(kept_slack_of(slack));
    each.extra = exact_or_nothing(json.at("extra"));
    each.start = exact_or_nothing(json.at("start"));
    each.end = exact_or_nothing(json.at("end"));
    each.cost = exact_or_nothing(json.at("cost"));
    auto const status = parse_name<CostStatus>("status", json.at("status").get<std::string>());
    each.status = status ? *status : throw std::invalid_argument("status");
    each.bound = exact_or_nothing(json.at("bound"));
    each.impossible = json.at("impossible").get<bool>();
    each.policy_cost = exact_or_nothing(json.at("policy_cost"));
    each.regret = exact_or_nothing(json.at("regret"));
    if (json.at("solution").is_null()) return each;
    auto solution = solution_from_json(instance, json.at("solution"));
    each.solution = solution ? *std::move(solution) : throw std::invalid_argument("solution");
    return each;
}

/// Runs a reader; JSON that is not what it expects is no part.
template <class Read> bool readable(Read const& read) {
    try {
        read();
        return true;
    } catch (std::exception const&) {
        return false;
    }
}

} // namespace

Json kept_json(Subset const& part) {
    Json tests = Json::array();
    for (SizeTest const& test : part.tests) tests.push_back({test.size, test.samples, test.preserved, test.accepted});
    Preserved const& seen = part.observed;
    return {
        {"at", {part.instance, part.step, part.action}},
        {"margin", exact(part.margin)},
        {"forced", part.forced},
        {"accepted", part.accepted},
        {"nodes", part.nodes},
        {"observed", {seen.samples, seen.preserved, exact(seen.rate), exact(seen.lower_bound), exact(seen.hoeffding)}},
        {"level", exact(part.level)},
        {"attempts", part.attempts},
        {"tests", std::move(tests)},
        {"nodes_in_all", part.nodes_in_all},
        {"passes", {part.forward_passes, part.fixed_passes}}};
}

bool read_kept(Json const& json, Subset& part) {
    return readable([&] {
        part.instance = json.at("at").at(0).get<std::size_t>();
        part.step = json.at("at").at(1).get<std::size_t>();
        part.action = json.at("at").at(2).get<std::size_t>();
        part.margin = exact_number(json.at("margin"));
        part.forced = json.at("forced").get<bool>();
        part.accepted = json.at("accepted").get<bool>();
        part.nodes = json.at("nodes").get<std::vector<std::size_t>>();
        Json const& seen = json.at("observed");
        part.observed = {seen.at(0).get<std::size_t>(), seen.at(1).get<std::size_t>(), exact_number(seen.at(2)),
                         exact_number(seen.at(3)), exact_number(seen.at(4))};
        part.level = exact_number(json.at("level"));
        part.attempts = json.at("attempts").get<std::size_t>();
        for (Json const& test : json.at("tests")) {
            part.tests.push_back({test.at(0).get<std::size_t>(), test.at(1).get<std::size_t>(),
                                  test.at(2).get<std::size_t>(), test.at(3).get<bool>()});
        }
        part.nodes_in_all = json.at("nodes_in_all").get<std::size_t>();
        part.forward_passes = json.at("passes").at(0).get<std::size_t>();
        part.fixed_passes = json.at("passes").at(1).get<std::size_t>();
    });
}

Json kept_json(Sensitivity const& part) {
    Json families = Json::array();
    for (FamilySensitivity const& each : part.families) {
        families.push_back({exact(each.score), exact(each.error), exact(each.share), exact(each.flip_rate),
                            exact(each.flip_error), exact(each.flip_rate_by_size), each.asked, each.dropped});
    }
    return {{"status", static_cast<int>(part.status)},
            {"at", {part.instance, part.step, part.action}},
            {"sizes", exact(part.sizes)},
            {"shots", part.shots},
            {"pool", part.pool},
            {"families", std::move(families)},
            {"passes", part.forward_passes}};
}

bool read_kept(Json const& json, Sensitivity& part) {
    return readable([&] {
        part.status = static_cast<SensitivityStatus>(json.at("status").get<int>());
        part.instance = json.at("at").at(0).get<std::size_t>();
        part.step = json.at("at").at(1).get<std::size_t>();
        part.action = json.at("at").at(2).get<std::size_t>();
        part.sizes = exact_numbers(json.at("sizes"));
        part.shots = json.at("shots").get<std::size_t>();
        part.pool = json.at("pool").get<std::size_t>();
        for (Json const& each : json.at("families")) {
            part.families.push_back({exact_number(each.at(0)), exact_number(each.at(1)), exact_number(each.at(2)),
                                     exact_number(each.at(3)), exact_number(each.at(4)), exact_numbers(each.at(5)),
                                     each.at(6).get<std::size_t>(), each.at(7).get<std::size_t>()});
        }
        part.forward_passes = json.at("passes").get<std::size_t>();
    });
}

Json kept_json(Instance const& instance, Alternatives const& part) {
    Json all = Json::array();
    for (Alternative const& each : part.all) all.push_back(kept_alternative(instance, each));
    return {{"at", {part.instance, part.step, part.chosen}},
            {"all", std::move(all)},
            {"best_cost", exact(part.best_cost)},
            {"best_action", part.best_action ? Json(*part.best_action) : Json(nullptr)},
            {"work", {part.proof_work, part.search_work, part.solver_work, part.forward_passes}}};
}

bool read_kept(Instance const& instance, Json const& json, Alternatives& part) {
    return readable([&] {
        part.instance = json.at("at").at(0).get<std::size_t>();
        part.step = json.at("at").at(1).get<std::size_t>();
        part.chosen = json.at("at").at(2).get<std::size_t>();
        for (Json const& each : json.at("all")) part.all.push_back(read_alternative(instance, each));
        part.best_cost = exact_or_nothing(json.at("best_cost"));
        if (!json.at("best_action").is_null()) part.best_action = json.at("best_action").get<std::size_t>();
        part.proof_work = json.at("work").at(0).get<std::uint64_t>();
        part.search_work = json.at("work").at(1).get<std::uint64_t>();
        part.solver_work = json.at("work").at(2).get<std::uint64_t>();
        part.forward_passes = json.at("work").at(3).get<std::size_t>();
    });
}

} // namespace cax::records
