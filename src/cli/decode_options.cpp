#include "decode_options.hpp"

#include <CLI/CLI.hpp>

namespace cax::cli {

std::map<std::string, DecodeMode> const& decode_words() {
    static std::map<std::string, DecodeMode> const words{
        {"greedy", DecodeMode::greedy}, {"multistart", DecodeMode::multistart}, {"sample", DecodeMode::sample}};
    return words;
}

std::string_view name_of(DecodeMode mode) {
    switch (mode) {
    case DecodeMode::greedy: return "greedy";
    case DecodeMode::multistart: return "multistart";
    case DecodeMode::sample: return "sample";
    }
    return "";
}

std::string_view name_of(EncodeMode mode) { return mode == EncodeMode::once ? "once" : "each-step"; }

void add_samples(CLI::App& command, std::size_t& samples) {
    command.add_option("--samples", samples, "Attempts of --decode sample")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("n")
        ->capture_default_str();
}

void add_encode(CLI::App& command, EncodeMode& encode) {
    std::map<std::string, EncodeMode> const words{{"once", EncodeMode::once}, {"each-step", EncodeMode::each_step}};
    command.add_option("--encode", encode, "Run the encoder once or each-step")
        ->transform(CLI::CheckedTransformer(words).description(""))
        ->type_name("WORD")
        ->default_str("once");
}

} // namespace cax::cli
