// Instances as arrays, the way rl4co's data sets hold them.
#include "cax/problems/cvrptw/instance.hpp"

#include "../fields.hpp"

#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

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
