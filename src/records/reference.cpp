#include "cax/records/reference.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <cmath>

namespace cax::records {
namespace {

constexpr char const* schema = "cax/reference/1";

Json identity_json(ReferenceIdentity const& identity) {
    return {{"version", identity.version},
            {"policy", identity.policy},
            {"problem", identity.problem},
            {"instance_size", identity.instance_size},
            {"decisions", identity.decisions},
            {"per_instance", identity.per_instance},
            {"sizes", identity.sizes},
            {"shots", identity.shots},
            {"pool", identity.pool},
            {"seed", identity.seed},
            {"encode_once", identity.encode_once},
            {"allow_waiting", identity.allow_waiting}};
}

ReferenceIdentity identity_from(Json const& json) {
    ReferenceIdentity identity;
    identity.version = json.at("version").get<unsigned>();
    identity.policy = json.at("policy").get<std::string>();
    identity.problem = json.at("problem").get<std::string>();
    identity.instance_size = json.at("instance_size").get<std::string>();
    identity.decisions = json.at("decisions").get<std::size_t>();
    identity.per_instance = json.at("per_instance").get<std::size_t>();
    identity.sizes = json.at("sizes").get<std::vector<double>>();
    identity.shots = json.at("shots").get<std::size_t>();
    identity.pool = json.at("pool").get<std::size_t>();
    identity.seed = json.at("seed").get<std::uint64_t>();
    identity.encode_once = json.at("encode_once").get<bool>();
    identity.allow_waiting = json.at("allow_waiting").get<bool>();
    return identity;
}

} // namespace

Json reference_json(ReferenceTable const& table) {
    return {{"schema", schema}, {"identity", identity_json(table.identity)}, {"shares", table.shares}};
}

Result<ReferenceTable> read_reference(Json const& json) {
    auto const malformed = [](std::string message) { return Error{ErrorCode::file_malformed, std::move(message)}; };
    if (!json.is_object() || json.value("schema", Json()) != schema) return malformed("not a cax/reference/1");
    ReferenceTable table;
    try {
        table.identity = identity_from(json.at("identity"));
        table.shares = json.at("shares").get<std::vector<std::vector<double>>>();
    } catch (Json::exception const& failure) {
        return malformed(failure.what());
    }
    if (table.shares.empty()) return malformed("shares: there are none");
    for (auto const& shares : table.shares) {
        bool const whole = shares.size() == table.shares.front().size() && !shares.empty() &&
                           std::ranges::all_of(shares, [](double share) { return share >= 0 && share <= 1; });
        if (!whole) return malformed("shares: not one number from 0 to 1 for every family of every decision");
    }
    return table;
}

} // namespace cax::records
