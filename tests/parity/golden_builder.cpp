#include "golden_builder.hpp"

#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/decode.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <unistd.h>

namespace cax::test {
namespace {

Tensor stack(std::vector<Tensor> const& rows) {
    Shape shape = rows.front().shape();
    shape.insert(shape.begin(), rows.size());
    std::vector<double> values;
    for (Tensor const& row : rows) {
        auto const more = row.to_doubles();
        values.insert(values.end(), more.begin(), more.end());
    }
    return Tensor::from_doubles(rows.front().dtype(), shape, values);
}

Tensor row(Dtype dtype, std::vector<double> const& values) {
    return Tensor::from_doubles(dtype, {values.size()}, values);
}
Tensor scalar(Dtype dtype, double value) { return Tensor::from_doubles(dtype, {}, std::span(&value, 1)); }

void add_states(NamedTensors& tensors, std::string const& prefix, std::vector<StatePtr> const& states) {
    for (auto const& [key, tensor] : tensors_of(*states.front())) {
        std::vector<Tensor> rows;
        for (StatePtr const& state : states) rows.push_back(tensors_of(*state).at(key));
        tensors[prefix + key] = stack(rows);
    }
}

std::vector<StatePtr> reset_all(std::vector<InstancePtr> const& instances) {
    std::vector<StatePtr> states;
    for (InstancePtr const& instance : instances) states.push_back(instance->reset());
    return states;
}

std::vector<Observation> observe_all(std::vector<StatePtr> const& states) {
    std::vector<Observation> observations;
    for (StatePtr const& state : states) observations.push_back(state->observe());
    return observations;
}

/// What a policy chooses from, which need not be the environment's tensor of that name (a driver may look ahead).
Tensor masks_of(std::vector<StatePtr> const& states) {
    std::vector<Tensor> rows;
    for (StatePtr const& state : states) {
        auto const mask = state->action_mask();
        rows.push_back(row(Dtype::boolean, {mask.begin(), mask.end()}));
    }
    return stack(rows);
}

std::size_t best(LogProbs const& values) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

/// Log-probabilities and gradients of one step in one precision; returns the greedy actions.
std::vector<std::size_t> record_decision(NamedTensors& tensors, std::string const& step, Policy const& policy,
                                         std::vector<StatePtr> const& states, bool in_double) {
    std::string const suffix = in_double ? "64" : "";
    Dtype const dtype = in_double ? Dtype::f64 : Dtype::f32;
    auto const observations = observe_all(states);
    auto const log_probs = policy.log_probs(observations);
    std::vector<std::size_t> actions;
    std::vector<std::vector<double>> weights;
    std::vector<Tensor> rows;
    for (LogProbs const& each : log_probs) {
        actions.push_back(best(each));
        weights.emplace_back(each.size(), 0.0);
        weights.back()[actions.back()] = 1;
        rows.push_back(row(dtype, each));
    }
    tensors[step + "logprobs" + suffix] = stack(rows);
    auto const gradients = policy.gradients(observations, weights);
    auto const& infos = states.front()->instance().problem().info().tensors;
    for (std::size_t f = 0; f < infos.size(); ++f) {
        rows.clear();
        for (std::size_t i = 0; i < states.size(); ++i) {
            Feature const gradient = states[i]->pull_back(gradients[i].gradient)[f];
            rows.push_back(Tensor::from_doubles(dtype, gradient.shape, gradient.values));
        }
        tensors[step + "grad" + suffix + "/" + std::string(infos[f].name)] = stack(rows);
    }
    return actions;
}

void record_actions(NamedTensors& tensors, std::string const& step, std::vector<std::size_t> const& actions) {
    std::vector<Tensor> rows;
    for (std::size_t const action : actions) rows.push_back(scalar(Dtype::i64, static_cast<double>(action)));
    tensors[step + "action"] = stack(rows);
}

void record_greedy(NamedTensors& tensors, std::string const& name, std::vector<Trajectory> const& episodes, double sign) {
    std::size_t longest = 0;
    for (Trajectory const& episode : episodes) longest = std::max(longest, episode.actions.size());
    std::vector<Tensor> actions;
    std::vector<Tensor> rewards;
    std::vector<Tensor> log_probs;
    for (Trajectory const& episode : episodes) {
        std::vector<double> padded(episode.actions.begin(), episode.actions.end());
        padded.resize(longest);
        actions.push_back(row(Dtype::i64, padded));
        padded = episode.log_probs;
        padded.resize(longest);
        log_probs.push_back(row(Dtype::f32, padded));
        rewards.push_back(scalar(Dtype::f32, sign * episode.cost));
    }
    tensors[name + "actions"] = stack(actions);
    tensors[name + "logp_per_step"] = stack(log_probs);
    tensors[name + "reward"] = stack(rewards);
}

/// The lowest allowed action at every step, until all are done.
void record_environment(NamedTensors& tensors, std::vector<InstancePtr> const& instances, double sign) {
    auto states = reset_all(instances);
    std::vector<NamedTensors> moments(1);
    std::vector<std::vector<double>> actions(states.size());
    add_states(moments.back(), "states/", states);
    while (!std::ranges::all_of(states, [](StatePtr const& state) { return state->done(); })) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            auto const mask = states[i]->action_mask();
            auto const action = static_cast<std::size_t>(std::ranges::find(mask, 1) - mask.begin());
            actions[i].push_back(static_cast<double>(action));
            states[i]->step(action);
        }
        add_states(moments.emplace_back(), "states/", states);
    }
    for (auto const& [key, tensor] : moments.front()) {
        std::vector<Tensor> rows;
        for (NamedTensors const& moment : moments) rows.push_back(moment.at(key));
        tensors[key] = stack(rows);
    }
    std::vector<Tensor> rows;
    std::vector<Tensor> rewards;
    for (std::size_t i = 0; i < states.size(); ++i) {
        rows.push_back(row(Dtype::i64, actions[i]));
        rewards.push_back(scalar(Dtype::f32, sign * states[i]->cost()));
    }
    tensors["actions"] = stack(rows);
    tensors["reward"] = stack(rewards);
}

} // namespace

