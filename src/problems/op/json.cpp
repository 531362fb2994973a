// Instances as JSON values. Numbers survive both ways bit for bit.
#include "cax/problems/op/instance.hpp"

#include "../fields.hpp"

#include "cax/core/json.hpp"

#include <fmt/format.h>

namespace cax::op {
namespace {

Json node_to_json(Data const& data, std::size_t node) {
    Json json;
    json["x"] = json_number(readable(data.locs[node].x));
    json["y"] = json_number(readable(data.locs[node].y));
    if (node != 0) json["prize"] = json_number(readable(data.prize[node]));
    return json;
}

Result<void> append_node(Json const& json, bool is_depot, Data& data) {
    auto const x = require_float(json, "x");
    if (!x) return x.error();
    auto const y = require_float(json, "y");
    if (!y) return y.error();
    float value = 0;
    if (!is_depot) {
        auto const given = require_float(json, "prize");
        if (!given) return given.error();
        value = *given;
    }
    data.locs.push_back({*x, *y});
    data.prize.push_back(value);
    return {};
}

} // namespace

Json Instance::to_json() const {
    Json json;
    json["name"] = json_string(data_.name);
    json["max_length"] = json_number(readable(data_.max_length));
    json["depot"] = node_to_json(data_, 0);
    json["customers"] = Json::array();
    for (std::size_t node = 1; node < nodes(); ++node) json["customers"].push_back(node_to_json(data_, node));
    return json;
}

Result<std::shared_ptr<Instance const>> instance_from_json(Json const& json) {
    auto const max_length = require_float(json, "max_length");
    if (!max_length) return max_length.error();
    auto const depot = require_field(json, "depot");
    if (!depot) return depot.error();
    auto const customers = require_array(json, "customers");
    if (!customers) return customers.error();

    Data data{.name = name_field(json), .max_length = *max_length};
    if (auto ok = append_node(**depot, true, data); !ok) return ok.error().within("depot");
    for (Json const& customer : **customers) {
        if (auto ok = append_node(customer, false, data); !ok) {
            return ok.error().within(fmt::format("customer {}", data.locs.size()));
        }
    }
    return Instance::make(std::move(data));
}

} // namespace cax::op
