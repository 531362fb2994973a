#include "inputs.hpp"

#include "must.hpp"

#include "cax/core/sha256.hpp"
#include "cax/io/files.hpp"
#include "cax/io/models.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/registry.hpp"
#include "cax/process/process_policy.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::cli {

namespace {

/// A file that was to be a policy. The likeliest mistake is to give the two files in the wrong
/// order.
TensorFile policy_tensors(std::span<std::byte const> bytes, std::string const& path) {
    auto tensors = io::parse_safetensors(bytes);
    if (tensors) return *std::move(tensors);
    if (auto const file = io::parse_instances(bytes)) {
        fail("{}: {} {} instance{}, not a policy; the policy comes first, then the "
             "instances",
             path, file->instances.size(), file->problem->info().name, file->instances.size() == 1 ? "" : "s");
    }
    fail(tensors.error().within(path).message);
}

} // namespace

LoadedPolicy load_policy(std::string const& given, PolicyOptions const& options) {
    std::string const path = must(io::find_model(given)).string();
    auto const bytes = must(io::read_bytes(path));
    auto policy = must(make_policy(policy_tensors(bytes, path), options), path);
    Problem const* problem = find_problem(policy->info().problem);
    if (problem == nullptr) fail("{}: problem: '{}' is not one of {}", path, policy->info().problem, problem_names());
    return LoadedPolicy{path, sha256_hex(bytes), std::move(policy), problem};
}

LoadedPolicy start_policy(std::string const& command) {
    auto policy = must(make_process_policy({.command = command}));
    Problem const* const problem = find_problem(policy->info().problem);
    return LoadedPolicy{command, "", std::move(policy), problem};
}

io::InstanceFile load_instances(std::string const& path, LoadedPolicy const& policy, Options const& reader_options) {
    auto file = io::read_instances(path, policy.problem, reader_options);
    if (!file && file.error().code == ErrorCode::mismatch)
        fail("{} (policy {} is for {})", file.error().message, policy.path, policy.problem->info().name);
    return must(std::move(file));
}

std::vector<std::size_t> choose_instances(io::InstanceFile& file, InstanceChoice const& choice,
                                          std::string const& path) {
    std::size_t const count = file.instances.size();
    std::vector<std::size_t> numbers = choice.places;
    for (std::size_t i = 0; numbers.size() < count && choice.places.empty(); ++i) numbers.push_back(i);
    if (choice.limit > 0 && numbers.size() > choice.limit) numbers.resize(choice.limit);
    std::vector<InstancePtr> chosen;
    for (std::size_t const number : numbers) {
        if (number >= count)
            fail("{}: --instance: {} is beyond the end: the file has {}, counted from 0", path, number, count);
        chosen.push_back(std::move(file.instances[number]));
    }
    if (chosen.empty()) fail(path + ": there are no instances");
    file.instances = std::move(chosen);
    return numbers;
}

void check_accepted(LoadedPolicy const& policy, io::InstanceFile const& file, std::vector<std::size_t> const& numbers,
                    std::string const& path) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        must(policy.policy->accepts(policy.policy->observe(*file.instances[i]->reset())),
             fmt::format("{}: instance {}", path, numbers[i]));
    }
}

Fit fit_instances(io::InstanceFile& file, std::string const& path) {
    Fit fit;
    std::size_t fitted = 0;
    for (InstancePtr& instance : file.instances) {
        auto shown =
            must(instance->problem().presentation().into_domain(instance), path + ": shown in the policy's units");
        instance = std::move(shown.instance);
        fit.scales.push_back(shown.scale);
        if (shown.note.empty()) continue;
        ++fitted;
        fit.note = std::move(shown.note);
    }
    if (fitted > 0 && file.instances.size() > 1) {
        fit.note =
            fmt::format("{} of the {} instances have numbers outside the range that policies are trained on; the "
                        "policy is shown them scaled into it, all numbers below are those of the file.",
                        fitted, file.instances.size());
    }
    return fit;
}

std::vector<io::BestKnown> read_best_known(std::string const& path, std::string const& set,
                                           std::string const& instances_path,
                                           std::vector<InstancePtr> const& instances) {
    auto const text = must(io::read_text(path));
    auto const entries = must(io::count_best_known(text, set), path);
    std::string const where = fmt::format("{}: set '{}'", path, set);
    if (entries != instances.size())
        fail("{}: {} entries for {} instances of {}", where, entries, instances.size(), instances_path);
    auto best = must(io::parse_best_known(text, set, instances), path);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (!best[i].solution) continue;
        CheckReport const report = instances[i]->check(*best[i].solution);
        double const stated = best[i].cost;
        if (report.valid() && std::fabs(report.cost - stated) <= 1e-6 * std::max(1.0, std::fabs(stated))) continue;
        fail("{}, entry {}: does not belong to instance {} of {}: {}", where, i, i, instances_path,
             report.valid() ? fmt::format("the solution costs {}, not {}", report.cost, stated)
                            : report.violations.front());
    }
    return best;
}

namespace {

std::vector<std::string> distinct_sizes(std::vector<InstancePtr> const& instances) {
    std::vector<std::string> sizes;
    for (InstancePtr const& instance : instances) {
        std::string size = instance->size();
        if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(std::move(size));
    }
    return sizes;
}

} // namespace

std::string sizes_in_words(std::vector<InstancePtr> const& instances) {
    auto const sizes = distinct_sizes(instances);
    if (sizes.empty()) return "none";
    if (sizes.size() == 1) return sizes.front();
    if (sizes.size() <= 4) return fmt::format("{}", fmt::join(sizes, ", "));
    return fmt::format("{} different ones: {}, ...", sizes.size(), fmt::join(sizes.begin(), sizes.begin() + 4, ", "));
}

std::string stem_of(std::filesystem::path const& file) { return file.stem().string(); }

std::string instances_in_words(std::vector<InstancePtr> const& instances) {
    return fmt::format("{} {} instance{} of size {}", instances.size(), instances.front()->problem().info().name,
                       instances.size() == 1 ? "" : "s", sizes_in_words(instances));
}

std::string size_note(LoadedPolicy const& policy, std::vector<InstancePtr> const& instances) {
    std::string const& trained = policy.policy->info().size;
    if (trained.empty()) return "";
    auto const sizes = distinct_sizes(instances);
    if (sizes.size() == 1 && sizes.front() == trained) return "";
    return fmt::format("the policy was trained on size {}, the instances have size {}", trained,
                       sizes_in_words(instances));
}

} // namespace cax::cli
