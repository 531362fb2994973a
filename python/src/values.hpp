#pragma once
// What Python holds of ours. pybind11's holders want types without const: these small values keep the pointers.
#include "convert.hpp"

#include "cax/app/load.hpp"
#include "cax/core/options.hpp"
#include "cax/explain/explanation.hpp"

namespace cax::python {

using PolicyValue = app::LoadedPolicy;

/// With where it came from, so that results say what they say on the command line.
struct InstanceValue {
    InstancePtr instance;
    std::string file_sha256 = {}; ///< empty: from no file
    std::size_t number = 0;       ///< its place in the file
    std::size_t in_file = 1;      ///< how many that has
    Texts read = {};              ///< "key=value": how it was read
};

struct StateValue {
    std::shared_ptr<State> state;
};

/// An episode of a policy on an instance: what explanations are about. It remembers whose it is.
struct EpisodeValue {
    std::shared_ptr<Episode const> episode;
    std::shared_ptr<Policy const> policy;
    std::string policy_sha256; ///< of its file; empty without one
};
/// ValueError unless the episode is this policy's: the same object, or one of the same file.
void check_own_episode(PolicyValue const& policy, EpisodeValue const& episode);

/// How the work is done, of every call.
struct Manner {
    std::uint64_t seed = 0;
    std::size_t threads = 0;
    py::object progress;
};

[[nodiscard]] std::vector<InstancePtr> pointers(std::vector<InstanceValue> const& instances);
[[nodiscard]] Problem const& problem_named(std::string const& name);
/// The instances as the policy is asked about them, as on the command line.
[[nodiscard]] app::Loaded loaded(PolicyValue const& policy, std::vector<InstanceValue> const& instances,
                                 bool keep_units);

/// Keywords are the options of a description: `dual_range=True` is --dual-range. A word of Python's own takes a line at
/// its end: `lambda_`. Errors name the keyword; one that does not exist is a TypeError that lists those there are.
void set_options(OptionTable& table, py::dict const& keywords);
/// "dual_range" of --dual-range.
[[nodiscard]] std::string keyword_of(Option const& option);

/// How many decisions of the policy one is compared with if nobody says: none of one without a file, where the table of
/// them could not be kept.
[[nodiscard]] std::uint64_t usual_reference(PolicyValue const& policy);

void bind_instances(py::module_& module);
void bind_policies(py::module_& module);
void bind_explanations(py::module_& module);
void bind_questions(py::module_& module);

} // namespace cax::python
