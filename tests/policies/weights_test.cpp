// Every way in which a weights file can be wrong, and what is said about it.
#include "weights.hpp"

#include "random_policy.hpp"
#include "small_attention.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

constexpr char const* qkv = "encoder.net.layers.1.0.module.Wqkv.weight";

TensorFile good_file() { return test::random_policy("op", {.layers = 2}, 1); }

std::string weights_error(TensorFile const& file) {
    auto const policy = test::policy_from<float>(file);
    return policy ? "no error" : policy.error().message;
}

TEST(Weights, LoadAsTheyAre) {
    auto const policy = test::policy_from<float>(good_file());
    ASSERT_TRUE(policy) << policy.error().message;
    PolicyInfo const& info = (*policy)->info();
    EXPECT_EQ(info.problem, "op");
    EXPECT_EQ(info.network, "attention");
    EXPECT_EQ(info.embed_dim, 16);
    EXPECT_EQ(info.layers, 2);
    EXPECT_EQ(info.heads, 4);
    EXPECT_EQ(info.normalization, "batch");
    EXPECT_TRUE(info.graph_context);
    EXPECT_EQ(info.tanh_clipping, 10);
    EXPECT_EQ(info.temperature, 1);
    // Counted by hand: embeddings 16*(2+1) + 16*(3+1); a layer 48*16+48 + 16*16+16 + 2*32 + 64*16+64 + 16*64+16;
    // decoder 48*16 + 16*16 + 16*17 + 16*16.
    EXPECT_EQ(info.parameters, 112 + 2 * (816 + 272 + 64 + 1088 + 1040) + 1552);
}

TEST(Weights, AreTheSameAfterSavingAndLoading) {
    auto const net = test::small_network<float>({.norm = nn::NormKind::batch}, Rng(3));
    PolicyInfo info = net->info();
    info.normalization = "batch";
    info.size = "20";
    TensorFile const file = save_parameters(info, net->parameters());
    auto const weights = WeightFile::open(file);
    ASSERT_TRUE(weights);
    auto const config = AttentionNetwork<float>::configure(*weights, {});
    ASSERT_TRUE(config) << config.error().message;
    AttentionNetwork<float> copy(*config);
    ASSERT_TRUE(load_parameters(*weights, copy.parameters()));
    EXPECT_TRUE(std::ranges::equal(copy.parameters().values(), net->parameters().values()));
    EXPECT_EQ(copy.info().size, "20");
    EXPECT_EQ(copy.info().heads, 4);
}

TEST(Weights, MayCarryTheKeysOfALightningCheckpoint) {
    TensorFile checkpoint{.tensors = {}, .metadata = good_file().metadata};
    for (auto const& [name, tensor] : good_file().tensors) {
        checkpoint.tensors["policy." + name] = tensor;
        checkpoint.tensors["baseline.policy." + name] = tensor;
    }
    EXPECT_EQ(weights_error(checkpoint), "no error");
}

TEST(Weights, WidenHalfPrecisionExactly) {
    TensorFile file = good_file();
    Tensor& tensor = file.tensors.at(qkv);
    std::vector<double> const halves(tensor.size(), 0.375);
    tensor = Tensor::from_doubles(Dtype::f16, tensor.shape(), halves);
    auto const weights = WeightFile::open(file);
    AttentionNetwork<double> net(*AttentionNetwork<double>::configure(*weights, {}));
    ASSERT_TRUE(load_parameters(*weights, net.parameters()));
    auto const& entries = net.parameters().entries();
    auto const entry = std::ranges::find(entries, qkv, &nn::Parameters<double>::Entry::name);
    ASSERT_NE(entry, entries.end());
    for (double const value : net.parameters().at(entry->slice)) EXPECT_EQ(value, 0.375);
}

