// Instances as JSON values. Numbers survive both ways bit for bit.
#include "cax/problems/cvrptw/instance.hpp"

#include "../fields.hpp"

#include "cax/core/json.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

Json node_to_json(Data const& data, std::size_t node) {
    // Whether windows are integral is told by how their numbers are written: 7 or 7.0.
    auto const time = [&](float value) {
        return data.integral_windows ? Json(static_cast<std::int64_t>(value)) : Json(readable(value));
    };
    Json json;
    json["x"] = json_number(readable(data.locs[node].x));
    json["y"] = json_number(readable(data.locs[node].y));
    if (node != 0) json["demand"] = json_number(demand_in_units(data, node));
    json["window"] = Json::array({time(data.time_windows[node].open), time(data.time_windows[node].close)});
    if (node != 0 || data.durations[0] != 0) json["service"] = json_number(readable(data.durations[node]));
    return json;
}

/// Appends the node to `data`; a window that is not written in whole numbers clears the flag.
Result<void> append_node(Json const& json, bool is_depot, Data& data) {
    auto const x = require_float(json, "x");
    if (!x) return x.error();
    auto const y = require_float(json, "y");
    if (!y) return y.error();
    auto const window = require_array(json, "window");
    if (!window) return window.error();
    if ((*window)->size() != 2 || !(**window)[0].is_number() || !(**window)[1].is_number()) {
        return Error{ErrorCode::file_malformed, "window is not a pair of numbers"};
    }
    Json const& open = (**window)[0];
    Json const& close = (**window)[1];
    float service = 0;
    if (!is_depot || json.contains("service")) {
        auto const given = require_float(json, "service");
        if (!given) return given.error();
        service = *given;
    }
    if (!is_depot) {
        auto const demand = require_number(json, "demand");
        if (!demand) return demand.error();
        if (!(*demand >= 0)) return Error{ErrorCode::invalid_value, fmt::format("demand is {}: negative", *demand)};
        data.demand.push_back(static_cast<float>(*demand / double{data.capacity}));
    }
    data.locs.push_back({*x, *y});
    data.time_windows.push_back({static_cast<float>(open.get<double>()), static_cast<float>(close.get<double>())});
    data.durations.push_back(service);
    data.integral_windows = data.integral_windows && open.is_number_integer() && close.is_number_integer();
    return {};
}

} // namespace

double demand_in_units(Data const& data, std::size_t customer) {
    float const fraction = data.demand[customer - 1];
    double const units = double{fraction} * double{data.capacity};
    double const whole = std::round(units);
    return static_cast<float>(whole / double{data.capacity}) == fraction ? whole : units;
}

Json Instance::to_json() const {
    Json json;
    json["name"] = json_string(data_.name);
    json["capacity"] = json_number(readable(data_.capacity));
    json["depot"] = node_to_json(data_, 0);
    json["customers"] = Json::array();
    for (std::size_t node = 1; node < nodes(); ++node) json["customers"].push_back(node_to_json(data_, node));
    return json;
}

Result<std::shared_ptr<Instance const>> instance_from_json(Json const& json) {
    auto const capacity = require_float(json, "capacity");
    if (!capacity) return capacity.error();
    if (!(*capacity > 0)) {
        return Error{ErrorCode::invalid_value, fmt::format("capacity is {}: expected a positive number", *capacity)};
    }
    auto const depot = require_field(json, "depot");
    if (!depot) return depot.error();
    auto const customers = require_array(json, "customers");
    if (!customers) return customers.error();

    Data data{.name = name_field(json), .capacity = *capacity, .integral_windows = true};
    if (auto ok = append_node(**depot, true, data); !ok) return ok.error().within("depot");
    for (Json const& customer : **customers) {
        if (auto ok = append_node(customer, false, data); !ok) {
            return ok.error().within(fmt::format("customer {}", data.locs.size()));
        }
    }
    return Instance::make(std::move(data));
}

} // namespace cax::cvrptw
