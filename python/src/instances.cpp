#include "run.hpp"
#include "values.hpp"

#include "cax/baselines/baseline.hpp"
#include "cax/io/instances.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"

#include <pybind11/stl.h>

namespace cax::python {
namespace {

using Values = std::vector<InstanceValue>;

Values values_of(std::vector<InstancePtr> const& instances) {
    Values values;
    for (InstancePtr const& each : instances) values.push_back({each});
    return values;
}

Options text_options(py::dict const& options) {
    Options result;
    for (auto const& [key, value] : options) {
        result[py::str(key).cast<std::string>()] = py::isinstance<py::bool_>(value)
                                                       ? (value.cast<bool>() ? "true" : "false")
                                                       : py::str(value).cast<std::string>();
    }
    return result;
}

/// The problem whose arrays these are; with or without a dimension for the instances.
Problem const& recognised(NamedTensors const& tensors) {
    for (Problem const* const problem : all_problems()) {
        if (problem->exchange().recognises(tensors)) return *problem;
    }
    std::string names;
    for (auto const& each : tensors) names += (names.empty() ? "" : ", ") + each.first;
    throw py::value_error("the arrays (" + names + ") are those of no problem of cax (" + problem_names() +
                          "); name it: problem=...");
}

/// A feature of one instance has so many dimensions.
std::size_t dimensions(Problem const& problem) {
    Rng rng(0);
    auto const instance = value_or_raise(problem.generate(problem.info().default_size, {}, rng));
    return instance->reset()->features()[0].shape.size();
}

/// Arrays of one instance, as arrays of one instance among others.
void add_instance_axis(NamedTensors& tensors) {
    for (auto& [name, tensor] : tensors) {
        Shape shape{1};
        shape.insert(shape.end(), tensor.shape().begin(), tensor.shape().end());
        tensor =
            value_or_raise(Tensor::from_bytes(tensor.dtype(), shape, {tensor.bytes().begin(), tensor.bytes().end()}));
    }
}

Values instances_of_arrays(py::dict const& arrays, std::string const& problem_name) {
    NamedTensors tensors = to_tensors(arrays);
    Problem const& problem = problem_name.empty() ? recognised(tensors) : problem_named(problem_name);
    auto const first = tensors.find(problem.info().tensors[0].name);
    if (first != tensors.end() && first->second.shape().size() == dimensions(problem)) add_instance_axis(tensors);
    return values_of(value_or_raise(problem.exchange().from_tensors(tensors)));
}

Values instances_of_file(std::string const& path, std::string const& problem_name, py::dict const& options) {
    Problem const* const problem = problem_name.empty() ? nullptr : &problem_named(problem_name);
    Options const reader = text_options(options);
    auto const file = value_or_raise(io::read_instances(path, problem, reader));
    Values values = values_of(file.instances);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i].file_sha256 = file.sha256;
        values[i].number = i;
        values[i].in_file = values.size();
        for (auto const& [key, value] : reader) values[i].read.push_back(key + "=" + value);
    }
    return values;
}

Values generate(std::string const& problem_name, std::string const& size, std::size_t count, std::uint64_t seed,
                py::dict const& options) {
    Problem const& problem = problem_named(problem_name);
    std::string const own(size.empty() ? problem.info().default_size : size);
    Values values;
    for (std::size_t i = 0; i < count; ++i) {
        Rng rng(seed, static_cast<std::uint32_t>(i)); // as `cax generate` does
        values.push_back({value_or_raise(problem.generate(own, text_options(options), rng))});
    }
    return values;
}

py::dict checked(InstanceValue const& value, py::object const& given) {
    Instance const& instance = *value.instance;
    bool const is_solution = py::isinstance<py::dict>(given);
    Solution const solution = is_solution
                                  ? value_or_raise(solution_from_json(instance, to_json("solution", given)))
                                  : value_or_raise(instance.solution_of(given.cast<std::vector<std::size_t>>()));
    CheckReport const report = instance.check(solution);
    py::dict result;
    result["valid"] = report.valid();
    result["cost"] = report.cost;
    result["violations"] = report.violations;
    result["solution"] = to_python(solution_to_json(instance, solution));
    return result;
}

py::list baseline(Values const& values, std::uint64_t seed, std::size_t threads, py::object const& progress,
                  py::dict const& keywords) {
    BaselinesOptions options;
    options.seed = seed;
    options.threads = threads;
    OptionTable table = table_of(options);
    set_options(table, keywords);
    auto const instances = pointers(values);
    auto const found = run_result<std::vector<SearchResult>>(progress, [&](Watch& watch) {
        options.progress = watch.progress();
        options.stop = [&watch] { return watch.stopped(); };
        return find_baselines(instances, options);
    });
    py::list list;
    for (std::size_t i = 0; i < found.size(); ++i) {
        py::dict entry;
        entry["cost"] = found[i].cost;
        entry["optimal"] = found[i].optimal;
        entry["lower_bound"] = found[i].lower_bound;
        entry["solution"] = to_python(solution_to_json(*instances[i], found[i].solution));
        list.append(entry);
    }
    return list;
}