TEST(Weights, TakeDefaultsWhereMetadataIsMissing) {
    TensorFile file = test::random_policy("op", {.heads = 8, .normalization = "instance"}, 1);
    file.metadata.clear();
    auto const weights = WeightFile::open(file);
    ASSERT_TRUE(weights);
    EXPECT_EQ(weights->info().problem, "");
    EXPECT_EQ(weights->info().heads, 8);
    EXPECT_EQ(weights->info().normalization, "instance");
    EXPECT_EQ(weights->info().tanh_clipping, 10);
    EXPECT_EQ(weights->info().temperature, 1);
    EXPECT_EQ(weights->info().scaling_factor, 1000);
    EXPECT_TRUE(weights->info().graph_context);
}

TEST(Weights, NameAMissingTensor) {
    TensorFile file = good_file();
    file.tensors.erase("decoder.pointer.project_out.weight");
    EXPECT_EQ(weights_error(file), "decoder.pointer.project_out.weight: missing");
    file = good_file();
    file.tensors.erase("decoder.context_embedding.project_context.weight");
    EXPECT_EQ(weights_error(file), "decoder.context_embedding.project_context.weight: missing");
}

TEST(Weights, NameATensorOfTheWrongShape) {
    TensorFile file = good_file();
    std::vector<float> const values(48 * 17);
    file.tensors[qkv] = Tensor::from_floats({48, 17}, values);
    EXPECT_EQ(weights_error(file), std::string(qkv) + ": shape [48, 17], expected [48, 16]");
}

TEST(Weights, NameATensorThatNobodyReads) {
    TensorFile file = good_file();
    std::vector<float> const values(1);
    file.tensors["decoder.surprise"] = Tensor::from_floats({1}, values);
    EXPECT_EQ(weights_error(file), "decoder.surprise: no such tensor in this kind of policy");
    file.tensors.erase("decoder.surprise");
    file.tensors["decoder.line\nbreak"] = Tensor::from_floats({1}, values);
    EXPECT_EQ(weights_error(file), "decoder.line?break: no such tensor in this kind of policy");
}

TEST(Weights, NameAnEntryThatIsNotFinite) {
    for (double const value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        TensorFile file = good_file();
        std::vector<double> values = file.tensors.at(qkv).to_doubles();
        values[5] = value;
        file.tensors[qkv] = Tensor::from_doubles(Dtype::f32, {48, 16}, values);
        EXPECT_EQ(weights_error(file), std::string(qkv) + ": entry 5 is " + (std::isnan(value) ? "nan" : "inf"));
    }
}

TEST(Weights, NameAnEntryThatFloatCannotHold) {
    TensorFile file = good_file();
    std::vector<double> values = file.tensors.at(qkv).to_doubles();
    values[5] = 1e300;
    file.tensors[qkv] = Tensor::from_doubles(Dtype::f64, {48, 16}, values);
    EXPECT_EQ(weights_error(file), std::string(qkv) + ": entry 5 is 1e+300");
}

TEST(Weights, NameAVarianceThatIsNegative) {
    TensorFile file = good_file();
    char const* const name = "encoder.net.layers.0.1.normalizer.running_var";
    std::vector<double> values = file.tensors.at(name).to_doubles();
    values[2] = -0.5;
    file.tensors[name] = Tensor::from_doubles(Dtype::f32, {16}, values);
    EXPECT_EQ(weights_error(file), std::string(name) + ": entry 2 is -0.5, a variance cannot be negative");
}

TEST(Weights, RefuseIntegerTensors) {
    TensorFile file = good_file();
    std::vector<std::int64_t> const values(48 * 16);
    file.tensors[qkv] = Tensor::from_ints(Dtype::i64, {48, 16}, values);
    EXPECT_EQ(weights_error(file), std::string(qkv) + ": type I64 is not floating-point");
}

