#include "rl4co/golden.hpp"

#include "golden_format.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cax::parity {

namespace fs = std::filesystem;

Rl4coTolerances Rl4coTolerances::for_inputs(bool scaled) {
    if (scaled) return {};
    return {.log_prob = 2e-4, .gradient = 5e-3, .gradient_floor = 1e-7, .reward = 1e-5};
}

std::vector<Tensor> golden_rows(Rl4coCheck& check, std::string const& name, std::size_t batch) {
    Tensor const* tensor = check.golden.find(name);
    if (tensor == nullptr) return {};
    if (tensor->shape().empty() || tensor->shape().front() != batch) {
        check.ledger.fail(fmt::format("{}: shape {} for a batch of {}", name, to_string(tensor->shape()), batch));
        return {};
    }
    std::vector<Tensor> rows;
    for (std::size_t i = 0; i < batch; ++i) rows.push_back(tensor->slice(i));
    return rows;
}

void compare_state(Ledger& ledger, std::string const& where, NamedTensors const& golden, State const& state) {
    NamedTensors const ours = tensors_of(state);
    for (auto const& [key, tensor] : golden) {
        Count& count = key == "action_mask" ? ledger.folder().masks : ledger.folder().states;
        auto const found = ours.find(key);
        if (found == ours.end()) {
            ++count.compared, ++count.unequal;
            ledger.fail(fmt::format("{}{}: our state has no such tensor", where, key));
            continue;
        }
        ledger.equal(count, where + key, tensor.to_doubles(), found->second.to_doubles());
    }
}

double reward_of(Problem const& problem, double cost) {
    return problem.info().objective == Objective::minimise ? -cost : cost;
}

bool inputs_are_scaled(std::vector<InstancePtr> const& instances) {
    double largest = 0;
    for (InstancePtr const& instance : instances) {
        Observation const observation = instance->reset()->observe();
        if (auto const* graph = std::get_if<GraphObservation>(&observation)) {
            largest = std::max(largest, largest_magnitude(graph->customers.values()));
        }
    }
    return largest <= 10;
}

