#include "routing_trace.hpp"

#include "cax/io/tensor_files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cax::test {
namespace {

/// Row b of a tensor of the current state.
std::vector<double> row(NamedTensors const& state, std::string const& name, std::size_t b) {
    auto const entry = state.find(name);
    if (entry == state.end()) throw std::runtime_error("trace lacks " + name);
    return entry->second.slice(b).to_doubles();
}

/// Depot and customers. Customer i of CVRPTW: x, y, demand, window, duration. Of OP: x, y, prize.
GraphObservation features(NamedTensors const& state, std::size_t b) {
    GraphObservation observation;
    std::vector<double> const locs = row(state, "locs", b);
    std::size_t const customers = locs.size() / 2 - 1;
    observation.depot = {locs[0], locs[1]};
    bool const windows = state.contains("time_windows");
    observation.customers = Matrix<double>(customers, windows ? 6 : 3);
    if (!windows) observation.context = {row(state, "max_length", b)[0]};
    for (std::size_t i = 1; i <= customers; ++i) {
        std::vector<double> numbers{locs[2 * i], locs[2 * i + 1]};
        if (windows) {
            std::vector<double> const limits = row(state, "time_windows", b);
            numbers.insert(numbers.end(), {row(state, "demand", b)[i - 1], limits[2 * i], limits[2 * i + 1],
                                           row(state, "durations", b)[i]});
        } else {
            numbers.push_back(row(state, "prize", b)[i]);
        }
        std::copy(numbers.begin(), numbers.end(), observation.customers.row(i - 1).begin());
    }
    return observation;
}

GraphObservation observe(NamedTensors const& state, std::size_t b) {
    GraphObservation observation = features(state, b);
    if (state.contains("time_windows"))
        observation.context = {row(state, "vehicle_capacity", b)[0] - row(state, "used_capacity", b)[0],
                               row(state, "current_time", b)[0]};
    else
        observation.context[0] -= row(state, "tour_length", b)[0];
    observation.current_node = static_cast<std::size_t>(row(state, "current_node", b)[0]);
    for (double const allowed : row(state, "action_mask", b)) observation.mask.push_back(allowed != 0);
    return observation;
}

/// The golden gradients of instance b. Only OP's limit has one among the context scalars.
GraphObservation golden_gradient(NamedTensors const& trace, std::string const& prefix, std::size_t b) {
    NamedTensors gradient;
    for (auto const& [name, tensor] : trace)
        if (name.starts_with(prefix)) gradient[name.substr(prefix.size())] = tensor;
    return features(gradient, b);
}

} // namespace

RoutingTrace read_routing_trace(std::filesystem::path const& folder) {
    auto weights = io::read_safetensors(folder / "weights.safetensors");
    auto const trace = io::read_safetensors(folder / "trace.safetensors");
    if (!weights) throw std::runtime_error(weights.error().message);
    if (!trace) throw std::runtime_error(trace.error().message);
    RoutingTrace result;
    result.weights = std::move(*weights);

    NamedTensors state;
    auto const update = [&](std::string const& prefix) {
        for (auto const& [name, tensor] : trace->tensors)
            if (name.starts_with(prefix)) state[name.substr(prefix.size())] = tensor;
    };
    update("reset/");
    std::size_t const batch = state.at("locs").shape()[0];
    for (std::size_t t = 0;; ++t) {
        std::string const prefix = fmt::format("step{:02}/", t);
        if (!trace->tensors.contains(prefix + "action")) return result;
        TraceStep step;
        for (std::size_t b = 0; b < batch; ++b) {
            step.observations.emplace_back(observe(state, b));
            step.actions.push_back(static_cast<std::size_t>(trace->tensors.at(prefix + "action").as_int(b)));
            step.log_probs.push_back(row(trace->tensors, prefix + "logprobs", b));
            step.log_probs64.push_back(row(trace->tensors, prefix + "logprobs64", b));
            step.gradients64.push_back(golden_gradient(trace->tensors, prefix + "grad64/", b));
        }
        result.steps.push_back(std::move(step));
        update(prefix + "next/");
    }
}

std::vector<std::vector<double>> by_feature(GraphObservation const& gradient) {
    std::vector<std::vector<double>> columns(gradient.customers.cols());
    for (std::size_t f = 0; f < columns.size(); ++f) {
        if (f < gradient.depot.size()) columns[f].push_back(gradient.depot[f]);
        for (std::size_t i = 0; i < gradient.customers.rows(); ++i) columns[f].push_back(gradient.customers(i, f));
    }
    for (double const scalar : gradient.context) columns.push_back({scalar});
    return columns;
}

} // namespace cax::test
