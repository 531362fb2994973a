#pragma once
// A policy and the instances that it is asked about: chosen from a file, checked against the policy, and shown to it in
// units that it knows. What a reader of the results has to know of all that is kept beside them.
#include "cax/app/policy.hpp"
#include "cax/core/options.hpp"
#include "cax/io/instances.hpp"
#include "cax/problems/presentation.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cax::app {

/// Which instances of a file.
struct InstanceSelection {
    std::vector<std::size_t> places; ///< these, from 0, ascending; empty = all
    std::uint64_t limit = 0;         ///< or the first so many; 0 = all
};
/// --instance, --limit.
void describe(OptionTable& table, InstanceSelection& selection);

/// How files are read, where that can change a result.
struct LoadOptions {
    InstanceSelection selection;
    Precision precision = Precision::float32;
    bool keep_units = false; ///< the policy is shown the file's numbers as they are
    bool allow_random = false; ///< go on with a policy that gives two answers to the same question
    Texts read;              ///< "key=value": options of a text format's reader
};
/// --instance, --limit, --precision, --keep-units, --allow-random, --read.
void describe(OptionTable& table, LoadOptions& options);

/// All instances of a file for the policy's problem. Error if the file is for another problem.
[[nodiscard]] Result<io::InstanceFile> read_instances(std::filesystem::path const& path, LoadedPolicy const& policy,
                                                      Options const& reader = {});
/// Drops the others and says which places in the file the chosen ones have. Error if there are not so many, or none.
[[nodiscard]] Result<std::vector<std::size_t>> select(io::InstanceFile& file, InstanceSelection const& selection);
/// Error if the policy is for another problem, or cannot read one of them; `numbers` are their places in their file.
[[nodiscard]] Result<void> check_accepted(LoadedPolicy const& policy, std::span<InstancePtr const> instances,
                                          std::span<std::size_t const> numbers);

/// The instance as the policy is shown it: brought into the range that policies are trained on, unless `keep_units` or
/// the policy sees numbers as they are. The instance's own numbers stay.
[[nodiscard]] Result<InDomain> rescale_for_policy(Policy const& policy, InstancePtr const& instance, bool keep_units);

/// What lengths and times of each instance are multiplied with for the policy.
struct Scales {
    std::vector<double> values;
    std::string note; ///< for the reader; empty if nothing was done
};
/// All of them, in place.
[[nodiscard]] Result<Scales> rescale_all(Policy const& policy, std::vector<InstancePtr>& instances, bool keep_units);

struct Loaded {
    LoadedPolicy policy;
    io::InstanceFile file;              ///< the chosen instances, as the policy is shown them
    std::vector<InstancePtr> own_units; ///< the same without regard to the policy
    std::vector<std::size_t> numbers;   ///< their places in the file
    std::size_t in_file = 0;            ///< how many it has
    std::string size_note;              ///< that they are of another size than the trained one, or nothing
    Scales scales;

    [[nodiscard]] ProblemInfo const& info() const { return policy.problem->info(); }
};
/// The selected ones of a file that holds all its instances. Errors do not name the file.
[[nodiscard]] Result<Loaded> load(LoadedPolicy policy, io::InstanceFile file, InstanceSelection const& selection,
                                  bool keep_units);
/// Those that were chosen already: `numbers` are their places among the `in_file` instances of their file. Error if the
/// policy gives two answers to the same question about the first of them, unless it is allowed to.
[[nodiscard]] Result<Loaded> load_chosen(LoadedPolicy policy, io::InstanceFile chosen, std::vector<std::size_t> numbers,
                                         std::size_t in_file, bool keep_units);

/// "50", or "10 different ones: 5x3, 6x3, ...": what sizes the instances have.
[[nodiscard]] std::string sizes_in_words(std::vector<InstancePtr> const& instances);
/// "4 op instances of size 20". Precondition: there are some.
[[nodiscard]] std::string instances_in_words(std::vector<InstancePtr> const& instances);

} // namespace cax::app
