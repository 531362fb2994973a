#include "study.hpp"

#include "must.hpp"

#include "result_file.hpp"

#include "cax/core/json.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/models.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace cax::cli {
namespace {

study::Settings read_settings(StudyCommand const& options) {
    study::Settings settings = options.quick ? study::quick_settings() : study::Settings();
    if (!options.settings.empty())
        settings = must(study::settings_from_json(read_json(options.settings), settings), options.settings);
    if (options.seed) settings.seed = *options.seed;
    return settings;
}

std::vector<std::string> policy_files(StudyCommand const& options) {
    if (!options.policies.empty()) return options.policies;
    std::vector<std::string> found = io::models_in(options.models);
    if (found.empty() && options.models == StudyCommand().models) found = io::models_in(io::installed_models());
    if (found.empty())
        fail("{}: no .safetensors policies in this folder; name some with --policy or --models", options.models);
    return found;
}

std::optional<std::string> environment_variable(std::string const& name) {
    char const* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Gives the policies of each file's problem its instances, and notes in the settings whose they are.
void take_instances(LoadedStudy& study, Texts const& files) {
    if (!study.settings.files.empty()) fail("settings: files: give one's own instances with --instances");
    std::map<Problem const*, std::vector<InstancePtr>> instances;
    std::map<Problem const*, std::string> hashes;
    for (std::string const& path : files) {
        auto file = must(io::read_instances(path));
        auto const reader = std::ranges::find(study.loaded, file.problem, &app::LoadedPolicy::problem);
        if (reader == study.loaded.end()) fail("{}: no policy is for {}", path, file.problem->info().name);
        std::vector<std::size_t> numbers(file.instances.size());
        std::iota(numbers.begin(), numbers.end(), std::size_t{0});
        for (app::LoadedPolicy const& policy : study.loaded) {
            if (policy.problem == file.problem) must(app::check_accepted(policy, file.instances, numbers), path);
        }
        must(app::rescale_all(*reader->policy, file.instances, false), path);
        auto& all = instances[file.problem];
        all.insert(all.end(), file.instances.begin(), file.instances.end());
        std::string& hash = hashes[file.problem];
        hash = hash.empty() ? file.sha256 : sha256_hex(hash + file.sha256);
    }
    for (study::StudyPolicy& policy : study.policies) {
        auto const own = instances.find(policy.problem);
        if (own == instances.end()) continue;
        policy.instances = own->second;
        policy.entry.size = app::sizes_in_words(own->second);
        study.settings.files[policy.entry.problem] = fmt::format("{}:{}", own->second.size(), hashes[policy.problem]);
    }
}

} // namespace

LoadedStudy load_study(StudyCommand const& options) {
    auto settings = read_settings(options);
    auto const shard = must(study::shard_in_array(options.shard, environment_variable));
    LoadedStudy loaded{.settings = settings, .loaded = {}, .policies = {}, .header = {}};
    for (std::string const& path : policy_files(options)) {
        // One thread each: the study runs as many tasks at a time as there are cores.
        loaded.loaded.push_back(
            must(app::load_policy(path, {.precision = Precision::float32, .threads = 1, .coupled_batch = false})));
    }
    for (app::LoadedPolicy const& policy : loaded.loaded) {
        ProblemInfo const& info = policy.problem->info();
        std::string const problem(info.name);
        std::string const& trained = policy.policy->info().size;
        auto const asked = settings.sizes.find(problem);
        std::string const size = asked != settings.sizes.end() ? asked->second : trained;
        std::string const name = std::filesystem::path(policy.path).filename().string();
        loaded.policies.push_back({.entry = {problem, 0, name, policy.sha256, size},
                                   .policy = policy.policy.get(),
                                   .problem = policy.problem});
    }
    for (auto const& [problem, size] : settings.sizes) {
        auto const problem_of = [](study::StudyPolicy const& policy) -> auto const& { return policy.entry.problem; };
        if (std::ranges::find(loaded.policies, problem, problem_of) == loaded.policies.end())
            fail("sizes.{}: no policy is for that problem", problem);
    }
    take_instances(loaded, options.instances);
    // A guess would study a policy of 50 nodes on 20, and say nothing.
    for (study::StudyPolicy const& policy : loaded.policies) {
        if (policy.entry.size.empty())
            fail("{}: does not say on instances of which size it was trained: give the size as sizes.{} in --settings, "
                 "one's own --instances, or convert it again with --set size=N",
                 policy.entry.name, policy.entry.problem);
    }
    study::number_policies(loaded.policies);
    std::ranges::sort(loaded.policies, {}, [](auto const& p) { return std::pair(p.entry.problem, p.entry.seed); });
    loaded.header.version = CAX_VERSION;
    loaded.header.settings = study::to_json(loaded.settings).dump();
    loaded.header.shard = shard;
    for (study::StudyPolicy const& policy : loaded.policies) loaded.header.policies.push_back(policy.entry);
    return loaded;
}

} // namespace cax::cli
