#pragma once
// The options that say how a policy is decoded, shared by the subcommands that let a policy solve instances.
#include "cax/policies/decode.hpp"

#include <map>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace cax::cli {

/// The words of --decode.
[[nodiscard]] std::map<std::string, DecodeMode> const& decode_words();
[[nodiscard]] std::string_view name_of(DecodeMode mode);
[[nodiscard]] std::string_view name_of(EncodeMode mode);

/// What the words of --decode mean, for its help.
inline constexpr char const* decode_help =
    "greedy: the most probable action; multistart: one greedy attempt per first move, best kept; sample: random "
    "attempts, best kept";

void add_samples(CLI::App& command, std::size_t& samples);
void add_encode(CLI::App& command, EncodeMode& encode);

} // namespace cax::cli
