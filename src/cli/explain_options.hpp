#pragma once
// The options of `cax explain`: what may be written on the command line, and what it means to the library.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/explanation.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cax::cli {

struct ExplainCommand {
    std::string policy;
    std::string instances;
    std::size_t instance = 0;
    std::string step;
    std::string parts = "attribution,counterfactual,subset";
    std::string backend = "lp";
    std::string aggregate = "mean";
    Certification certify = Certification::prefix;
    Acceptance accept = Acceptance::empirical;
    bool no_refine = false;
    bool primitive = false;
    std::vector<std::string> fixed;
    bool keep_units = false;
    bool brief = false;
    Precision precision = Precision::float32;
    std::vector<std::string> read;
    std::string json;
    std::string html;
    ExplainOptions explain;
};

void add_explain_options(CLI::App& command, ExplainCommand& options);

/// What the library is asked. Error if a word is not understood, or the problem has no such tensor.
[[nodiscard]] Result<ExplainOptions> explain_options(ExplainCommand const& options, ProblemInfo const& info);

/// Every option that can change the result.
[[nodiscard]] Json explain_settings(ExplainCommand const& options);

} // namespace cax::cli
