#include "random_policy.hpp"

#include "cax/core/rng.hpp"

#include <cassert>
#include <cmath>
#include <vector>

namespace cax::test {
namespace {

/// Adds parameters one after the other; the position in that order names the random stream of each.
class Builder {
public:
    Builder(RandomPolicy const& shape, std::uint64_t seed) : shape_(shape), seed_(seed) {}

    void uniform(std::string const& name, Shape const& shape, double low, double high) {
        Rng rng(seed_, next_stream_++);
        std::vector<float> values(*checked_element_count(shape));
        for (float& value : values) value = static_cast<float>(rng.uniform(low, high));
        file_.tensors[name] = Tensor::from_floats(shape, values);
    }

    /// Weights spread as usual for their number of inputs; `gain` scales them.
    void linear(std::string const& name, std::size_t out, std::size_t in, bool bias, double gain = 1) {
        double const spread = gain / std::sqrt(static_cast<double>(in));
        uniform(name + ".weight", {out, in}, -spread, spread);
        if (bias) uniform(name + ".bias", {out}, -0.2, 0.2);
    }

    void norm(std::string const& name) {
        if (shape_.normalization == "layer") return; // has no parameters
        std::string const prefix = name + ".normalizer.";
        uniform(prefix + "weight", {shape_.embed_dim}, 0.5, 1.5);
        uniform(prefix + "bias", {shape_.embed_dim}, -0.5, 0.5);
        if (shape_.normalization != "batch") return;
        uniform(prefix + "running_mean", {shape_.embed_dim}, -0.3, 0.3);
        uniform(prefix + "running_var", {shape_.embed_dim}, 0.5, 2);
        std::int64_t const batches = 1;
        file_.tensors[prefix + "num_batches_tracked"] = Tensor::from_ints(Dtype::i64, {}, {&batches, 1});
    }

    void tensor(std::string const& name, Tensor value) { file_.tensors[name] = std::move(value); }

