#include "command.hpp"
#include "common_options.hpp"
#include "inspect_json.hpp"
#include "must.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/file_kind.hpp"
#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/study/store.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace cax::cli {
namespace {

struct InspectCommand {
    std::string file;
    app::LoadOptions files;
    std::string json;
};

void describe(OptionTable& table, InspectCommand& command) {
    table.positional("FILE", command.file, "Any file that cax reads or writes");
    table.group(common_group);
    table.choose({"read"}, command.files);
    json_option(table, command.json);
}

Findings inspect_policy(Policy const& policy) {
    PolicyInfo const& info = policy.info();
    Findings findings;
    findings.text = fmt::format("a policy for {}{}\n"
                                "  network        {}, width {}, {} layers, {} heads\n"
                                "  normalisation  {}{}\n"
                                "{}"
                                "  distribution   logits clipped to {}, temperature {}\n"
                                "  parameters     {}\n",
                                info.problem, info.size.empty() ? "" : ", trained on size " + printable(info.size),
                                info.network, info.embed_dim, info.layers, info.heads, info.normalization,
                                info.graph_context ? ", with graph context" : "",
                                info.stepwise ? "  encodes        what is left, at every step\n" : "",
                                info.tanh_clipping, info.temperature, info.parameters);
    findings.fields = {{"kind", "policy"},
                       {"problem", info.problem},
                       {"size", info.size.empty() ? Json(nullptr) : Json(info.size)},
                       {"network", info.network},
                       {"embed_dim", info.embed_dim},
                       {"layers", info.layers},
                       {"heads", info.heads},
                       {"normalization", info.normalization},
                       {"graph_context", info.graph_context},
                       {"stepwise", info.stepwise},
                       {"tanh_clipping", info.tanh_clipping},
                       {"temperature", info.temperature},
                       {"scaling_factor", info.scaling_factor},
                       {"parameters", info.parameters}};
    return findings;
}

Findings inspect_tensors(TensorFile const& file, std::string const& why_no_policy) {
    Findings findings;
    bool const trace = file.tensors.contains("step00/action");
    findings.text = fmt::format("{}{} tensors{}\n", trace ? "a golden trace: " : "", file.tensors.size(),
                                trace ? "" : fmt::format(", not a policy: {}", why_no_policy));
    Table table({"<tensor", "<type", "<shape"});
    constexpr std::size_t rows = 40;
    Json list = Json::array();
    for (auto const& [name, tensor] : file.tensors) {
        table.add(printable(name), name_of(tensor.dtype()), to_string(tensor.shape()));
        list.push_back({{"name", name}, {"dtype", name_of(tensor.dtype())}, {"shape", tensor.shape()}});
    }
    findings.text += table.text(rows);
    findings.fields = {{"kind", trace ? "golden-trace" : "tensors"}, {"tensors", std::move(list)}};
    return findings;
}

/// A checkpoint of training is a policy with more in it.
Findings inspect_checkpoint(TensorFile file) {
    std::erase_if(file.tensors, [](auto const& tensor) { return tensor.first.starts_with("train."); });
    auto const policy = must(make_policy(file));
    Findings findings = inspect_policy(*policy);
    std::string const instances = printable(file.metadata.at("train.instances"));
    findings.text = fmt::format("a checkpoint of training after {} instances, in it {}", instances, findings.text);
    findings.fields["kind"] = "checkpoint";
    findings.fields["instances_seen"] = instances;
    return findings;
}

Findings inspect_safetensors(std::span<std::byte const> bytes) {
    auto file = must(io::parse_safetensors(bytes));
    if (file.metadata.contains("train.instances")) return inspect_checkpoint(std::move(file));
    auto const policy = make_policy(file);
    if (policy) return inspect_policy(**policy);
    // Weights that a network almost recognises are a broken policy, not a bag of tensors.
    bool const meant_as_policy = file.metadata.contains("env_name") || file.metadata.contains("policy");
    if (meant_as_policy) fail(policy.error().message);
    return inspect_tensors(file, policy.error().message);
}

/// Smallest and largest value of one feature tensor over all instances.
struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
};

std::vector<Range> feature_ranges(std::vector<InstancePtr> const& instances, std::size_t features) {
    std::vector<Range> ranges(features);
    for (InstancePtr const& instance : instances) {
        Features const values = instance->reset()->features();
        for (std::size_t f = 0; f < values.size(); ++f) {
            for (double const value : values[f].values) {
                ranges[f].low = std::min(ranges[f].low, value);
                ranges[f].high = std::max(ranges[f].high, value);
            }
        }
    }
    return ranges;
}

