#include "cax/app/load.hpp"

#include "cax/policies/repeatable.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace cax::app {
namespace {

std::vector<std::string> distinct_sizes(std::vector<InstancePtr> const& instances) {
    std::vector<std::string> sizes;
    for (InstancePtr const& instance : instances) {
        std::string size = instance->size();
        if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(std::move(size));
    }
    return sizes;
}

/// A sentence if the instances are not of the size that the policy was trained on, else empty.
std::string size_note(Policy const& policy, std::vector<InstancePtr> const& instances) {
    std::string const& trained = policy.info().size;
    auto const sizes = distinct_sizes(instances);
    if (trained.empty() || (sizes.size() == 1 && sizes.front() == trained)) return "";
    return fmt::format("the policy was trained on size {}, the instances have size {}", trained,
                       sizes_in_words(instances));
}

} // namespace

void describe(OptionTable& table, InstanceSelection& selection) {
    table.places("instance", {&selection.places, 0, "instances"}, "LIST",
                 "Only these instances of the file, counted from 0, such as 2 or 0,4-7");
    table.value("limit", selection.limit, "B", "Only the first B instances of the file")
        .range(1, std::numeric_limits<int>::max())
        .without({"instance"})
        .default_is("");
}

void describe(OptionTable& table, LoadOptions& options) {
    describe(table, options.selection);
    table.choice("precision", options.precision, "What the network computes in");
    table.flag("keep-units", options.keep_units,
               "Show the policy the file's numbers as they are, even outside the range it was trained on");
    table
        .flag("allow-random", options.allow_random,
              "Go on with a policy that gives two answers to the same question; what is said of it may not hold again")
        .not_a_setting();
    table.value("read", options.read, "KEY=VALUE", "Option of a text format's reader; may be repeated");
}

Result<io::InstanceFile> read_instances(std::filesystem::path const& path, LoadedPolicy const& policy,
                                        Options const& reader) {
    auto file = io::read_instances(path, policy.problem, reader);
    if (file || file.error().code != ErrorCode::mismatch) return file;
    return Error{ErrorCode::mismatch, fmt::format("{} (policy {} is for {})", file.error().message, policy.path,
                                                  policy.problem->info().name)};
}

Result<std::vector<std::size_t>> select(io::InstanceFile& file, InstanceSelection const& selection) {
    std::size_t const count = file.instances.size();
    std::vector<std::size_t> numbers = selection.places;
    for (std::size_t i = 0; numbers.size() < count && selection.places.empty(); ++i) numbers.push_back(i);
    if (selection.limit > 0 && numbers.size() > selection.limit) numbers.resize(selection.limit);
    std::vector<InstancePtr> chosen;
    for (std::size_t const number : numbers) {
        if (number >= count) {
            return Error{
                ErrorCode::invalid_value,
                fmt::format("--instance: {} is beyond the end: the file has {}, counted from 0", number, count)};
        }
        chosen.push_back(std::move(file.instances[number]));
    }
    if (chosen.empty()) return Error{ErrorCode::invalid_value, "there are no instances"};
    file.instances = std::move(chosen);
    return numbers;
}

Result<void> check_accepted(LoadedPolicy const& policy, std::span<InstancePtr const> instances,
                            std::span<std::size_t const> numbers) {
    std::string const& name = policy.policy->info().problem;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto const own = instances[i]->problem().info().name;
        if (own != name) {
            return Error{ErrorCode::mismatch, fmt::format("the policy is for {}, not for {}", name, own)};
        }
        auto const ok = policy.policy->accepts(policy.policy->observe(*instances[i]->reset()));
        if (!ok) return ok.error().within(fmt::format("instance {}", numbers[i]));
    }
    return {};
}

Result<InDomain> rescale_for_policy(Policy const& policy, InstancePtr const& instance, bool keep_units) {
    if (keep_units || policy.traits().own_numbers) return InDomain{.instance = instance, .note = {}};
    return instance->problem().presentation().into_domain(instance);
}

Result<Scales> rescale_all(Policy const& policy, std::vector<InstancePtr>& instances, bool keep_units) {
    Scales scales;
    std::size_t changed = 0;
    for (InstancePtr& instance : instances) {
        auto shown = rescale_for_policy(policy, instance, keep_units);
        if (!shown) return shown.error().within("shown in the policy's units");
        instance = std::move(shown->instance);
        scales.values.push_back(shown->scale);
        if (shown->note.empty()) continue;
        ++changed;
        scales.note = std::move(shown->note);
    }
    if (changed > 0 && instances.size() > 1) {
        scales.note =
            fmt::format("{} of the {} instances have numbers outside the range that policies are trained on; the "
                        "policy is shown them scaled into it, all numbers below are those of the file.",
                        changed, instances.size());
    }
    return scales;
}

Result<Loaded> load(LoadedPolicy policy, io::InstanceFile file, InstanceSelection const& selection, bool keep_units) {
    std::size_t const in_file = file.instances.size();
    auto numbers = select(file, selection);
    if (!numbers) return numbers.error();
    return load_chosen(std::move(policy), std::move(file), *std::move(numbers), in_file, keep_units);
}

Result<Loaded> load_chosen(LoadedPolicy policy, io::InstanceFile chosen, std::vector<std::size_t> numbers,
                           std::size_t in_file, bool keep_units) {
    if (auto const ok = check_accepted(policy, chosen.instances, numbers); !ok) return ok.error();
    Loaded loaded{.policy = std::move(policy),
                  .file = std::move(chosen),
                  .own_units = {},
                  .numbers = std::move(numbers),
                  .in_file = in_file,
                  .size_note = {},
                  .scales = {}};
    loaded.own_units = loaded.file.instances;
    auto scales = rescale_all(*loaded.policy.policy, loaded.file.instances, keep_units);
    if (!scales) return scales.error();
    loaded.scales = *std::move(scales);
    if (!loaded.policy.allow_random && !loaded.file.instances.empty()) {
        auto const ok = check_repeatable(*loaded.policy.policy, *loaded.file.instances.front());
        if (!ok) return ok.error();
    }
    loaded.size_note = size_note(*loaded.policy.policy, loaded.file.instances);
    return loaded;
}

std::string sizes_in_words(std::vector<InstancePtr> const& instances) {
    auto const sizes = distinct_sizes(instances);
    if (sizes.empty()) return "none";
    if (sizes.size() == 1) return sizes.front();
    if (sizes.size() <= 4) return fmt::format("{}", fmt::join(sizes, ", "));
    return fmt::format("{} different ones: {}, ...", sizes.size(), fmt::join(sizes.begin(), sizes.begin() + 4, ", "));
}

std::string instances_in_words(std::vector<InstancePtr> const& instances) {
    return fmt::format("{} {} instance{} of size {}", instances.size(), instances.front()->problem().info().name,
                       instances.size() == 1 ? "" : "s", sizes_in_words(instances));
}

} // namespace cax::app