TEST(Weights, CheckMetadataNumbers) {
    auto const with = [](std::string const& key, std::string const& value) {
        TensorFile file = good_file();
        file.metadata[key] = value;
        return weights_error(file);
    };
    EXPECT_EQ(with("num_heads", "5"), "metadata num_heads: 5 does not divide the embedding width 16");
    EXPECT_EQ(with("num_heads", "0"), "metadata num_heads: 0 is not positive");
    EXPECT_EQ(with("num_heads", "-2"), "metadata num_heads: \"-2\" is not a whole number");
    EXPECT_EQ(with("num_heads", "4.0"), "metadata num_heads: \"4.0\" is not a whole number");
    EXPECT_EQ(with("num_heads", ""), "metadata num_heads: \"\" is not a whole number");
    EXPECT_EQ(with("temperature", "0"), "metadata temperature: 0 is not positive");
    EXPECT_EQ(with("temperature", "nan"), "metadata temperature: \"nan\" is not a number");
    EXPECT_EQ(with("temperature", "1e999"), "metadata temperature: \"1e999\" is not a number");
    EXPECT_EQ(with("tanh_clipping", "ten"), "metadata tanh_clipping: \"ten\" is not a number");
    EXPECT_EQ(with("scaling_factor", "-1"), "metadata scaling_factor: -1 is not positive");
    EXPECT_EQ(with("use_graph_context", "maybe"), "metadata use_graph_context: \"maybe\" is neither true nor false");
    EXPECT_EQ(with("normalization", "rms"), "metadata normalization: \"rms\" is none of batch, instance, layer");
    EXPECT_EQ(with("use_graph_context", "False"), "no error");
    EXPECT_EQ(with("tanh_clipping", "0"), "no error");
}

TEST(Weights, ContradictTheirNormalization) {
    TensorFile file = good_file();
    file.metadata["normalization"] = "instance"; // but the running statistics are there
    EXPECT_EQ(weights_error(file),
              "encoder.net.layers.0.1.normalizer.running_mean: no such tensor in this kind of policy");
    file = test::random_policy("op", {.normalization = "instance"}, 1);
    file.metadata["normalization"] = "batch";
    EXPECT_EQ(weights_error(file), "encoder.net.layers.0.1.normalizer.running_mean: missing");
}

/// Shapes with no entries cost a file nothing, so they must not make us allocate.
TEST(Weights, RefuseAbsurdSizesBeforeAllocating) {
    auto const empty = [](Shape const& shape) { return *Tensor::from_bytes(Dtype::f32, shape, {}); };
    TensorFile file = good_file();
    file.tensors["encoder.init_embedding.init_embed.weight"] = empty({4096, 0});
    EXPECT_EQ(weights_error(file), "encoder.init_embedding.init_embed.weight: shape [4096, 0], expected a matrix");

    file = good_file();
    std::vector<float> const column(5000);
    file.tensors["encoder.init_embedding.init_embed.weight"] = Tensor::from_floats({5000, 1}, column);
    EXPECT_NE(weights_error(file), "no error");

    file = good_file();
    std::vector<float> const tall(4096), wide(4096 + 8);
    file.tensors["encoder.init_embedding.init_embed.weight"] = Tensor::from_floats({4096, 1}, tall);
    file.tensors["decoder.context_embedding.project_context.weight"] = Tensor::from_floats({1, 4104}, wide);
    for (std::size_t layer = 0; layer < 64; ++layer)
        file.tensors["encoder.net.layers." + std::to_string(layer) + ".x"] = Tensor();
    EXPECT_EQ(weights_error(file).substr(0, 14), "the file holds");

    file = good_file();
    for (std::size_t layer = 0; layer < 100; ++layer)
        file.tensors["encoder.net.layers." + std::to_string(layer) + ".x"] = Tensor();
    EXPECT_EQ(weights_error(file), "100 encoder layers, expected 1..64");
}

TEST(Weights, SayWhatAnObservationLacks) {
    auto const policy = test::policy_from<float>(good_file());
    GraphObservation state = test::random_state(4, Rng(1));
    state.context.pop_back();
    EXPECT_TRUE((*policy)->accepts(state));
    state.customers = Matrix<double>(4, 6);
    EXPECT_EQ((*policy)->accepts(state).error().message,
              "policy for op reads 3 features per node, the observation has 6");
    state = test::random_state(4, Rng(1));
    EXPECT_EQ((*policy)->accepts(state).error().message,
              "policy for op reads 1 numbers of the context, the observation has 2");
    EXPECT_EQ((*policy)->accepts(ScheduleObservation{}).error().message,
              "policy for op (attention network) reads another kind of observation");
}

} // namespace
} // namespace cax
