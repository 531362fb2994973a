// Instances as arrays, the way rl4co's data sets hold them.
#include "cax/problems/op/instance.hpp"

#include "../fields.hpp"

#include <fmt/format.h>

namespace cax::op {
namespace {

struct Arrays {
    Tensor const* locs = nullptr;
    Tensor const* depot = nullptr;
    Tensor const* prize = nullptr;
    Tensor const* max_length = nullptr;
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
    for (Entry const& entry : {Entry{"locs", {b, n, 2}, &arrays.locs}, Entry{"depot", {b, 2}, &arrays.depot},
                               Entry{"prize", {b, n}, &arrays.prize}, Entry{"max_length", {b}, &arrays.max_length}}) {
        auto const tensor = require_tensor(tensors, entry.name, entry.shape);
        if (!tensor) return tensor.error();
        *entry.place = *tensor;
    }
    return arrays;
}

Data data_at(Arrays const& arrays, std::size_t index, std::size_t customers) {
    auto const at = [](Tensor const* tensor, std::size_t i) { return static_cast<float>(tensor->as_double(i)); };
    Data data;
    data.max_length = at(arrays.max_length, index);
    data.locs.push_back({at(arrays.depot, 2 * index), at(arrays.depot, 2 * index + 1)});
    data.prize.push_back(0);
    for (std::size_t i = index * customers; i < (index + 1) * customers; ++i) {
        data.locs.push_back({at(arrays.locs, 2 * i), at(arrays.locs, 2 * i + 1)});
        data.prize.push_back(at(arrays.prize, i));
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
    std::vector<float> locs, depot, prizes, limits;
    std::size_t customers = 0;
    for (InstancePtr const& pointer : instances) {
        auto const* instance = dynamic_cast<Instance const*>(pointer.get());
        if (instance == nullptr) return Error{ErrorCode::mismatch, "not an op instance"};
        if (customers == 0) customers = instance->customers();
        if (instance->customers() != customers) {
            return Error{ErrorCode::mismatch, fmt::format("instances of {} and of {} customers cannot share arrays",
                                                          customers, instance->customers())};
        }
        Data const& data = instance->data();
        depot.insert(depot.end(), {data.locs[0].x, data.locs[0].y});
        for (std::size_t node = 1; node < data.locs.size(); ++node) {
            locs.insert(locs.end(), {data.locs[node].x, data.locs[node].y});
            prizes.push_back(data.prize[node]);
        }
        limits.push_back(data.max_length);
    }
    std::size_t const b = instances.size();
    NamedTensors tensors;
    tensors["locs"] = Tensor::from_floats({b, customers, 2}, locs);
    tensors["depot"] = Tensor::from_floats({b, 2}, depot);
    tensors["prize"] = Tensor::from_floats({b, customers}, prizes);
    tensors["max_length"] = Tensor::from_floats({b}, limits);
    return tensors;
}

} // namespace cax::op