    TensorFile finish(std::string_view problem, std::string_view policy) && {
        auto& metadata = file_.metadata;
        metadata["env_name"] = problem;
        metadata["policy"] = policy;
        metadata["num_heads"] = std::to_string(shape_.heads);
        metadata["normalization"] = shape_.normalization;
        metadata["use_graph_context"] = shape_.graph_context ? "true" : "false";
        metadata["tanh_clipping"] = "10.0";
        metadata["temperature"] = "1.0";
        if (problem == "fjsp") metadata["scaling_factor"] = "1000.0";
        if (problem == "knapsack") metadata["stepwise"] = "true";
        if (!shape_.size.empty()) metadata["size"] = shape_.size;
        return std::move(file_);
    }

private:
    RandomPolicy const& shape_;
    std::uint64_t seed_;
    std::uint32_t next_stream_ = 0;
    TensorFile file_;
};

/// What an attention network of the problem reads.
struct Inputs {
    std::size_t depot = 2; ///< 0: all nodes have the same embedding
    std::size_t customer = 3;
    std::size_t context = 1;
    bool free_start = false;
    bool placeless = false;
    double gain = 1; ///< of the first weights
};
Inputs inputs_of(std::string_view problem) {
    // Coordinates to 150 and times to 480 go in as they are: small first weights keep the softmax away from one-hot.
    if (problem == "cvrptw") return {.customer = 6, .context = 2, .gain = 0.01};
    if (problem == "pctsp") return {.customer = 4};
    if (problem == "tsp") return {.depot = 0, .customer = 2, .context = 0, .free_start = true};
    if (problem == "tsptw") return {.depot = 0, .customer = 4};
    if (problem == "knapsack") return {.depot = 0, .context = 2, .placeless = true};
    return {};
}

TensorFile attention_policy(std::string_view problem, RandomPolicy const& shape, std::uint64_t seed) {
    Builder add(shape, seed);
    std::size_t const E = shape.embed_dim;
    Inputs const inputs = inputs_of(problem);
    if (inputs.depot > 0) add.linear("encoder.init_embedding.init_embed_depot", E, inputs.depot, true, inputs.gain);
    add.linear("encoder.init_embedding.init_embed", E, inputs.customer, true, inputs.gain);
    for (std::size_t l = 0; l < shape.layers; ++l) {
        std::string const layer = "encoder.net.layers." + std::to_string(l);
        add.linear(layer + ".0.module.Wqkv", 3 * E, E, true);
        add.linear(layer + ".0.module.out_proj", E, E, true);
        add.norm(layer + ".1");
        add.linear(layer + ".2.module.lins.0", 4 * E, E, true);
        add.linear(layer + ".2.module.lins.1", E, 4 * E, true);
        add.norm(layer + ".3");
    }
    std::size_t const shown = inputs.free_start ? 2 * E : inputs.placeless ? 0 : E;
    add.linear("decoder.context_embedding.project_context", E, shown + inputs.context, false);
    if (inputs.free_start) add.uniform("decoder.context_embedding.W_placeholder", {shown}, -1, 1);
    add.linear("decoder.project_node_embeddings", 3 * E, E, false);
    add.linear("decoder.project_fixed_context", E, E, false);
    add.linear("decoder.pointer.project_out", E, E, false);
    return std::move(add).finish(problem, "AttentionModelPolicy");
}

Tensor positional_encoding(std::size_t positions, std::size_t width) {
    std::vector<float> values(positions * width);
    for (std::size_t k = 0; k < positions; ++k) {
        for (std::size_t c = 0; c < width; ++c) {
            double const even = static_cast<double>(c - c % 2);
            double const angle =
                static_cast<double>(k) * std::exp(-even * std::log(10000.0) / static_cast<double>(width));
            values[k * width + c] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return Tensor::from_floats({1, positions, width}, values);
}

void add_matnet_side(Builder& add, std::string const& layer, std::string const& side, std::size_t E) {
    add.linear(layer + side + "_attn.Wqkv", 3 * E, E, false);
    add.linear(layer + side + "_attn.out_proj", E, E, false);
    add.norm(layer + side + "_norm");
    add.norm(layer + side + "_ffn.ops.norm1");
    add.norm(layer + side + "_ffn.ops.norm2");
    add.linear(layer + side + "_ffn.ops.ffn.0", 2 * E, E, true);
    add.linear(layer + side + "_ffn.ops.ffn.2", E, 2 * E, true);
}

TensorFile matnet_policy(RandomPolicy const& shape, std::uint64_t seed) {
    Builder add(shape, seed);
    std::size_t const E = shape.embed_dim;
    add.linear("encoder.init_embedding.init_ops_embed", E, 5, false);
    add.linear("encoder.init_embedding.init_ma_embed", E, 1, false);
    add.tensor("encoder.init_embedding.pos_encoder.pe", positional_encoding(1000, E));
    for (std::size_t l = 0; l < shape.layers; ++l) {
        std::string const layer = "encoder.layers." + std::to_string(l) + ".";
        add.linear(layer + "cross_attn.Wqv1", 2 * E, E, false);
        add.linear(layer + "cross_attn.Wkv2", 2 * E, E, false);
        add.linear(layer + "cross_attn.mixed_scores_layer.lin1", E, 2 * shape.heads, false);
        add.linear(layer + "cross_attn.mixed_scores_layer.lin2", shape.heads, E, false);
        add.linear(layer + "cross_attn.out_proj1", E, E, false);
        add.linear(layer + "cross_attn.out_proj2", E, E, false);
        add_matnet_side(add, layer, "op", E);
        add_matnet_side(add, layer, "ma", E);
    }
    add.linear("decoder.context_embedding.proj_busy", E, 1, false);
    add.linear("decoder.dynamic_embedding.project_node_step", 3 * E, 2, false);
    add.linear("decoder.dynamic_embedding.project_edge_step", 3, 1, false);
    add.linear("decoder.project_node_embeddings", 3 * E, E, false);
    add.linear("decoder.project_fixed_context", E, E, false);
    add.linear("decoder.pointer.project_out", E, E, false);
    add.uniform("decoder.dummy", {1, E}, -1, 1);
    return std::move(add).finish("fjsp", "L2DAttnPolicy");
}

} // namespace

TensorFile random_policy(std::string_view problem, RandomPolicy const& shape, std::uint64_t seed) {
    assert(shape.embed_dim % shape.heads == 0);
    return problem == "fjsp" ? matnet_policy(shape, seed) : attention_policy(problem, shape, seed);
}

TensorFile random_policy(std::string_view problem, std::size_t embed_dim, std::size_t layers, std::uint64_t seed) {
    return random_policy(problem, {.embed_dim = embed_dim, .layers = layers}, seed);
}

} // namespace cax::test
