#include "published/golden.hpp"

#include "golden_format.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cax::parity {

namespace fs = std::filesystem;

namespace {

/// All parts. Adding one is a line here, a file in CMakeLists.txt.
constexpr ReferencePart parts[] = {
    {"lambda.safetensors", compare_lambda},
    {"counterfactual.safetensors", compare_counterfactual},
    {"subset.safetensors", compare_subset},
};

/// The file that holds instances and actions, which every part starts from.
constexpr std::string_view common_file = "lambda.safetensors";

bool is_reference_folder(fs::path const& folder) {
    std::error_code error;
    return fs::exists(folder / "manifest.json", error) && fs::exists(folder / common_file, error);
}

Result<Json> read_manifest(fs::path const& path) {
    auto const text = io::read_text(path);
    if (!text) return text.error();
    auto json = io::parse_json(*text);
    if (!json) return json.error().within(path.string());
    if (!json->is_object() || !json->contains("problem") || !(*json)["problem"].is_string()) {
        return Error{ErrorCode::file_malformed, path.string() + ": problem: is not a name"};
    }
    return json;
}

/// The manifest says: the weights of the set of rl4co's traces beside this one, under the same problem's name.
fs::path weights_path(fs::path const& folder) {
    fs::path const here = fs::absolute(folder).lexically_normal();
    fs::path const own = here.has_filename() ? here : here.parent_path();
    return own.parent_path().parent_path() / "rl4co-golden" / own.filename() / "weights.safetensors";
}

Result<std::vector<ReferencePolicy>> make_reference_policies(fs::path const& path, GoldenOptions const& options) {
    auto const file = io::read_safetensors(path);
    if (!file) return file.error();
    std::vector<ReferencePolicy> policies;
    for (Precision const precision : {Precision::float64, Precision::float32}) {
        if (!(precision == Precision::float64 ? options.float64 : options.float32)) continue;
        auto policy = make_policy(*file, {.precision = precision, .threads = options.threads, .coupled_batch = false});
        if (!policy) return policy.error().within(path.string());
        policies.push_back({precision, std::move(*policy)});
    }
    return policies;
}

/// Instances, recorded actions and the states between them.
Result<void> read_walks(ReferenceCheck& check, GoldenTensors& golden) {
    auto instances = check.problem.exchange().from_tensors(golden.take_below("instance/"));
    if (!instances) return instances.error().within("instance");
    if (instances->empty()) return Error{ErrorCode::invalid_value, "instance: there is none"};
    check.instances = std::move(*instances);
    Tensor const* actions = golden.find("action");
    if (actions == nullptr || !is_batch(*actions, check.instances.size(), 2) || actions->shape()[1] == 0) {
        return Error{ErrorCode::invalid_value, fmt::format("action: is no table of {} rows", check.instances.size())};
    }
    std::size_t const steps = actions->shape()[1];
    for (std::size_t b = 0; b < check.instances.size(); ++b) {
        StatePtr state = check.instances[b]->reset();
        check.states.emplace_back();
        check.actions.emplace_back();
        for (std::size_t t = 0; t < steps; ++t) {
            auto const mask = state->action_mask();
            auto const action = static_cast<std::size_t>(actions->as_int(b * steps + t));
            if (state->done() || action >= mask.size() || mask[action] == 0) {
                return Error{ErrorCode::invalid_value, fmt::format("action: instance {}, step {}: {} is not allowed", b,
                                                                   t, actions->as_int(b * steps + t))};
            }
            check.states.back().emplace_back(state->clone());
            check.actions.back().push_back(action);
            state->step(action);
        }
    }
    for (ReferencePolicy const& each : check.policies) {
        auto const accepted = each.policy->accepts(check.states.front().front()->observe());
        if (!accepted) return accepted.error();
    }
    return {};
}

Result<void> compare_part(ReferenceCheck& check, ReferencePart const& part, fs::path const& path) {
    auto file = io::read_safetensors(path);
    if (!file) return file.error();
    GoldenTensors golden(std::move(file->tensors));
    if (part.file == common_file) {
        if (auto const read = read_walks(check, golden); !read) return read.error().within(path.string());
    }
    if (auto const done = part.compare(check, golden); !done) return done.error().within(path.string());
    for (std::string const& name : golden.unread()) {
        check.ledger.folder().not_compared.push_back(fmt::format("{}: {}", part.file, name));
    }
    return {};
}

/// Files of the folder that no part of this program reads.
void note_unread_files(GoldenFolder& report) {
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_entry const& entry : fs::directory_iterator(report.path, error)) {
        if (entry.path().extension() == ".safetensors") names.insert(entry.path().filename().string());
    }
    for (ReferencePart const& part : parts) names.erase(std::string(part.file));
    report.not_compared.insert(report.not_compared.end(), names.begin(), names.end());
}

Result<GoldenFolder> check_reference_folder(fs::path const& folder, GoldenOptions const& options) {
    fs::path const manifest_path = folder / "manifest.json";
    auto const manifest = read_manifest(manifest_path);
    if (!manifest) return manifest.error();
    auto const name = (*manifest)["problem"].get<std::string>();
    Problem const* problem = find_problem(name);
    if (problem == nullptr) {
        return Error{ErrorCode::unsupported,
                     fmt::format("{}: problem: no problem is called {}", manifest_path.string(), name)};
    }
    auto policies = make_reference_policies(weights_path(folder), options);
    if (!policies) return policies.error();

    GoldenFolder report;
    report.path = folder;
    report.format = "reference";
    report.problem = name;
    if (policies->empty()) return report;
    report.network = policies->front().policy->info().network;
    ReferenceCheck check{.problem = *problem,
                         .manifest = *manifest,
                         .ledger = Ledger(report),
                         .policies = std::move(*policies),
                         .instances = {},
                         .states = {},
                         .actions = {},
                         .threads = options.threads};
    for (ReferencePart const& part : parts) {
        fs::path const path = folder / part.file;
        std::error_code error;
        if (!fs::exists(path, error)) continue;
        if (auto const done = compare_part(check, part, path); !done) return done.error();
        auto const index = static_cast<std::size_t>(&part - parts);
        if (options.progress) options.progress(index + 1, std::size(parts));
    }
    note_unread_files(report);
    return report;
}

} // namespace

std::optional<std::vector<double>> golden_values(ReferenceCheck& check, GoldenTensors& golden, std::string const& name,
                                                 Shape const& shape) {
    Tensor const* tensor = golden.find(name);
    if (tensor == nullptr) return {};
    if (tensor->shape() != shape) {
        check.ledger.fail(
            fmt::format("{}: shape {} instead of {}", name, to_string(tensor->shape()), to_string(shape)));
        return {};
    }
    return tensor->to_doubles();
}

GoldenFormat reference_format() { return {"reference", is_reference_folder, check_reference_folder}; }

} // namespace cax::parity
