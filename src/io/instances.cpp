#include "cax/io/instances.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"
#include "json_text.hpp"
#include "malformed.hpp"
#include "zip.hpp"

#include <fmt/format.h>

namespace cax::io {
namespace {

constexpr std::string_view schema = "cax/instances/1";

Error another_problem(Problem const& found, Problem const& wanted) {
    return {ErrorCode::mismatch, fmt::format("holds {} instances, not {}", found.info().name, wanted.info().name)};
}

Result<InstanceFile> from_arrays(std::span<std::byte const> bytes, Problem const* wanted) {
    auto const tensors = parse_npz(bytes);
    if (!tensors) return tensors.error();
    Problem const* found = wanted != nullptr && wanted->exchange().recognises(*tensors) ? wanted : nullptr;
    for (Problem const* candidate : all_problems()) {
        if (found == nullptr && candidate->exchange().recognises(*tensors)) found = candidate;
    }
    if (found == nullptr) {
        std::string names;
        for (auto const& [name, tensor] : *tensors) names += (names.empty() ? "" : ", ") + name;
        return malformed(fmt::format("arrays ({}) of no known problem ({})", printable(names), problem_names()));
    }
    if (wanted != nullptr && found != wanted) return another_problem(*found, *wanted);
    auto instances = found->exchange().from_tensors(*tensors);
    if (!instances) return instances.error();
    return InstanceFile{.problem = found, .format = "npz", .instances = *std::move(instances), .sha256 = {}};
}

Result<Problem const*> problem_of(Json const& json) {
    if (!json.is_object()) return malformed(fmt::format("{}, not an object of schema {}", describe(json), schema));
    auto const stated = json.find("schema");
    if (stated == json.end()) return malformed(fmt::format("JSON without a schema; instances have \"{}\"", schema));
    if (*stated != schema) return malformed(fmt::format("schema is {}, not {}", describe(*stated), schema));
    auto const name = json.find("problem");
    if (name == json.end() || !name->is_string()) return malformed("no problem name");
    Problem const* problem = find_problem(name->get_ref<std::string const&>());
    if (problem == nullptr) {
        return Error{ErrorCode::unsupported,
                     fmt::format("problem is {}; known are {}", describe(*name), problem_names())};
    }
    return problem;
}

Result<InstanceFile> from_json(std::string_view text, Problem const* wanted) {
    auto const json = parse_json(text);
    if (!json) return json.error();
    auto const problem = problem_of(*json);
    if (!problem) return problem.error();
    if (wanted != nullptr && *problem != wanted) return another_problem(**problem, *wanted);
    auto const list = json->find("instances");
    if (list == json->end() || !list->is_array()) return malformed("instances is not a list");
    InstanceFile file{.problem = *problem, .format = "json", .instances = {}, .sha256 = {}};
    for (Json const& entry : *list) {
        auto instance = file.problem->exchange().from_json(entry);
        if (!instance) return instance.error().within(fmt::format("instance {}", file.instances.size()));
        file.instances.push_back(*std::move(instance));
    }
    return file;
}

/// The first format that claims the text, those of `wanted` before all others.
std::pair<Problem const*, TextFormat const*> recognise(std::string_view text, Problem const* wanted) {
    std::vector<Problem const*> problems(all_problems().begin(), all_problems().end());
    if (wanted != nullptr) problems.insert(problems.begin(), wanted);
    for (Problem const* problem : problems) {
        for (TextFormat const& format : problem->exchange().text_formats()) {
            if (format.recognises(text)) return {problem, &format};
        }
    }
    return {nullptr, nullptr};
}

Result<InstanceFile> from_text(std::string_view text, Problem const* wanted, Options const& options) {
    auto const [problem, format] = recognise(text, wanted);
    if (format == nullptr) {
        std::string known;
        for (Problem const* candidate : all_problems()) {
            for (TextFormat const& other : candidate->exchange().text_formats())
                known += (known.empty() ? "" : ", ") + std::string(other.name);
        }
        return malformed(fmt::format("not an instance file: neither JSON ({}), rl4co .npz nor a known text format ({})",
                                     schema, known));
    }
    if (wanted != nullptr && problem != wanted) return another_problem(*problem, *wanted);
    auto instance = format->read(text, options);
    if (!instance) return instance.error().within(std::string(format->name));
    return InstanceFile{
        .problem = problem, .format = std::string(format->name), .instances = {*std::move(instance)}, .sha256 = {}};
}

std::string format_json(std::span<InstancePtr const> instances) {
    std::string text = fmt::format("{{\"schema\":\"{}\",\"problem\":\"{}\",\"instances\":[", schema,
                                   instances[0]->problem().info().name);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        text += (i == 0 ? "\n" : ",\n") + dump_json(to_json(*instances[i]));
    }
    return text + "\n]}\n";
}

Result<void> write_arrays(std::filesystem::path const& path, std::span<InstancePtr const> instances) {
    auto const tensors = instances[0]->problem().exchange().to_tensors(instances);
    if (!tensors) return tensors.error().within(path.string());
    std::size_t total = 0;
    for (auto const& [name, tensor] : *tensors) total += tensor.bytes().size();
    if (total > 0xF0000000) {
        return Error{ErrorCode::unsupported, path.string() + ": more than 4 GB do not fit in one .npz"};
    }
    return write_bytes(path, format_npz(*tensors));
}

} // namespace

