#include "run.hpp"
#include "scorer.hpp"
#include "values.hpp"

#include "cax/io/tensor_files.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/exchange.hpp"

#include <numeric>
#include <pybind11/stl.h>

namespace cax::python {
namespace {

PolicyOptions policy_options(std::string const& precision, std::size_t threads) {
    return {.precision = value_or_raise(parse_name<Precision>("precision", precision)), .threads = threads};
}

PolicyValue from_file(std::string const& given, std::string const& precision, std::size_t threads) {
    return value_or_raise(app::load_policy(given, policy_options(precision, threads)));
}

PolicyValue from_state_dict(py::dict const& arrays, std::map<std::string, std::string> const& metadata,
                            std::string const& precision, std::size_t threads) {
    TensorFile const file{to_tensors(arrays), {metadata.begin(), metadata.end()}};
    auto const options = policy_options(precision, threads);
    return value_or_raise(app::own_policy(value_or_raise(make_policy(file, options)), options.precision));
}

PolicyValue from_callable(py::object const& scores, py::object const& differentiate, std::string const& problem,
                          std::string const& name, std::string const& kind, bool batch_invariant, std::size_t batch,
                          std::vector<std::string> const& reads) {
    TensorPolicyOptions options{.problem = problem,
                                .name = name,
                                .scores = value_or_raise(parse_name<ScoreKind>("scores", kind)),
                                .traits = {.batch_invariant = batch_invariant,
                                           .thread_safe = true, // the interpreter's lock sees to that
                                           .differentiable = !differentiate.is_none()},
                                .reads = reads,
                                .batch = batch};
    return value_or_raise(app::own_policy(
        value_or_raise(make_tensor_policy(make_python_scorer(name, scores, differentiate), std::move(options)))));
}

PolicyValue from_command(std::string const& command, double start_seconds, double answer_seconds) {
    return run_result<PolicyValue>(py::none(),
                                   [&](Watch&) { return app::start_policy(command, start_seconds, answer_seconds); });
}

/// States of two problems may look alike to a network.
void check_own_problem(PolicyValue const& value, State const& state) {
    auto const other = state.instance().problem().info().name;
    if (value.problem->info().name == other) return;
    throw py::value_error("the policy is for " + std::string(value.problem->info().name) + ", not for " +
                          std::string(other));
}

/// log pi of each state, in order.
py::list log_probs(PolicyValue const& value, std::vector<StateValue> const& states) {
    std::vector<Observation> seen;
    for (StateValue const& each : states) {
        if (each.state->done()) throw py::value_error("the episode is done");
        check_own_problem(value, *each.state);
        seen.push_back(value.policy->observe(*each.state));
        or_raise(value.policy->accepts(seen.back()));
    }
    auto const found =
        run_result<std::vector<LogProbs>>(py::none(), [&](Watch& watch) -> Result<std::vector<LogProbs>> {
            return WatchedPolicy(*value.policy, watch).log_probs(seen, LogProbKind::policy);
        });
    py::list list;
    for (LogProbs const& row : found) list.append(to_numpy({row.size()}, row));
    return list;
}

/// d log pi(action) / d features of one state, by the tensors' names.
py::dict gradient(PolicyValue const& value, StateValue const& state, std::size_t action) {
    if (!value.policy->traits().differentiable)
        raise_policy_error("policy " + value.policy->info().network + ": it has no gradients");
    check_own_problem(value, *state.state);
    auto const mask = state.state->action_mask();
    if (action >= mask.size() || mask[action] == 0) throw py::value_error("the action is not allowed");
    auto const found = run_result<Features>(py::none(), [&](Watch&) -> Result<Features> {
        std::vector const seen{value.policy->observe(*state.state)};
        std::vector<double> weights(mask.size());
        weights[action] = 1;
        auto const gradients = value.policy->gradients(seen, {&weights, 1});
        return value.policy->pull_back(*state.state, gradients.front().gradient);
    });
    py::dict result;
    auto const& tensors = state.state->instance().problem().info().tensors;
    for (std::size_t k = 0; k < found.size(); ++k) {
        result[py::str(std::string(tensors[k].name))] = to_numpy(found[k].shape, found[k].values);
    }
    return result;
}

py::list solve(PolicyValue const& value, std::vector<InstanceValue> const& values, bool keep_units, std::uint64_t seed,
               std::size_t threads, py::object const& progress, py::dict const& keywords) {
    DecodeOptions options;
    options.seed = seed;
    options.threads = threads;
    OptionTable table = table_of(options);
    set_options(table, keywords);
    auto const instances = loaded(value, values, keep_units).file.instances;
    auto const solved = run_result<std::vector<Solved>>(progress, [&](Watch& watch) {
        options.progress = watch.progress();
        return cax::solve(WatchedPolicy(*value.policy, watch), instances, options);
    });
    py::list list;
    for (std::size_t i = 0; i < solved.size(); ++i) {
        auto const& [episode, solution, report] = solved[i];
        py::dict entry;
        entry["cost"] = report.cost;
        entry["valid"] = report.valid();
        entry["violations"] = report.violations;
        entry["actions"] = episode.actions;
        entry["log_probs"] = to_numpy({episode.log_probs.size()}, episode.log_probs);
        entry["log_likelihood"] = std::accumulate(episode.log_probs.begin(), episode.log_probs.end(), 0.0);
        entry["solution"] = to_python(solution_to_json(*instances[i], solution));
        list.append(entry);
    }
    return list;
}

py::tuple read_tensors(std::string const& path) {
    auto const file = value_or_raise(io::read_safetensors(path));
    return py::make_tuple(to_dict(file.tensors),
                          std::map<std::string, std::string>(file.metadata.begin(), file.metadata.end()));
}

void write_tensors(std::string const& path, py::dict const& arrays,
                   std::map<std::string, std::string> const& metadata) {
    or_raise(io::write_safetensors(path, {to_tensors(arrays), {metadata.begin(), metadata.end()}}));
}

py::dict traits_dict(Policy const& policy) {
    PolicyTraits const traits = policy.traits();
    py::dict result;
    result["batch_invariant"] = traits.batch_invariant;
    result["thread_safe"] = traits.thread_safe;
    result["differentiable"] = traits.differentiable;
    result["has_encoder"] = traits.has_encoder;
    return result;
}

} // namespace

app::Loaded loaded(PolicyValue const& policy, std::vector<InstanceValue> const& instances, bool keep_units) {
    io::InstanceFile file{.problem = policy.problem, .format = {}, .instances = pointers(instances), .sha256 = {}};
    std::vector<std::size_t> numbers;
    for (InstanceValue const& each : instances) numbers.push_back(each.number);
    std::size_t in_file = instances.size();
    if (instances.size() == 1) {
        file.sha256 = instances.front().file_sha256;
        in_file = instances.front().in_file;
    }
    // The policy is asked, so this is work like any other: away from the interpreter.
    return run_result<app::Loaded>(py::none(), [&](Watch&) {
        return app::load_chosen(policy, std::move(file), std::move(numbers), in_file, keep_units);
    });
}

void bind_policies(py::module_& module) {
    py::class_<PolicyValue>(module, "PolicyValue")
        .def_property_readonly("problem", [](PolicyValue const& v) { return v.policy->info().problem; })
        .def_property_readonly("network", [](PolicyValue const& v) { return v.policy->info().network; })
        .def_property_readonly("size", [](PolicyValue const& v) { return v.policy->info().size; })
        .def_property_readonly("parameters", [](PolicyValue const& v) { return v.policy->info().parameters; })
        .def_property_readonly("traits", [](PolicyValue const& v) { return traits_dict(*v.policy); })
        .def_readonly("source", &PolicyValue::path)
        .def_readonly("sha256", &PolicyValue::sha256)
        .def_readwrite("allow_random", &PolicyValue::allow_random)
        .def("log_probs", &log_probs)
        .def("gradient", &gradient);
    module.def("policy_from_file", &from_file);
    module.def("policy_from_state_dict", &from_state_dict);
    module.def("policy_from_callable", &from_callable);
    module.def("policy_from_command", &from_command);
    module.def("solve", &solve);
    module.def("read_tensors", &read_tensors);
    module.def("write_tensors", &write_tensors);
}

} // namespace cax::python
