#include "common_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace cax::cli {

void add_seed(CLI::App& command, std::uint64_t& seed) {
    command.add_option("--seed", seed, "Names every random number; the same seed gives the same result")
        ->type_name("S")
        ->capture_default_str();
}

void add_threads(CLI::App& command, std::size_t& threads) {
    command.add_option("--threads", threads, "Threads to use, 0 = all cores; never changes the result")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("n")
        ->capture_default_str();
}

void add_limit(CLI::App& command, std::size_t& limit) {
    command.add_option("--limit", limit, "Only the first B instances of the file")
        ->type_name("B")
        ->check(CLI::Range(1, std::numeric_limits<int>::max()).description(""));
}

void add_json(CLI::App& command, std::string& path) {
    command.add_option("--json", path, "Also write the result here, for machines")->type_name("FILE");
}

void add_precision(CLI::App& command, Precision& precision) {
    std::map<std::string, Precision> const words{{"float", Precision::float32}, {"double", Precision::float64}};
    command.add_option("--precision", precision, "What the network computes in: float or double")
        ->transform(CLI::CheckedTransformer(words).description(""))
        ->type_name("WORD")
        ->default_str("float");
}

void add_reader_options(CLI::App& command, std::vector<std::string>& pairs) {
    command.add_option("--read", pairs, "Option of a text format's reader, as key=value; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
}

Result<Options> parse_pairs(std::vector<std::string> const& pairs, std::string_view option) {
    Options options;
    for (std::string const& pair : pairs) {
        auto const equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            return Error{ErrorCode::invalid_value, fmt::format("{}: '{}' is not key=value", option, pair)};
        }
        options[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    return options;
}

std::string_view precision_name(Precision precision) { return precision == Precision::float64 ? "double" : "float"; }

} // namespace cax::cli
