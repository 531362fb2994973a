// Instances to and from our JSON and rl4co's arrays. Numbers survive both ways bit for bit.
#include "cax/problems/cvrptw/instance.hpp"

#include "../fields.hpp"
#include "problem.hpp"

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
        data.demand.push_back(static_cast<float>(*demand / double{data.capacity}));
    }
    data.locs.push_back({*x, *y});
    data.time_windows.push_back({static_cast<float>(open.get<double>()), static_cast<float>(close.get<double>())});
    data.durations.push_back(service);
    data.integral_windows = data.integral_windows && open.is_number_integer() && close.is_number_integer();
    return {};
}

bool holds_integers(Tensor const& tensor) {
    return tensor.dtype() == Dtype::i32 || tensor.dtype() == Dtype::i64 || tensor.dtype() == Dtype::u8;
}

struct Arrays {
    Tensor const* locs = nullptr;
    Tensor const* depot = nullptr;
    Tensor const* demand = nullptr;
    Tensor const* durations = nullptr;
    Tensor const* time_windows = nullptr;
    Tensor const* capacity = nullptr; ///< may be missing
};

Result<Arrays> find_arrays(NamedTensors const& tensors, DataSetShape const& shape) {
    std::size_t const b = shape.instances;
    std::size_t const n = shape.customers;
    Arrays arrays;
    struct Entry {
        std::string_view name;
        Shape shape;
        Tensor const** place;
    };
    for (Entry const& entry :
         {Entry{"locs", {b, n, 2}, &arrays.locs}, Entry{"depot", {b, 2}, &arrays.depot},
          Entry{"demand", {b, n}, &arrays.demand}, Entry{"durations", {b, n + 1}, &arrays.durations},
          Entry{"time_windows", {b, n + 1, 2}, &arrays.time_windows}}) {
        auto const tensor = require_tensor(tensors, entry.name, entry.shape);
        if (!tensor) return tensor.error();
        *entry.place = *tensor;
    }
    if (auto const place = tensors.find("capacity"); place != tensors.end()) {
        arrays.capacity = &place->second;
        if (arrays.capacity->shape() != Shape{b} && arrays.capacity->shape() != Shape{b, 1}) {
            return Error{ErrorCode::file_malformed, fmt::format("capacity has shape {}, expected [{}, 1]",
                                                                to_string(arrays.capacity->shape()), b)};
        }
    }
    return arrays;
}

Data data_at(Arrays const& arrays, std::size_t index, std::size_t customers) {
    auto const at = [](Tensor const* tensor, std::size_t i) { return static_cast<float>(tensor->as_double(i)); };
    Data data;
    data.capacity = arrays.capacity != nullptr ? at(arrays.capacity, index) : 1.0F;
    data.integral_windows = holds_integers(*arrays.time_windows);
    data.locs.push_back({at(arrays.depot, 2 * index), at(arrays.depot, 2 * index + 1)});
    for (std::size_t i = index * customers; i < (index + 1) * customers; ++i) {
        data.locs.push_back({at(arrays.locs, 2 * i), at(arrays.locs, 2 * i + 1)});
        data.demand.push_back(at(arrays.demand, i));
    }
    for (std::size_t i = index * (customers + 1); i < (index + 1) * (customers + 1); ++i) {
        data.time_windows.push_back({at(arrays.time_windows, 2 * i), at(arrays.time_windows, 2 * i + 1)});
        data.durations.push_back(at(arrays.durations, i));
    }
    return data;
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

Result<std::vector<InstancePtr>> instances_from_tensors(NamedTensors const& tensors) {
    auto const shape = shape_of_locs(tensors, max_nodes);
    if (!shape) return shape.error();
    auto const arrays = find_arrays(tensors, *shape);
    if (!arrays) return arrays.error();
    std::vector<InstancePtr> instances;
    instances.reserve(shape->instances);
    for (std::size_t i = 0; i < shape->instances; ++i) {
        auto instance = Instance::make(data_at(*arrays, i, shape->customers));
        if (!instance) return instance.error().within(fmt::format("instance {}", i));
        instances.push_back(*std::move(instance));
    }
    return instances;
}

Result<NamedTensors> instances_to_tensors(std::span<InstancePtr const> instances) {
    if (instances.empty()) return Error{ErrorCode::mismatch, "there are no instances to put into arrays"};
    std::vector<float> locs, depot, demand, capacity, durations, windows;
    std::size_t customers = 0;
    bool integral = true;
    for (InstancePtr const& pointer : instances) {
        auto const* instance = dynamic_cast<Instance const*>(pointer.get());
        if (instance == nullptr) return Error{ErrorCode::mismatch, "not a cvrptw instance"};
        if (customers == 0) customers = instance->customers();
        if (instance->customers() != customers) {
            return Error{ErrorCode::mismatch, fmt::format("instances of {} and of {} customers cannot share arrays",
                                                          customers, instance->customers())};
        }
        Data const& data = instance->data();
        for (Point const& point : data.locs) {
            auto& list = &point == data.locs.data() ? depot : locs;
            list.insert(list.end(), {point.x, point.y});
        }
        demand.insert(demand.end(), data.demand.begin(), data.demand.end());
        capacity.push_back(data.capacity);
        durations.insert(durations.end(), data.durations.begin(), data.durations.end());
        for (Window const& window : data.time_windows) windows.insert(windows.end(), {window.open, window.close});
        integral = integral && data.integral_windows;
    }
    std::size_t const b = instances.size();
    std::vector<double> const times(windows.begin(), windows.end());
    NamedTensors tensors;
    tensors["locs"] = Tensor::from_floats({b, customers, 2}, locs);
    tensors["depot"] = Tensor::from_floats({b, 2}, depot);
    tensors["demand"] = Tensor::from_floats({b, customers}, demand);
    tensors["capacity"] = Tensor::from_floats({b, 1}, capacity);
    tensors["durations"] = Tensor::from_floats({b, customers + 1}, durations);
    tensors["time_windows"] = Tensor::from_doubles(integral ? Dtype::i32 : Dtype::f32, {b, customers + 1, 2}, times);
    return tensors;
}

} // namespace cax::cvrptw