namespace {

bool is_rl4co_folder(fs::path const& folder) {
    std::error_code error;
    return fs::exists(folder / "trace.safetensors", error);
}

/// Empty if the trace does not say.
std::string problem_of_folder(fs::path const& folder) {
    auto const text = io::read_text(folder / "trace.json");
    if (!text) return {};
    auto const json = io::parse_json(*text);
    if (!json || !json->is_object() || !json->contains("problem")) return {};
    Json const& name = (*json)["problem"];
    return name.is_string() ? name.get<std::string>() : "";
}

/// The policy without its look ahead; null if it has none.
Result<std::unique_ptr<Policy>> without_lookahead(TensorFile file, Policy const& policy, PolicyOptions const& options) {
    if (!policy.info().lookahead_mask) return std::unique_ptr<Policy>();
    file.metadata["lookahead_mask"] = "false";
    return make_policy(file, options);
}

Result<std::vector<Rl4coPolicy>> make_rl4co_policies(fs::path const& path, GoldenOptions const& options) {
    auto const file = io::read_safetensors(path);
    if (!file) return file.error();
    std::vector<Rl4coPolicy> policies;
    for (Precision const precision : {Precision::float64, Precision::float32}) {
        if (!(precision == Precision::float64 ? options.float64 : options.float32)) continue;
        auto alone = make_policy(*file, {.precision = precision, .threads = options.threads, .coupled_batch = false});
        if (!alone) return alone.error().within(path.string());
        auto coupled = make_policy(*file, {.precision = precision, .threads = options.threads, .coupled_batch = true});
        if (!coupled) return coupled.error().within(path.string());
        auto plain = without_lookahead(*file, **alone, {.precision = precision, .threads = options.threads});
        if (!plain) return plain.error().within(path.string());
        policies.push_back({precision, std::move(*alone), std::move(*coupled), std::move(*plain)});
    }
    return policies;
}

Result<std::vector<std::string>> read_gradient_features(fs::path const& path) {
    auto const text = io::read_text(path);
    if (!text) return text.error();
    auto const json = io::parse_json(*text);
    if (!json) return json.error().within(path.string());
    std::vector<std::string> names;
    Error const wrong{ErrorCode::file_malformed, path.string() + ": gradient_features: is not a list of names"};
    if (!json->is_object() || !json->contains("gradient_features")) return wrong;
    Json const& list = (*json)["gradient_features"];
    if (!list.is_array()) return wrong;
    for (Json const& name : list) {
        if (!name.is_string()) return wrong;
        names.push_back(name.get<std::string>());
    }
    return names;
}

/// The batch's trace, then those of single instances.
std::vector<Rl4coTrace> list_traces(Rl4coCheck& check, std::vector<InstancePtr> const& instances) {
    std::vector<NamedTensors> reset(instances.size());
    for (std::string const& key : check.golden.keys_below("reset/")) {
        auto const rows = golden_rows(check, "reset/" + key, instances.size());
        for (std::size_t i = 0; i < rows.size(); ++i) reset[i][key] = rows[i];
    }
    bool const coupled = instances.size() > 1 && check.policies.front().alone->encoding_changes();
    std::vector<Rl4coTrace> traces{{"", instances, reset, coupled}};
    for (std::size_t i = 0; i < instances.size(); ++i) {
        std::string const prefix = fmt::format("single{}/", i);
        if (check.golden.any_below(prefix)) traces.push_back({prefix, {instances[i]}, {reset[i]}, false});
    }
    return traces;
}

/// Kinks are rare: a hidden unit must be within float32 rounding of 0. Many of them are not kinks but a mistake.
void limit_kinks(Ledger& ledger) {
    Difference const& gradients = ledger.folder().gradients32;
    std::size_t const most = std::max<std::size_t>(2, gradients.compared / 20);
    if (gradients.kinks <= most) return;
    ledger.fail(fmt::format("grad: {} of {} tensors differ by more than rounding, kinks explain {}", gradients.kinks,
                            gradients.compared, most));
}

Result<std::vector<InstancePtr>> read_instances(Rl4coCheck& check, Problem const& problem) {
    auto instances = problem.exchange().from_tensors(check.golden.take_below("instance/"));
    if (!instances) return instances.error().within("instance");
    if (instances->empty()) return Error{ErrorCode::invalid_value, "instance: there is none"};
    for (InstancePtr const& instance : *instances) {
        auto const accepted = check.policies.front().alone->accepts(instance->reset()->observe());
        if (!accepted) return accepted.error();
    }
    return instances;
}

Result<GoldenFolder> check_rl4co_folder(fs::path const& folder, GoldenOptions const& options) {
    auto features = read_gradient_features(folder / "trace.json");
    if (!features) return features.error();
    auto policies = make_rl4co_policies(folder / "weights.safetensors", options);
    if (!policies) return policies.error();
    fs::path const trace_path = folder / "trace.safetensors";
    auto tensors = io::read_safetensors(trace_path);
    if (!tensors) return tensors.error();

    GoldenFolder report;
    report.path = folder;
    report.format = "rl4co";
    if (policies->empty()) return report;
    PolicyInfo const info = policies->front().alone->info();
    report.problem = info.problem;
    report.network = info.network;
    Problem const* problem = find_problem(info.problem);
    if (problem == nullptr) {
        return Error{ErrorCode::unsupported, fmt::format("{}: no problem is called {}", folder.string(), info.problem)};
    }

    Rl4coCheck check{.golden = GoldenTensors(std::move(tensors->tensors)),
                     .ledger = Ledger(report),
                     .policies = std::move(*policies),
                     .gradient_features = std::move(*features),
                     .threads = options.threads};
    auto const instances = read_instances(check, *problem);
    if (!instances) return instances.error().within(trace_path.string());
    check.tolerances = Rl4coTolerances::for_inputs(inputs_are_scaled(*instances));
    auto const traces = list_traces(check, *instances);
    for (std::size_t i = 0; i < traces.size(); ++i) {
        check_steps(check, traces[i]);
        check_episodes(check, traces[i]);
        if (options.progress) options.progress(i + 1, traces.size() + 1); // random episodes follow
    }
    limit_kinks(check.ledger);
    report.not_compared = check.golden.unread();

    std::set<fs::path> episodes;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder)) {
        std::string const name = entry.path().filename().string();
        if (name.starts_with("env_random") && name.ends_with(".safetensors")) episodes.insert(entry.path());
    }
    for (fs::path const& path : episodes) {
        if (auto const done = check_random_episodes(path, *problem, check.ledger); !done) return done.error();
    }
    return report;
}

} // namespace

GoldenFormat rl4co_format() { return {"rl4co", is_rl4co_folder, check_rl4co_folder, problem_of_folder}; }

} // namespace cax::parity
