#pragma once
// What subcommands have in common: options that several share, described once so that they have one name, one meaning
// and one help text; and POLICY INSTANCES with all that goes with them, described and loaded once.
#include "cax/app/load.hpp"
#include "cax/core/json_fwd.hpp"
#include "cax/core/options.hpp"
#include "cax/explain/explanation_request.hpp"
#include "result_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cax::cli {

inline constexpr char const* common_group = "Common options";

inline constexpr char const* seed_help = "Names every random number; the same seed gives the same result";

Option& seed_option(OptionTable& table, std::uint64_t& seed);
Option& threads_option(OptionTable& table, std::size_t& threads);
Option& json_option(OptionTable& table, std::string& path);
/// Of commands that explain: see write_result().
Option& csv_option(OptionTable& table, std::string& folder);

/// Of every subcommand that follows a policy.
struct PolicyInputs : app::LoadOptions {
    std::string policy;
    std::string policy_command; ///< in place of a file
    std::string instances;
    std::uint64_t seed = 0;
    std::size_t threads = 0;
    std::string json; ///< where the result is written; may be empty
    std::string csv;  ///< a folder for its tables; may be empty

    [[nodiscard]] bool wants_result() const { return !json.empty() || !csv.empty(); }
};
/// POLICY, INSTANCES, --policy-command, --instance, --limit, --seed, --threads, --precision,
/// --keep-units, --read, --json.
void describe(OptionTable& table, PolicyInputs& inputs);

/// Of a subcommand that asks something of the decisions of many instances.
template <class Request> struct CellsCommand {
    PolicyInputs inputs;
    DecisionChoice decisions;
    Request request;
};
template <class Request> void describe(OptionTable& table, CellsCommand<Request>& command) {
    describe(table, command.inputs);
    csv_option(table, command.inputs.csv);
    describe(table, command.decisions);
    describe(table, command.request);
    // The paper's equations ask the policy about the state as it is, and its published code does so, too.
    for (char const* const preset : {"paper", "published"}) {
        table.find(preset)->then([&decisions = command.decisions] { decisions.encode = EncodeMode::each_step; });
    }
}

/// A policy and the instances that were asked for.
struct Loaded : app::Loaded {
    Stopwatch stopwatch; ///< since the files were opened

    /// "4 op instances of size 20".
    [[nodiscard]] std::string heading() const { return app::instances_in_words(file.instances); }
    /// A line for each thing that a reader of the numbers has to know.
    [[nodiscard]] std::string notes_text() const;
};
/// Fails if there is no such instance, or the policy cannot read it. With a policy command the one argument that is
/// there is the instance file: it moves to where it belongs.
[[nodiscard]] Loaded load(PolicyInputs& inputs);

/// The decisions of these instances that were chosen.
struct Decided {
    std::vector<Episode> episodes; ///< one per instance, with its chosen decisions
    std::vector<Decision> decisions; ///< those of all, one after another
};
[[nodiscard]] Decided decide(Loaded const& loaded, DecisionChoice const& choice);

/// app::explain_options(), with a bar.
[[nodiscard]] ExplainOptions explain_options(ExplanationRequest& request, PolicyInputs const& inputs,
                                             Loaded const& loaded);

/// The head of a result (cax/app/result.hpp).
[[nodiscard]] Json result_of(std::string_view kind, std::string_view command, PolicyInputs const& inputs,
                             Loaded const& loaded, Json settings);
/// Where --json and --csv say.
void write_result(PolicyInputs const& inputs, Json const& result);

} // namespace cax::cli
