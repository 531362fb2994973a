#include "weights.hpp"

#include "cax/core/printable.hpp"

#include <charconv>
#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace cax {
namespace {

using Metadata = std::map<std::string, std::string, std::less<>>;

/// "false", "False" or "0", ...: what Python's str() and json.dumps() write.
Result<void> read(Metadata const& metadata, std::string_view key, bool& value) {
    auto const entry = metadata.find(key);
    if (entry == metadata.end()) return {};
    std::string const& text = entry->second;
    if (text == "true" || text == "True" || text == "1") return value = true, Result<void>{};
    if (text == "false" || text == "False" || text == "0") return value = false, Result<void>{};
    return Error{ErrorCode::invalid_value,
                 fmt::format("metadata {}: \"{}\" is neither true nor false", key, printable(text))};
}

template <class T>
requires std::floating_point<T> || std::unsigned_integral<T> Result<void> read(Metadata const& metadata,
                                                                               std::string_view key, T& value) {
    auto const entry = metadata.find(key);
    if (entry == metadata.end()) return {};
    std::string const& text = entry->second;
    T number{};
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const whole = failure == std::errc{} && end == text.data() + text.size();
    if (!whole || !std::isfinite(static_cast<double>(number)))
        return Error{ErrorCode::invalid_value, fmt::format("metadata {}: \"{}\" is not a {}number", key,
                                                           printable(text), std::floating_point<T> ? "" : "whole ")};
    value = number;
    return {};
}

Result<void> must(bool holds, std::string_view key, auto value, std::string_view rule) {
    if (holds) return {};
    return Error{ErrorCode::invalid_value, fmt::format("metadata {}: {} is not {}", key, value, rule)};
}

std::optional<nn::NormKind> norm_kind_of(std::string_view name) {
    if (name == "batch") return nn::NormKind::batch;
    if (name == "instance") return nn::NormKind::instance;
    if (name == "layer") return nn::NormKind::layer;
    return std::nullopt;
}

/// Batch normalisation has running statistics, instance normalisation only scale and shift, layer normalisation
/// nothing.
std::string_view guess_normalization(auto const& tensors) {
    std::string_view kind = "layer";
    for (auto const& [name, tensor] : tensors) {
        if (name.ends_with("normalizer.running_mean")) return "batch";
        if (name.ends_with("normalizer.weight")) kind = "instance";
    }
    return kind;
}

/// The keys of a Lightning checkpoint start with "policy.", those of a bare policy do not.
std::string_view prefix_of(NamedTensors const& tensors) {
    for (auto const& [name, tensor] : tensors)
        if (!name.starts_with("policy.") && !name.starts_with("baseline.")) return "";
    return "policy.";
}

} // namespace

Result<WeightFile> WeightFile::open(TensorFile const& file) {
    WeightFile weights;
    std::string_view const prefix = prefix_of(file.tensors);
    for (auto const& [name, tensor] : file.tensors) {
        if (name.starts_with("baseline.") || name.ends_with(".num_batches_tracked")) continue;
        weights.tensors_.emplace(name.substr(prefix.size()), &tensor);
    }

    PolicyInfo& info = weights.info_;
    Metadata const& metadata = file.metadata;
    if (auto const entry = metadata.find("env_name"); entry != metadata.end()) info.problem = entry->second;
    if (auto const entry = metadata.find("size"); entry != metadata.end()) info.size = entry->second;
    info.heads = 8;
    info.scaling_factor = 1000;
    if (auto done = read(metadata, "num_heads", info.heads); !done) return done.error();
    if (auto done = read(metadata, "use_graph_context", info.graph_context); !done) return done.error();
    if (auto done = read(metadata, "lookahead_mask", info.lookahead_mask); !done) return done.error();
    if (auto done = read(metadata, "stepwise", info.stepwise); !done) return done.error();
    if (auto done = read(metadata, "tanh_clipping", info.tanh_clipping); !done) return done.error();
    if (auto done = read(metadata, "temperature", info.temperature); !done) return done.error();
    if (auto done = read(metadata, "scaling_factor", info.scaling_factor); !done) return done.error();
    if (auto ok = must(info.heads > 0, "num_heads", info.heads, "positive"); !ok) return ok.error();
    if (auto ok = must(info.temperature > 0, "temperature", info.temperature, "positive"); !ok) return ok.error();
    if (auto ok = must(info.scaling_factor > 0, "scaling_factor", info.scaling_factor, "positive"); !ok)
        return ok.error();

    auto const entry = metadata.find("normalization");
    info.normalization = entry != metadata.end() ? entry->second : guess_normalization(weights.tensors_);
    auto const kind = norm_kind_of(info.normalization);
    if (!kind)
        return Error{ErrorCode::unsupported,
                     fmt::format("metadata normalization: \"{}\" is none of batch, instance, layer",
                                 printable(info.normalization))};
    weights.norm_kind_ = *kind;
    return weights;
}

Tensor const* WeightFile::find(std::string_view name) const {
    auto const entry = tensors_.find(name);
    return entry == tensors_.end() ? nullptr : entry->second;
}

