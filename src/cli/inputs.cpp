#include "inputs.hpp"

#include "cax/core/sha256.hpp"
#include "cax/io/files.hpp"
#include "cax/io/models.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"
#include "cax/process/process_policy.hpp"

#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::cli {

namespace {

/// What is wrong with a file that was to be a policy. The likeliest mistake is to give the two files in the wrong
/// order.
Error no_policy(std::span<std::byte const> bytes, std::string const& path, Error const& why) {
    if (auto const file = io::parse_instances(bytes)) {
        return {ErrorCode::mismatch, fmt::format("{}: {} {} instance{}, not a policy; the policy comes first, then the "
                                                 "instances",
                                                 path, file->instances.size(), file->problem->info().name,
                                                 file->instances.size() == 1 ? "" : "s")};
    }
    return why.within(path);
}

} // namespace

Result<LoadedPolicy> load_policy(std::string const& given, PolicyOptions const& options) {
    auto const found = io::find_model(given);
    if (!found) return found.error();
    std::string const path = found->string();
    auto const bytes = io::read_bytes(path);
    if (!bytes) return bytes.error();
    auto const file = io::parse_safetensors(*bytes);
    if (!file) return no_policy(*bytes, path, file.error());
    auto policy = make_policy(*file, options);
    if (!policy) return policy.error().within(path);
    Problem const* problem = find_problem((*policy)->info().problem);
    if (problem == nullptr) {
        return Error{ErrorCode::unsupported, fmt::format("{}: problem: '{}' is not one of {}", path,
                                                         (*policy)->info().problem, problem_names())};
    }
    return LoadedPolicy{path, sha256_hex(*bytes), std::move(*policy), problem};
}

Result<LoadedPolicy> start_policy(std::string const& command) {
    auto policy = make_process_policy({.command = command});
    if (!policy) return policy.error();
    Problem const* const problem = find_problem((*policy)->info().problem);
    return LoadedPolicy{command, "", *std::move(policy), problem};
}

Result<io::InstanceFile> load_instances(std::string const& path, LoadedPolicy const& policy,
                                        Options const& reader_options) {
    auto file = io::read_instances(path, policy.problem, reader_options);
    if (!file && file.error().code == ErrorCode::mismatch) {
        return Error{ErrorCode::mismatch, fmt::format("{} (policy {} is for {})", file.error().message, policy.path,
                                                      policy.problem->info().name)};
    }
    return file;
}

Result<std::vector<std::size_t>> choose_instances(io::InstanceFile& file, InstanceChoice const& choice,
                                                  std::string const& path) {
    std::size_t const count = file.instances.size();
    std::vector<std::size_t> numbers = choice.places;
    for (std::size_t i = 0; numbers.size() < count && choice.places.empty(); ++i) numbers.push_back(i);
    if (choice.limit > 0 && numbers.size() > choice.limit) numbers.resize(choice.limit);
    std::vector<InstancePtr> chosen;
    for (std::size_t const number : numbers) {
        if (number >= count) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("{}: --instance: {} is beyond the end: the file has {}, counted from 0", path,
                                     number, count)};
        }
        chosen.push_back(std::move(file.instances[number]));
    }
    if (chosen.empty()) return Error{ErrorCode::invalid_value, path + ": there are no instances"};
    file.instances = std::move(chosen);
    return numbers;
}

Result<void> check_accepted(LoadedPolicy const& policy, io::InstanceFile const& file,
                            std::vector<std::size_t> const& numbers, std::string const& path) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        auto const accepted = policy.policy->accepts(policy.policy->observe(*file.instances[i]->reset()));
        if (!accepted) return accepted.error().within(fmt::format("{}: instance {}", path, numbers[i]));
    }
    return {};
}

Result<Fit> fit_instances(io::InstanceFile& file, std::string const& path) {
    Fit fit;
    std::size_t fitted = 0;
    for (InstancePtr& instance : file.instances) {
        auto shown = instance->problem().presentation().into_domain(instance);
        if (!shown) return shown.error().within(path + ": shown in the policy's units");
        instance = std::move(shown->instance);
        fit.scales.push_back(shown->scale);
        if (shown->note.empty()) continue;
        ++fitted;
        fit.note = std::move(shown->note);
    }
    if (fitted > 0 && file.instances.size() > 1) {
        fit.note =
            fmt::format("{} of the {} instances have numbers outside the range that policies are trained on; the "
                        "policy is shown them scaled into it, all numbers below are those of the file.",
                        fitted, file.instances.size());
    }
    return fit;
}

Result<std::vector<io::BestKnown>> read_best_known(std::string const& path, std::string const& set,
                                                   std::string const& instances_path,
                                                   std::vector<InstancePtr> const& instances) {
    auto const text = io::read_text(path);
    if (!text) return text.error();
    auto const entries = io::count_best_known(*text, set);
    if (!entries) return entries.error().within(path);
    std::string const where = fmt::format("{}: set '{}'", path, set);
    if (*entries != instances.size()) {
        return Error{ErrorCode::mismatch, fmt::format("{}: {} entries for {} instances of {}", where, *entries,
                                                      instances.size(), instances_path)};
    }
    auto best = io::parse_best_known(*text, set, instances);
    if (!best) return best.error().within(path);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (!(*best)[i].solution) continue;
        CheckReport const report = instances[i]->check(*(*best)[i].solution);
        double const stated = (*best)[i].cost;
        if (report.valid() && std::fabs(report.cost - stated) <= 1e-6 * std::max(1.0, std::fabs(stated))) continue;
        return Error{ErrorCode::mismatch,
                     fmt::format("{}, entry {}: does not belong to instance {} of {}: {}", where, i, i, instances_path,
                                 report.valid() ? fmt::format("the solution costs {}, not {}", report.cost, stated)
                                                : report.violations.front())};
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