Findings inspect_instances(io::InstanceFile const& file) {
    ProblemInfo const& info = file.problem->info();
    Findings findings;
    std::size_t const count = file.instances.size();
    findings.text = fmt::format("{} instance{} of {} ({}), as {}, size {}\n", count, count == 1 ? "" : "s", info.name,
                                info.title, file.format, app::sizes_in_words(file.instances));
    Table table({"<feature", "<family", "smallest", "largest", "<unit"});
    Json features = Json::array();
    auto const ranges = feature_ranges(file.instances, info.tensors.size());
    for (std::size_t f = 0; f < ranges.size(); ++f) {
        TensorInfo const& tensor = info.tensors[f];
        table.add(tensor.name, info.families[tensor.family], fmt::format("{:.6g}", ranges[f].low),
                  fmt::format("{:.6g}", ranges[f].high), tensor.unit);
        features.push_back({{"name", tensor.name},
                            {"family", info.families[tensor.family]},
                            {"smallest", ranges[f].low},
                            {"largest", ranges[f].high}});
    }
    InstancePtr const& first = file.instances.front();
    findings.text += table.text() + fmt::format("first instance: {}\n", first->description());
    Json sizes = Json::array();
    for (InstancePtr const& instance : file.instances) sizes.push_back(instance->size());
    findings.fields = {{"kind", "instances"},          {"problem", info.name},
                       {"format", file.format},        {"count", count},
                       {"sizes", std::move(sizes)},    {"features", std::move(features)},
                       {"first", first->description()}};
    return findings;
}

Findings inspect_study(std::string const& path) {
    auto const store = must(study::Store::open_to_read(path));
    auto const decisions = must(store.size());
    study::StoreHeader const& header = store.header();
    Findings findings;
    findings.text =
        fmt::format("a study's store of cax {}, shard {}/{}, {} cells (cax study status tells how far it is)\n",
                    printable(header.version), header.shard.index, header.shard.count, decisions);
    Table table({"<policy", "<problem", "<size", "seed", "<sha256"});
    Json policies = Json::array();
    for (study::PolicyEntry const& p : header.policies) {
        table.add(printable(p.name), printable(p.problem), printable(p.size), p.seed,
                  printable(p.sha256.substr(0, 12)));
        policies.push_back(
            {{"path", p.name}, {"problem", p.problem}, {"size", p.size}, {"seed", p.seed}, {"sha256", p.sha256}});
    }
    findings.text += table.text();
    findings.fields = {{"kind", "study"},
                       {"cells", decisions},
                       {"shard", {{"index", header.shard.index}, {"count", header.shard.count}}},
                       {"policies", std::move(policies)}};
    return findings;
}

/// What is in it only Python can tell, and only by running it.
Findings inspect_checkpoint(std::string const& path) {
    std::string const command = fmt::format("python -m cax.convert '{}' policy.safetensors", path);
    return {.text = fmt::format("a PyTorch checkpoint; to make a policy file of it: {}\n", command),
            .fields = {{"kind", "torch_checkpoint"}, {"convert", command}}};
}

Findings inspect_bytes(std::string const& path, std::span<std::byte const> bytes, Options const& reader_options) {
    if (path.ends_with(".safetensors") || io::looks_like_safetensors(bytes)) return inspect_safetensors(bytes);
    if (io::kind_of(bytes) == io::FileKind::torch_checkpoint) return inspect_checkpoint(path);
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    auto const first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '{') {
        if (auto findings = inspect_object(text)) return *std::move(findings);
    }
    return inspect_instances(must(io::parse_instances(bytes, nullptr, reader_options)));
}

void run(InspectCommand const& options) {
    Stopwatch const stopwatch;
    auto const reader_options = must(parse_pairs(options.files.read, "--read"));
    auto const bytes = must(io::read_bytes(options.file));
    std::string_view const head(reinterpret_cast<char const*>(bytes.data()), std::min<std::size_t>(bytes.size(), 15));
    bool const database = head == "SQLite format 3";
    Findings const findings =
        database ? inspect_study(options.file)
                 : within(options.file, [&] { return inspect_bytes(options.file, bytes, reader_options); });
    std::string const hash = sha256_hex(bytes);
    fmt::print("{}: {}sha256 {}\n", options.file, findings.text, hash);
    Json json = app::result_with_head({.kind = "inspect", .wall_seconds = stopwatch.seconds()}, Json::object());
    json["file"] = options.file;
    json["sha256"] = hash;
    json["bytes"] = bytes.size();
    json.update(findings.fields);
    write_json(options.json, json);
}

} // namespace

Command inspect_command() {
    return make_command<InspectCommand>(
        {.name = "inspect",
         .summary = "What is this file? Policy, instances, result, best known, study",
         .paragraph = "Says what a file holds: a policy (problem, network, size), instances (problem, sizes, ranges of "
                      "every feature), best known solutions, a result of cax, a study's store, or else the tensors in "
                      "it. The kind is recognised by content.",
         .footer = R"(Examples:
  cax inspect policy.safetensors
  cax inspect instances.npz
  cax inspect Mk01.fjs --json what.json)"});
}

} // namespace cax::cli