Result<WeightFile::Extent> WeightFile::matrix(std::string_view name) const {
    Tensor const* const tensor = find(name);
    if (!tensor) return Error{ErrorCode::mismatch, fmt::format("{}: missing", name)};
    Shape const& shape = tensor->shape();
    if (shape.size() != 2 || tensor->size() == 0)
        return Error{ErrorCode::mismatch, fmt::format("{}: shape {}, expected a matrix", name, to_string(shape))};
    return Extent{shape[0], shape[1]};
}

std::size_t WeightFile::count_layers(std::string_view prefix) const {
    for (std::size_t layer = 0;; ++layer) {
        std::string const start = fmt::format("{}{}.", prefix, layer);
        auto const entry = tensors_.lower_bound(start);
        if (entry == tensors_.end() || !entry->first.starts_with(start)) return layer;
    }
}

std::size_t WeightFile::element_count() const {
    std::size_t count = 0;
    for (auto const& [name, tensor] : tensors_) count += tensor->size();
    return count;
}

Result<void> check_sizes(WeightFile const& file, PolicyInfo const& info, std::size_t per_layer) {
    auto const refuse = [](ErrorCode code, std::string message) { return Error{code, std::move(message)}; };
    if (info.embed_dim == 0 || info.embed_dim > 4096)
        return refuse(ErrorCode::unsupported, fmt::format("embedding width {} is not in 1..4096", info.embed_dim));
    if (info.layers == 0 || info.layers > 64)
        return refuse(ErrorCode::unsupported, fmt::format("{} encoder layers, expected 1..64", info.layers));
    if (info.embed_dim % info.heads != 0)
        return refuse(
            ErrorCode::invalid_value,
            fmt::format("metadata num_heads: {} does not divide the embedding width {}", info.heads, info.embed_dim));
    if (std::size_t const held = file.element_count(); held / info.layers < per_layer)
        return refuse(ErrorCode::mismatch,
                      fmt::format("the file holds {} numbers, {} layers of width {} need at least {}", held,
                                  info.layers, info.embed_dim, info.layers * per_layer));
    return {};
}

template <class R> Result<void> load_parameters(WeightFile const& file, nn::Parameters<R>& parameters) {
    for (auto const& [name, shape, slice, trained] : parameters.entries()) {
        Tensor const* const tensor = file.find(name);
        if (!tensor) return Error{ErrorCode::mismatch, fmt::format("{}: missing", name)};
        if (tensor->shape() != shape)
            return Error{ErrorCode::mismatch,
                         fmt::format("{}: shape {}, expected {}", name, to_string(tensor->shape()), to_string(shape))};
        Dtype const type = tensor->dtype();
        if (type != Dtype::f16 && type != Dtype::bf16 && type != Dtype::f32 && type != Dtype::f64)
            return Error{ErrorCode::unsupported, fmt::format("{}: type {} is not floating-point", name, name_of(type))};
        bool const variance = name.ends_with("normalizer.running_var");
        std::span<R> const values = parameters.at(slice);
        for (std::size_t i = 0; i < values.size(); ++i) {
            double const value = tensor->as_double(i);
            values[i] = static_cast<R>(value);
            if (!std::isfinite(values[i]))
                return Error{ErrorCode::invalid_value, fmt::format("{}: entry {} is {}", name, i, value)};
            if (variance && value < 0)
                return Error{ErrorCode::invalid_value,
                             fmt::format("{}: entry {} is {}, a variance cannot be negative", name, i, value)};
        }
    }
    if (file.tensors().size() == parameters.entries().size()) return {};
    std::set<std::string_view> known;
    for (auto const& entry : parameters.entries()) known.insert(entry.name);
    for (auto const& [name, tensor] : file.tensors())
        if (!known.contains(name))
            return Error{ErrorCode::mismatch,
                         fmt::format("{}: no such tensor in this kind of policy", printable(name))};
    return {};
}

template <class R> TensorFile save_parameters(PolicyInfo const& info, nn::Parameters<R> const& parameters) {
    TensorFile file;
    for (auto const& entry : parameters.entries()) {
        std::span<R const> const values = parameters.at(entry.slice);
        if constexpr (std::same_as<R, float>)
            file.tensors.emplace(entry.name, Tensor::from_floats(entry.shape, values));
        else
            file.tensors.emplace(entry.name, Tensor::from_doubles(Dtype::f64, entry.shape, values));
    }
    file.metadata = {{"env_name", info.problem},
                     {"num_heads", fmt::format("{}", info.heads)},
                     {"normalization", info.normalization},
                     {"use_graph_context", info.graph_context ? "true" : "false"},
                     {"tanh_clipping", fmt::format("{}", info.tanh_clipping)},
                     {"temperature", fmt::format("{}", info.temperature)},
                     {"scaling_factor", fmt::format("{}", info.scaling_factor)}};
    if (info.lookahead_mask) file.metadata.emplace("lookahead_mask", "true");
    if (info.stepwise) file.metadata.emplace("stepwise", "true");
    if (!info.size.empty()) file.metadata.emplace("size", info.size);
    return file;
}

template Result<void> load_parameters(WeightFile const&, nn::Parameters<float>&);
template Result<void> load_parameters(WeightFile const&, nn::Parameters<double>&);
template TensorFile save_parameters(PolicyInfo const&, nn::Parameters<float> const&);
template TensorFile save_parameters(PolicyInfo const&, nn::Parameters<double> const&);

} // namespace cax
