#include "cax/io/instances.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/file_kind.hpp"
#include "cax/io/files.hpp"
#include "cax/io/json_pieces.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"
#include "json_text.hpp"
#include "malformed.hpp"

#include <fmt/format.h>

namespace cax::io {
namespace {

constexpr std::string_view schema = "cax/instances/1";

// What a file can plausibly hold: as many instances as `cax generate` writes, and in one of them about as many numbers
// as the largest scheduling instance has. Beyond that a small file could ask for a lot of memory.
constexpr std::size_t most_instances = 1'000'000;
constexpr std::size_t most_values_in_one = 4'000'000;

Error another_problem(Problem const& found, Problem const& wanted) {
    return {ErrorCode::mismatch, fmt::format("holds {} instances, not {}", found.info().name, wanted.info().name)};
}

Error too_many() { return {ErrorCode::unsupported, fmt::format("more than {} instances in one file", most_instances)}; }

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
    // The first axis of every array of a data set counts instances.
    for (auto const& [name, tensor] : *tensors) {
        if (!tensor.shape().empty() && tensor.shape().front() > most_instances) return too_many();
    }
    auto instances = found->exchange().from_tensors(*tensors);
    if (!instances) return instances.error();
    return InstanceFile{.problem = found, .format = "npz", .instances = *std::move(instances), .sha256 = {}};
}

/// What the head of the file says, and where its instances are.
struct JsonHead {
    Problem const* problem = nullptr;
    JsonPiece instances;
};

/// Reads everything but the instances.
Result<JsonHead> read_head(JsonPieces const& pieces) {
    if (!pieces.whole().is_object()) {
        auto const value = pieces.value(pieces.whole());
        if (!value) return value.error();
        return malformed(fmt::format("{}, not an object of schema {}", describe(*value), schema));
    }
    auto const members = pieces.members(pieces.whole());
    if (!members) return members.error();
    Json stated;
    Json name;
    std::optional<JsonPiece> list;
    for (auto const& [key, piece] : *members) {
        if (key == "instances" && piece.is_list()) {
            list = piece;
            continue;
        }
        if (auto const checked = pieces.check(piece); !checked) return checked.error();
        bool const wanted = key == "schema" || key == "problem";
        if (!wanted) continue;
        auto value = pieces.value(piece);
        if (!value) return value.error();
        (key == "schema" ? stated : name) = *std::move(value);
    }
    if (stated.is_null()) return malformed(fmt::format("JSON without a schema; instances have \"{}\"", schema));
    if (stated != schema) return malformed(fmt::format("schema is {}, not {}", describe(stated), schema));
    if (!name.is_string()) return malformed("no problem name");
    Problem const* const problem = find_problem(name.get_ref<std::string const&>());
    if (problem == nullptr) {
        return Error{ErrorCode::unsupported,
                     fmt::format("problem is {}; known are {}", describe(name), problem_names())};
    }
    if (!list) return malformed("instances is not a list");
    return JsonHead{problem, *list};
}

Result<InstancePtr> instance_of(JsonPieces const& pieces, JsonPiece const& piece, Problem const& problem) {
    if (piece.values > most_values_in_one) {
        return malformed(fmt::format("{} values: no instance has more than {}", piece.values, most_values_in_one));
    }
    auto const value = pieces.value(piece);
    if (!value) return value.error();
    return problem.exchange().from_json(*value);
}

/// One instance after the other: only one of them is ever in memory as JSON.
Result<InstanceFile> from_json(std::string_view text, Problem const* wanted) {
    auto const pieces = JsonPieces::cut(text);
    if (!pieces) return pieces.error();
    auto const head = read_head(*pieces);
    if (!head) return head.error();
    if (wanted != nullptr && head->problem != wanted) return another_problem(*head->problem, *wanted);
    InstanceFile file{.problem = head->problem, .format = "json", .instances = {}, .sha256 = {}};
    auto elements = pieces->elements(head->instances);
    for (;;) {
        auto const piece = elements.next();
        if (!piece) return piece.error();
        if (!*piece) return file;
        if (file.instances.size() == most_instances) return too_many();
        auto instance = instance_of(*pieces, **piece, *file.problem);
        if (!instance) return instance.error().within(fmt::format("instance {}", file.instances.size()));
        file.instances.push_back(*std::move(instance));
    }
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
    FileKind const kind = kind_of(bytes);
    if (kind == FileKind::safetensors) {
        return Error{ErrorCode::mismatch, "a safetensors file (a policy?) where instances belong"};
    }
    bool const json = kind == FileKind::json;
    bool const arrays = kind == FileKind::arrays || kind == FileKind::zip;
    if (!json && !arrays && kind != FileKind::unknown) return malformed(mistaken_for(kind, "an instance file"));
    std::string_view text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
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
