#pragma once
// What Python holds of ours. pybind11's holders want types without const: these small values keep the pointers.
#include "convert.hpp"

#include "cax/core/options.hpp"
#include "cax/explain/explanation.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/presentation.hpp"

namespace cax::python {

struct PolicyValue {
    std::shared_ptr<Policy const> policy;
    std::string source; ///< the file or the command; empty for a callable
    std::string sha256; ///< of the file
};

struct InstanceValue {
    InstancePtr instance;
};

struct StateValue {
    std::shared_ptr<State> state;
};

/// An episode of a policy on an instance: what explanations are about.
struct EpisodeValue {
    std::shared_ptr<Walk const> walk;
    StateOptions state_options;
};

/// How the work is done, of every call.
struct Manner {
    std::uint64_t seed = 0;
    std::size_t threads = 0;
    py::object progress;
};

[[nodiscard]] std::vector<InstancePtr> pointers(std::vector<InstanceValue> const& instances);
[[nodiscard]] Problem const& problem_named(std::string const& name);
/// The instance as this policy is to be shown it, as on the command line: in units that it knows unless `keep_units`.
[[nodiscard]] InDomain fitted(PolicyValue const& policy, InstanceValue const& instance, bool keep_units);

/// Keywords are the options of a description: `dual_range=True` is --dual-range. A word of Python's own takes a line at
/// its end: `lambda_`. Errors name the keyword; one that does not exist is a TypeError that lists those there are.
void set_options(OptionTable& table, py::dict const& keywords);
/// "dual_range" of --dual-range.
[[nodiscard]] std::string keyword_of(Option const& option);

/// How many decisions of the policy one is compared with if nobody says: none of one without a file, where the table of
/// them could not be kept.
[[nodiscard]] std::uint64_t usual_reference(PolicyValue const& policy);
/// What is usual for this policy; `asked` is the policy as the work may ask it.
[[nodiscard]] Result<std::shared_ptr<ReferenceTable const>> reference_of(PolicyValue const& policy, Policy const& asked,
                                                                         ExplainOptions const& options,
                                                                         std::uint64_t decisions,
                                                                         Progress const& progress);

void bind_instances(py::module_& module);
void bind_policies(py::module_& module);
void bind_explanations(py::module_& module);
void bind_questions(py::module_& module);

} // namespace cax::python
