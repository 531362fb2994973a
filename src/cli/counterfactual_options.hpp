#pragma once
// The options of `cax counterfactual`: as typed, and as the library understands them.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/answer.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cax::cli {

struct CounterfactualCommand {
    std::string policy;
    std::string instances;
    std::size_t shots = 128;
    std::optional<std::string> state;
    std::optional<std::string> certify;
    std::map<std::string, double> bounds; ///< by option: --fleet, --horizon, ...
    std::string norm = "l1";
    std::vector<std::string> budgets;
    std::vector<std::string> boxes;
    std::vector<std::string> fixed;
    bool joint = false;
    bool integer = false;
    bool primitive = false;
    bool published = false;
    bool refine = false;
    bool per_family = false;
    bool wachter = false;
    bool plain_loop = false;
    bool conflict = false;
    std::optional<std::size_t> towards;
    std::size_t count = 1;
    std::uint64_t work = CertifyOptions{}.work;
    double seconds = CertifyOptions{}.seconds;
    std::optional<std::size_t> step;
    std::size_t steps = 0;
    std::size_t limit = 0;
    std::uint64_t seed = 0;
    std::size_t threads = 0;
    Precision precision = Precision::float32;
    std::vector<std::string> read;
    std::string json;
};

void declare_options(CLI::App& app, CounterfactualCommand& command);

/// Error if the options contradict each other or name what the problem does not have.
[[nodiscard]] Result<CounterfactualRequest> counterfactual_request(CounterfactualCommand const& command,
                                                                   ProblemInfo const& info);

/// --primitive, wherever it is typed: what the instance really contains, a few entries at a time.
void move_primitives(CounterfactualOptions& options);

[[nodiscard]] Json settings_json(CounterfactualCommand const& command, CounterfactualRequest const& request,
                                 ProblemInfo const& info);

} // namespace cax::cli