Result<InstanceFile> parse_instances(std::span<std::byte const> bytes, Problem const* problem, Options const& options) {
    if (looks_like_safetensors(bytes)) {
        return Error{ErrorCode::mismatch, "a safetensors file (a policy?) where instances belong"};
    }
    std::string_view text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3); // a byte order mark
    auto const first = text.find_first_not_of(" \t\r\n");
    bool const json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
    bool const arrays = looks_like_zip(bytes);
    auto file = arrays ? from_arrays(bytes, problem)
                : json ? from_json(text, problem)
                       : from_text(text, problem, options);
    if (!file) return file;
    if (file->instances.empty()) return malformed("the list of instances is empty");
    if (!options.empty() && (arrays || json)) {
        return Error{ErrorCode::unsupported, fmt::format("option {} is for text formats, not for .{} files",
                                                         options.begin()->first, file->format)};
    }
    file->sha256 = sha256_hex(bytes);
    return file;
}

Result<InstanceFile> read_instances(std::filesystem::path const& path, Problem const* problem, Options const& options) {
    auto const bytes = read_bytes(path);
    if (!bytes) return bytes.error();
    auto file = parse_instances(*bytes, problem, options);
    if (!file) return file.error().within(path.string());
    return file;
}

Result<void> write_instances(std::filesystem::path const& path, std::span<InstancePtr const> instances) {
    auto const fail = [&](ErrorCode code, std::string const& what) { return Error{code, path.string() + ": " + what}; };
    if (instances.empty()) return fail(ErrorCode::invalid_value, "no instances to write");
    Problem const& problem = instances[0]->problem();
    for (InstancePtr const& instance : instances) {
        if (&instance->problem() != &problem) return fail(ErrorCode::mismatch, "instances of different problems");
    }
    auto const extension = path.extension();
    if (extension == ".json") return write_text(path, format_json(instances));
    if (extension == ".npz") return write_arrays(path, instances);
    std::string known = ".json, .npz";
    for (TextFormat const& format : problem.exchange().text_formats()) {
        known += ", " + std::string(format.extension);
        if (extension != format.extension) continue;
        if (instances.size() != 1) {
            return fail(ErrorCode::unsupported,
                        fmt::format("{} holds one instance, not {}", format.name, instances.size()));
        }
        auto const text = format.write(*instances[0]);
        if (!text) return text.error().within(path.string());
        return write_text(path, *text);
    }
    return fail(ErrorCode::unsupported, fmt::format("extension '{}' is not one of {}", extension.string(), known));
}

} // namespace cax::io
