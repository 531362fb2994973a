#include "cax/app/policy.hpp"

#include "cax/core/json.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/models.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/decode.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/problems/registry.hpp"
#include "cax/process/process_policy.hpp"

#include <fmt/format.h>

namespace cax::app {
namespace {

Result<TensorFile> policy_tensors(std::span<std::byte const> bytes, std::string const& path) {
    auto tensors = io::parse_safetensors(bytes);
    if (tensors) return tensors;
    auto const file = io::parse_instances(bytes);
    if (!file) return tensors.error().within(path);
    std::size_t const count = file->instances.size();
    return Error{tensors.error().code,
                 fmt::format("{}: {} {} instance{}, not a policy; the policy comes first, then the instances", path,
                             count, file->problem->info().name, count == 1 ? "" : "s")};
}

Json or_null(std::string const& text) { return text.empty() ? Json(nullptr) : Json(text); }

} // namespace

Result<LoadedPolicy> load_policy(std::string const& given, PolicyOptions const& options) {
    auto const found = io::find_model(given);
    if (!found) return found.error();
    std::string const path = found->string();
    auto const bytes = io::read_bytes(path);
    if (!bytes) return bytes.error();
    auto const tensors = policy_tensors(*bytes, path);
    if (!tensors) return tensors.error();
    auto policy = make_policy(*tensors, options);
    if (!policy) return policy.error().within(path);
    auto loaded = own_policy(*std::move(policy), options.precision);
    if (!loaded) return loaded.error().within(path);
    loaded->path = path;
    loaded->sha256 = sha256_hex(*bytes);
    return loaded;
}

Result<LoadedPolicy> start_policy(std::string const& command, double start_seconds, double answer_seconds) {
    auto policy =
        make_process_policy({.command = command, .start_seconds = start_seconds, .answer_seconds = answer_seconds});
    if (!policy) return policy.error();
    auto loaded = own_policy(*std::move(policy));
    if (loaded) loaded->path = command;
    return loaded;
}

Result<LoadedPolicy> own_policy(std::shared_ptr<Policy const> policy, Precision precision) {
    std::string const& name = policy->info().problem;
    Problem const* const problem = find_problem(name);
    if (problem == nullptr) {
        return Error{ErrorCode::invalid_value, fmt::format("problem: '{}' is not one of {}", name, problem_names())};
    }
    return LoadedPolicy{"", "", std::move(policy), problem, precision, false};
}

Json policy_json(LoadedPolicy const& policy) {
    PolicyInfo const& info = policy.policy->info();
    PolicyTraits const traits = policy.policy->traits();
    Json json{{"path", or_null(policy.path)},
              {"sha256", or_null(policy.sha256)},
              {"problem", info.problem},
              {"size", or_null(info.size)},
              {"network", info.network},
              {"name", info.network},
              {"batch_invariant", traits.batch_invariant},
              {"differentiable", traits.differentiable}};
    bool const each_step = encode_mode(*policy.policy, EncodeMode::once) == EncodeMode::each_step;
    if (each_step) json["encode"] = name_of(EncodeMode::each_step);
    if (policy.sha256.empty() && !policy.path.empty()) json["command"] = policy.path;
    return json;
}

} // namespace cax::app
