// Instances to and from rl4co's arrays.
#include "cax/problems/fjsp/instance.hpp"

#include "../errors.hpp"
#include "../fields.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

/// rl4co's four arrays: the operations of job j of instance b are first[b,j]..last[b,j].
struct Arrays {
    Tensor const* first = nullptr;   ///< [B, J]
    Tensor const* last = nullptr;    ///< [B, J]
    Tensor const* times = nullptr;   ///< [B, M, O], 0 = not eligible
    Tensor const* padding = nullptr; ///< [B, O]
    std::size_t instances = 0;
    std::size_t jobs = 0;
    std::size_t machines = 0;
    std::size_t operations = 0;
};

Result<Arrays> find_arrays(NamedTensors const& tensors) {
    auto const dimensions = [&](char const* name, std::size_t count) -> Result<Shape> {
        auto const place = tensors.find(std::string_view(name));
        if (place == tensors.end()) return malformed("{} is missing", name);
        Shape const& shape = place->second.shape();
        if (shape.size() == count) return shape;
        return malformed("{} has shape {}, expected {} dimensions", name, to_string(shape), count);
    };
    auto const times = dimensions("proc_times", 3);
    if (!times) return times.error();
    auto const starts = dimensions("start_op_per_job", 2);
    if (!starts) return starts.error();
    Arrays arrays{.instances = (*times)[0], .jobs = (*starts)[1], .machines = (*times)[1], .operations = (*times)[2]};
    // Without a number per instance the number of instances would not be bounded by the bytes of the file.
    if (arrays.instances == 0 || arrays.jobs == 0 || arrays.machines == 0 || arrays.operations == 0) {
        return malformed("proc_times has shape {} and start_op_per_job {}: nothing in it", to_string(*times),
                         to_string(*starts));
    }
    struct Entry {
        std::string_view name;
        Shape shape;
        Tensor const** place;
    };
    for (Entry const& entry : {Entry{"start_op_per_job", {arrays.instances, arrays.jobs}, &arrays.first},
                               Entry{"end_op_per_job", {arrays.instances, arrays.jobs}, &arrays.last},
                               Entry{"proc_times", *times, &arrays.times},
                               Entry{"pad_mask", {arrays.instances, arrays.operations}, &arrays.padding}}) {
        auto const tensor = require_tensor(tensors, entry.name, entry.shape);
        if (!tensor) return tensor.error();
        *entry.place = *tensor;
    }
    return arrays;
}

/// Where each job ends (one past its last operation). Jobs must follow each other without a gap.
Result<std::vector<std::size_t>> job_ends(Arrays const& arrays, std::size_t instance) {
    std::vector<std::size_t> ends;
    std::size_t expected = 0;
    for (std::size_t j = 0; j < arrays.jobs; ++j) {
        double const first = arrays.first->as_double(instance * arrays.jobs + j);
        double const last = arrays.last->as_double(instance * arrays.jobs + j);
        if (first != static_cast<double>(expected)) {
            return malformed("start_op_per_job of job {} is {}, expected {}", j + 1, first, expected);
        }
        if (!(last >= first) || !(last < static_cast<double>(arrays.operations)) || last != std::trunc(last)) {
            return malformed("end_op_per_job of job {} is {}, expected a whole number from {} to {}", j + 1, last,
                             expected, arrays.operations - 1);
        }
        expected = static_cast<std::size_t>(last) + 1;
        ends.push_back(expected);
    }
    return ends;
}

/// Everything but 0 is taken for a time; what is wrong with it is for make() to say.
Operation operation_at(Arrays const& arrays, std::size_t instance, std::size_t o) {
    Operation operation;
    for (std::size_t m = 0; m < arrays.machines; ++m) {
        double const time = arrays.times->as_double((instance * arrays.machines + m) * arrays.operations + o);
        if (time != 0) operation.push_back({m, static_cast<float>(time)});
    }
    return operation;
}

Result<Data> data_at(Arrays const& arrays, std::size_t instance) {
    auto const ends = job_ends(arrays, instance);
    if (!ends) return ends.error();
    Data data{.machines = arrays.machines, .padded_operations = arrays.operations};
    data.jobs.resize(arrays.jobs);
    std::size_t job = 0;
    for (std::size_t o = 0; o < arrays.operations; ++o) {
        bool const is_padding = o >= ends->back();
        if ((arrays.padding->as_double(instance * arrays.operations + o) != 0) != is_padding) {
            return malformed("pad_mask of operation {} is {}, but the jobs have {} operations", o, !is_padding,
                             ends->back());
        }
        Operation operation = operation_at(arrays, instance, o);
        if (is_padding && !operation.empty()) {
            return malformed("proc_times of padding operation {} on machine index {} is {}, expected 0", o,
                             operation.front().machine, operation.front().time);
        }
        if (is_padding) continue;
        while (o >= (*ends)[job]) ++job;
        data.jobs[job].push_back(std::move(operation));
    }
    return data;
}

} // namespace

Result<std::vector<InstancePtr>> instances_from_tensors(NamedTensors const& tensors) {
    auto const arrays = find_arrays(tensors);
    if (!arrays) return arrays.error();
    std::vector<InstancePtr> instances;
    instances.reserve(arrays->instances);
    for (std::size_t i = 0; i < arrays->instances; ++i) {
        auto data = data_at(*arrays, i);
        if (!data) return data.error().within(fmt::format("instance {}", i));
        auto instance = Instance::make(*std::move(data));
        if (!instance) return instance.error().within(fmt::format("instance {}", i));
        instances.push_back(*std::move(instance));
    }
    return instances;
}

Result<NamedTensors> instances_to_tensors(std::span<InstancePtr const> instances) {
    if (instances.empty()) return Error{ErrorCode::mismatch, "there are no instances to put into arrays"};
    std::vector<std::int64_t> first, last;
    std::vector<float> times;
    std::vector<std::uint8_t> padding;
    Shape shape; // [J, M, O] of the first instance, and so of all
    for (InstancePtr const& pointer : instances) {
        auto const* const instance = dynamic_cast<Instance const*>(pointer.get());
        if (instance == nullptr) return Error{ErrorCode::mismatch, "not an fjsp instance"};
        std::size_t const operations = instance->padded_operation_count();
        Shape const own{instance->job_count(), instance->machine_count(), operations};
        if (shape.empty()) shape = own;
        if (own != shape) {
            return Error{ErrorCode::mismatch,
                         fmt::format("instances of {} and of {} jobs, machines and operations cannot share arrays",
                                     to_string(shape), to_string(own))};
        }
        for (std::size_t j = 0; j < instance->job_count(); ++j) {
            first.push_back(static_cast<std::int64_t>(instance->first_operation(j)));
            last.push_back(static_cast<std::int64_t>(instance->last_operation(j)));
        }
        std::size_t const base = times.size();
        times.resize(base + instance->machine_count() * operations);
        for (std::size_t o = 0; o < operations; ++o) {
            padding.push_back(instance->is_padding(o) ? 1 : 0);
            for (auto const& [machine, time] : instance->alternatives(o)) times[base + machine * operations + o] = time;
        }
    }
    std::size_t const b = instances.size();
    NamedTensors tensors;
    tensors["start_op_per_job"] = Tensor::from_ints(Dtype::i64, {b, shape[0]}, first);
    tensors["end_op_per_job"] = Tensor::from_ints(Dtype::i64, {b, shape[0]}, last);
    tensors["proc_times"] = Tensor::from_floats({b, shape[1], shape[2]}, times);
    tensors["pad_mask"] = Tensor::from_bools({b, shape[2]}, padding);
    return tensors;
}

} // namespace cax::fjsp
