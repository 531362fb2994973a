#include "cax/core/options.hpp"
#include "cax/policies/decode.hpp"
#include "cax/policies/trainable.hpp"

namespace cax {
namespace {

constexpr std::array precisions{Named<Precision>{Precision::float32, "float"},
                                Named<Precision>{Precision::float64, "double"}};
constexpr std::array decode_modes{
    Named<DecodeMode>{DecodeMode::greedy, "greedy", "the most probable action"},
    Named<DecodeMode>{DecodeMode::multistart, "multistart", "one greedy attempt per first move, best kept"},
    Named<DecodeMode>{DecodeMode::sample, "sample", "random attempts, best kept"}};
constexpr std::array encode_modes{
    Named<EncodeMode>{EncodeMode::once, "once", "on the state at the start, as in rl4co's own loop"},
    Named<EncodeMode>{EncodeMode::each_step, "each-step", "on the state as it is at every step"}};

} // namespace

NameTable<Precision> names_of(Precision) { return precisions; }
NameTable<DecodeMode> names_of(DecodeMode) { return decode_modes; }
NameTable<EncodeMode> names_of(EncodeMode) { return encode_modes; }

void describe(OptionTable& table, DecodeOptions& options) {
    table.choice("decode", options.mode, "How the policy is followed");
    table.value("samples", options.samples, "n", "Attempts of --decode sample").range(1, 1'000'000);
    table.choice("encode", options.encode,
                 "What the encoder sees, where its inputs change during an episode (scheduling)");
}

void describe(OptionTable& table, NetworkDesign& design) {
    table.group("Network");
    table.value("embedding", design.embed_dim, "n", "Width of the network");
    table.value("layers", design.layers, "n", "Encoder layers");
    table.value("heads", design.heads, "n", "Attention heads");
    table.value("scaling-factor", design.scaling_factor, "F", "Scheduling: times are divided by it");
    table.group("");
}

} // namespace cax
