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

} // namespace

NameTable<Precision> names_of(Precision) { return precisions; }
NameTable<DecodeMode> names_of(DecodeMode) { return decode_modes; }

void describe(OptionTable& table, DecodeOptions& options) {
    table.choice("decode", options.mode, "How the policy is followed");
    table.value("samples", options.samples, "n", "Attempts of --decode sample").range(1, 1'000'000);
    table.choice("encode", options.state.encode,
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
