#include "published/subset_replay.hpp"

#include "cax/explain/masking.hpp"

#include <fmt/format.h>

namespace cax::parity {
namespace {

Error wrong(std::string const& name, std::string_view what) {
    return {ErrorCode::file_malformed, fmt::format("{}: {}", name, what)};
}

/// The instances of run R: all of them, or for calls with a batch of one, instance R.
Result<std::vector<InstancePtr>> instances_of(std::vector<InstancePtr> const& all, std::string const& run,
                                              std::size_t batch) {
    if (batch == all.size()) return all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (batch == 1 && run == fmt::format("run{}", i)) return std::vector{all[i]};
    }
    return wrong(run, fmt::format("has a batch of {}, there are {} instances", batch, all.size()));
}

/// Orders [B, S, n] of one step, each a list of distinct nodes.
Result<std::vector<std::vector<std::size_t>>> read_orders(GoldenTensors& golden, std::string const& name,
                                                          std::size_t batch, std::size_t step, std::size_t nodes) {
    Tensor const* tensor = golden.find(name);
    if (tensor == nullptr || !is_batch(*tensor, batch, 3) || step >= tensor->shape()[1] ||
        tensor->shape()[2] != nodes) {
        return wrong(name, fmt::format("has no order of {} nodes for each of {} instances", nodes, batch));
    }
    std::vector<std::vector<std::size_t>> orders(batch);
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t i = 0; i < nodes; ++i) {
            auto const node = tensor->as_int((b * tensor->shape()[1] + step) * nodes + i);
            if (node < 0 || static_cast<std::size_t>(node) >= nodes) return wrong(name, fmt::format("node {}", node));
            orders[b].push_back(static_cast<std::size_t>(node));
        }
    }
    return orders;
}

Result<void> read_noise(GoldenTensors& golden, std::vector<TensorInfo> const& infos, Replay& replay) {
    Features const features = replay.states.front()->features();
    for (std::size_t t = 0; t < infos.size(); ++t) {
        std::string const name = replay.prefix + "noise/" + std::string(infos[t].name);
        Tensor const* noise = golden.find(name);
        if (noise == nullptr || noise->shape().size() != features[t].shape.size() + 3) {
            return wrong(name, "is not there, or not a batch of samples");
        }
        replay.sizes = noise->shape()[0];
        replay.samples = noise->shape()[1];
        Shape expected{replay.sizes, replay.samples, replay.batch()};
        expected.insert(expected.end(), features[t].shape.begin(), features[t].shape.end());
        if (noise->shape() != expected) {
            return wrong(name, fmt::format("shape {} instead of {}", to_string(noise->shape()), to_string(expected)));
        }
        replay.noise.push_back(*noise);
    }
    if (replay.sizes > replay.orders.front().size()) return wrong(replay.prefix, "has more sizes than nodes");
    return {};
}

Result<std::vector<std::size_t>> read_actions(GoldenTensors& golden, std::string const& name,
                                              std::vector<StatePtr> const& states) {
    Tensor const* tensor = golden.find(name);
    if (tensor == nullptr || tensor->shape() != Shape{states.size()}) return wrong(name, "is not a list of actions");
    std::vector<std::size_t> actions;
    for (std::size_t b = 0; b < states.size(); ++b) {
        auto const action = static_cast<std::size_t>(tensor->as_int(b));
        auto const mask = states[b]->action_mask();
        if (action >= mask.size() || mask[action] == 0) return wrong(name, fmt::format("{} is not allowed", action));
        actions.push_back(action);
    }
    return actions;
}

Result<Replay> read_step(GoldenTensors& golden, Problem const& problem, std::vector<StatePtr> const& states,
                         std::string const& tag, std::string const& run, std::size_t step) {
    Replay replay;
    replay.prefix = fmt::format("{}/{}/t{}/", tag, run, step);
    replay.step = step;
    for (StatePtr const& state : states) replay.states.emplace_back(state->clone());
    auto const base = read_actions(golden, replay.prefix + "base_action", states);
    if (!base) return base.error();
    replay.base = *base;
    std::size_t const nodes =
        Masking::make(*states.front(), SubsetOptions{.fidelity = SubsetFidelity::published()})->nodes();
    auto orders = read_orders(golden, run + "/order", states.size(), step, nodes);
    if (!orders) return orders.error();
    replay.orders = std::move(*orders);
    if (auto const read = read_noise(golden, problem.info().tensors, replay); !read) return read.error();
    return replay;
}

} // namespace

Result<std::vector<Replay>> read_replays(GoldenTensors& golden, Problem const& problem,
                                         std::vector<InstancePtr> const& all, std::string const& tag,
                                         std::string const& run) {
    std::string const name = fmt::format("{}/{}/subset_size", tag, run);
    Tensor const* sizes = golden.find(name);
    if (sizes == nullptr || sizes->shape().size() != 2 || sizes->shape()[0] == 0) return wrong(name, "is not a table");
    auto const instances = instances_of(all, run, sizes->shape()[0]);
    if (!instances) return instances.error();
    std::vector<StatePtr> states;
    for (InstancePtr const& instance : *instances) states.push_back(instance->reset());
    std::vector<Replay> replays;
    std::size_t const steps = sizes->shape()[1];
    for (std::size_t step = 0; step < steps; ++step) {
        auto replay = read_step(golden, problem, states, tag, run, step);
        if (!replay) return replay.error();
        for (std::size_t b = 0; b < states.size(); ++b) {
            replay->accepted_sizes.push_back(sizes->as_double(b * steps + step));
            states[b]->step(replay->base[b]);
        }
        replays.push_back(std::move(*replay));
    }
    return replays;
}

} // namespace cax::parity
