#pragma once
// Options that several subcommands share, declared once so that they have one name, one meaning and one help text.
#include "cax/policies/policy.hpp"
#include "cax/problems/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cax::cli {

void add_seed(CLI::App& command, std::uint64_t& seed);
void add_threads(CLI::App& command, std::size_t& threads);
void add_limit(CLI::App& command, std::size_t& limit);
void add_json(CLI::App& command, std::string& path);
void add_precision(CLI::App& command, Precision& precision);
/// --read key=value: options of a text reader.
void add_reader_options(CLI::App& command, std::vector<std::string>& pairs);

/// "a=1", "b=2" to a map. Error names the one without '='.
[[nodiscard]] Result<Options> parse_pairs(std::vector<std::string> const& pairs, std::string_view option);

/// "float" or "double".
[[nodiscard]] std::string_view precision_name(Precision precision);

} // namespace cax::cli