GoldenBuilder::GoldenBuilder(std::string_view problem_name, std::size_t steps)
    : weights(random_policy(problem_name, 16, 1, 5)) {
    Problem const& problem = *find_problem(problem_name);
    double const sign = problem.info().objective == Objective::minimise ? -1 : 1;
    // A schedule's network has statistics of its batch: one instance, so that there is only one way to evaluate it.
    std::size_t const batch = problem.info().size_hint == "JxM" ? 1 : 2;
    std::vector<InstancePtr> instances;
    for (std::uint32_t i = 0; i < batch; ++i) {
        Rng rng(3, i);
        instances.push_back(problem.generate(problem.info().size_hint == "JxM" ? "3x2" : "6", {}, rng).value());
    }
    NamedTensors const given = problem.exchange().to_tensors(instances).value();
    for (auto const& [key, tensor] : given) {
        trace.tensors["instance/" + key] = tensor;
        env_random.tensors["instance/" + key] = tensor;
    }
    auto const single = make_policy(weights, {.precision = Precision::float32, .threads = 1}).value();
    auto const exact = make_policy(weights, {.precision = Precision::float64, .threads = 1}).value();

    auto states = reset_all(instances);
    add_states(trace.tensors, "reset/", states);
    auto const over = [](StatePtr const& state) { return state->done(); };
    for (std::size_t t = 0; t < steps && std::ranges::none_of(states, over); ++t) {
        std::string const step = fmt::format("step{:02}/", t);
        auto const actions = record_decision(trace.tensors, step, *single, states, false);
        auto const same = record_decision(trace.tensors, step, *exact, states, true);
        assert(actions == same);
        record_actions(trace.tensors, step, same);
        trace.tensors[step + "action_mask"] = masks_of(states);
        for (std::size_t i = 0; i < states.size(); ++i) states[i]->step(actions[i]);
        add_states(trace.tensors, step + "next/", states);
    }
    auto const episodes = decode(*single, instances, {.mode = DecodeMode::greedy, .threads = 1}).value();
    record_greedy(trace.tensors, "greedy/", episodes, sign);
    record_environment(env_random.tensors, instances, sign);

    trace_json = "{\"gradient_features\": [";
    for (TensorInfo const& info : problem.info().tensors) {
        trace_json += fmt::format("{}\"{}\"", trace_json.ends_with('[') ? "" : ", ", info.name);
    }
    trace_json += "]}";
}

void GoldenBuilder::corrupt(std::string const& name, double by) {
    Tensor& tensor = trace.tensors.at(name);
    auto values = tensor.to_doubles();
    // Forbidden actions have a log-probability of minus infinity, which stays so whatever is added.
    double& value = *std::ranges::find_if(values, [](double each) { return std::isfinite(each); });
    value = tensor.dtype() == Dtype::boolean ? 1 - value : value + by;
    tensor = Tensor::from_doubles(tensor.dtype(), tensor.shape(), values);
}

void GoldenBuilder::write(std::filesystem::path const& folder) const {
    std::filesystem::create_directories(folder);
    (void)io::write_safetensors(folder / "weights.safetensors", weights);
    (void)io::write_safetensors(folder / "trace.safetensors", trace);
    (void)io::write_safetensors(folder / "env_random.safetensors", env_random);
    (void)io::write_text(folder / "trace.json", trace_json);
}

std::filesystem::path fresh_folder(std::string const& name) {
    auto const folder =
        std::filesystem::temp_directory_path() / ("cax-parity-" + std::to_string(::getpid()) + "-" + name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

} // namespace cax::test