py::dict problem_dict(Problem const& problem) {
    ProblemInfo const& info = problem.info();
    py::dict tensors;
    for (TensorInfo const& tensor : info.tensors)
        tensors[py::str(std::string(tensor.name))] = info.families[tensor.family];
    py::dict result;
    result["name"] = info.name;
    result["title"] = info.title;
    result["objective"] = info.objective == Objective::minimise ? "minimise" : "maximise";
    result["cost_word"] = info.cost_word;
    result["default_size"] = info.default_size;
    result["families"] = std::vector<std::string>(info.families.begin(), info.families.end());
    result["tensors"] = tensors;
    return result;
}

void step(StateValue const& value, std::size_t action) {
    auto const mask = value.state->action_mask();
    if (value.state->done()) throw py::value_error("the episode is done");
    if (action >= mask.size()) {
        throw py::index_error("action " + std::to_string(action) + ": there are " + std::to_string(mask.size()));
    }
    if (mask[action] == 0) throw py::value_error(describe_action(*value.state, action) + " is not allowed");
    value.state->step(action);
}

py::array mask_of(State const& state) {
    return to_numpy(
        Tensor::from_bools({state.action_mask().size()},
                           std::vector<std::uint8_t>(state.action_mask().begin(), state.action_mask().end())));
}

} // namespace

std::vector<InstancePtr> pointers(Values const& instances) {
    std::vector<InstancePtr> result;
    for (InstanceValue const& each : instances) result.push_back(each.instance);
    return result;
}

Problem const& problem_named(std::string const& name) {
    Problem const* const problem = find_problem(name);
    if (problem == nullptr)
        throw py::value_error("problem: '" + printable(name) + "' is not one of " + problem_names());
    return *problem;
}

void bind_instances(py::module_& module) {
    py::class_<InstanceValue>(module, "Instance", "What is given: an instance of a problem.")
        .def_property_readonly("problem", [](InstanceValue const& v) { return v.instance->problem().info().name; })
        .def_property_readonly("name", [](InstanceValue const& v) { return v.instance->name(); })
        .def_property_readonly("size", [](InstanceValue const& v) { return v.instance->size(); })
        .def_property_readonly("description", [](InstanceValue const& v) { return v.instance->description(); })
        .def("to_dict", [](InstanceValue const& v) { return to_python(cax::to_json(*v.instance)); })
        .def(
            "tensors",
            [](InstanceValue const& v) {
                return to_dict(value_or_raise(v.instance->problem().exchange().to_tensors({&v.instance, 1})));
            },
            "The instance as rl4co's data set holds it, with a first dimension of 1.")
        .def(
            "reset", [](InstanceValue const& v) { return StateValue{v.instance->reset()}; },
            "The state before the first decision.")
        .def("__repr__", [](InstanceValue const& v) {
            return "<cax.Instance " + std::string(v.instance->problem().info().name) + ": " +
                   v.instance->description() + ">";
        });
    py::class_<StateValue>(module, "State", "What has been decided so far, as rl4co's environment has it.")
        .def_property_readonly("action_mask", [](StateValue const& v) { return mask_of(*v.state); })
        .def_property_readonly("done", [](StateValue const& v) { return v.state->done(); })
        .def_property_readonly("cost",
                               [](StateValue const& v) {
                                   if (!v.state->done()) throw py::value_error("the episode is not done");
                                   return v.state->cost();
                               })
        .def(
            "tensors", [](StateValue const& v) { return to_dict(tensors_of(*v.state)); },
            "Every tensor of the environment's state under rl4co's name, without a batch dimension.")
        .def("step", &step, py::arg("action"), "Takes an action.")
        .def(
            "words",
            [](StateValue const& v, std::size_t action) {
                if (action >= v.state->action_mask().size()) throw py::index_error("there is no such action");
                return describe_action(*v.state, action);
            },
            py::arg("action"), "What the action is, in words.")
        .def("copy", [](StateValue const& v) { return StateValue{std::shared_ptr<State>(v.state->clone())}; });
    module.def("instances_from_file", &instances_of_file);
    module.def("instances_from_arrays", &instances_of_arrays);
    module.def("generate", &generate);
    module.def("check", &checked);
    module.def("baseline", &baseline);
    module.def("problems", [] {
        py::list list;
        for (Problem const* const problem : all_problems()) list.append(problem_dict(*problem));
        return list;
    });
    module.def("save_instances", [](std::string const& path, Values const& values) {
        or_raise(io::write_instances(path, pointers(values)));
    });
}

} // namespace cax::python
