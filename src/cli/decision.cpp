// `cax swap`, `cax sensitivity` and `cax alternatives`: one question about each decision of many instances.
#include "command.hpp"
#include "common_options.hpp"
#include "explanation_text.hpp"
#include "must.hpp"
#include "progress_bar.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/requests.hpp"
#include "cax/records/decision.hpp"

#include <fmt/format.h>

namespace cax::cli {
namespace {

constexpr std::size_t steps_shown = 12;

/// What the three have in common; which of them it is, `kind` says.
struct DecisionCommand {
    PolicyInputs inputs;
    DecisionChoice decisions;
    SensitivityOptions sensitivity;
    std::uint64_t reference = ReferenceOptions{}.decisions;
    PricingOptions pricing;
};

struct SwapCommand : DecisionCommand {
    static constexpr char const* kind = "swap";
    static constexpr auto asked = &ExplainOptions::swap;
    void describe_own(OptionTable&) {}
    static Json answer(ProblemInfo const& info, Step const& step) { return records::swap_json(info, *step.swap); }
};
struct SensitivityCommand : DecisionCommand {
    static constexpr char const* kind = "sensitivity";
    static constexpr auto asked = &ExplainOptions::sensitivity;
    void describe_own(OptionTable& table) {
        describe(table, sensitivity);
        table.value("reference", reference, "n", "Decisions of the same policy that each is compared with; 0 = none");
    }
    static Json answer(ProblemInfo const& info, Step const& step) {
        return records::sensitivity_json(info, *step.sensitivity);
    }
};
struct AlternativesCommand : DecisionCommand {
    static constexpr char const* kind = "alternatives";
    static constexpr auto asked = &ExplainOptions::alternatives;
    void describe_own(OptionTable& table) { describe(table, pricing); }
    static Json answer(ProblemInfo const& info, Step const& step) {
        return records::alternatives_json(info, *step.alternatives);
    }
};

template <std::derived_from<DecisionCommand> Command> void describe(OptionTable& table, Command& command) {
    describe(table, command.inputs);
    csv_option(table, command.inputs.csv);
    describe(table, command.decisions);
    command.describe_own(table);
}

template <class Command> ExplainOptions options_of(Command const& command, Loaded const& loaded) {
    ExplainOptions options;
    options.attribution = options.counterfactual = options.subset = options.swap = options.sensitivity =
        options.forbidden = options.alternatives = options.thumb = options.story = false;
    options.*Command::asked = true;
    options.steps = command.decisions.steps;
    options.first_steps = command.decisions.first;
    options.state_options = command.decisions.state_options();
    options.sensitivities = command.sensitivity;
    options.pricing = command.pricing;
    options.seed = command.inputs.seed;
    options.threads = command.inputs.threads;
    add_reference(options, command.reference, loaded.policy);
    return options;
}

template <class Command> Json decision_json(ProblemInfo const& info, std::size_t instance, Step const& step) {
    return {{"instance", instance},
            {"step", step.step},
            {"action", step.choice.action},
            {"words", step.choice.words},
            {"probability", *step.choice.probability},
            {Command::kind, Command::answer(info, step)}};
}

template <std::derived_from<DecisionCommand> Command> void run(Command& command) {
    auto const loaded = load(command.inputs);
    auto const options = options_of(command, loaded);
    fmt::print("{}\n{}", loaded.heading(), loaded.notes_text());
    Json decisions = Json::array();
    std::size_t shown = 0;
    std::size_t const count = loaded.file.instances.size();
    std::string text;
    {
        ProgressBar bar("asking");
        auto const progress = bar.callback();
        for (std::size_t i = 0; i < count; ++i) {
            std::string const where = fmt::format("instance {}", loaded.numbers[i]);
            auto const explanation = must(explain(*loaded.policy.policy, loaded.file.instances[i], options),
                                          fmt::format("{}: {}", command.inputs.instances, where));
            for (Step const& step : explanation.steps) {
                decisions.push_back(decision_json<Command>(loaded.info(), loaded.numbers[i], step));
                if (shown++ < steps_shown) text += decision_text(where, step);
            }
            if (progress) progress(i + 1, count);
        }
    }
    fmt::print("{}", text);
    if (shown > steps_shown) fmt::print("\n... and {} more decisions (--json has them all)\n", shown - steps_shown);
    fmt::print("{:.2f} s\n", loaded.stopwatch.seconds());
    Json json = result_of(Command::kind, Command::kind, command.inputs, loaded, table_of(command).json());
    json["problem"] = loaded.info().name;
    json["families"] = loaded.info().families;
    json["cells"] = std::move(decisions);
    write_result(command.inputs, json);
}

} // namespace

Command swap_command() {
    return make_command<SwapCommand>(
        {.name = "swap",
         .summary = "Why this action rather than the next best: whose data decided it",
         .paragraph =
             "Exchanges the data of one constraint family between the chosen node and the next best one, asks the "
             "policy again, and divides its lead among the families (exact Shapley values, no random numbers). "
             "Rules stay as they are.",
         .footer = R"(Examples:
  cax swap op.safetensors four.json --steps 3
  cax swap op.safetensors four.json --json swaps.json)"});
}

Command sensitivity_command() {
    return make_command<SensitivityCommand>(
        {.name = "sensitivity",
         .summary = "Whose data, if wrong, would upset a decision, and is that unusual",
         .paragraph =
             "Adds noise to the open data of one constraint family at a time, applies the rules to the wrong data, "
             "and measures how far the policy's probabilities move and how often it decides otherwise. What is "
             "unusual is told by a reference table of the same policy's decisions, measured once and kept in "
             "the user's cache.",
         .footer = R"(Examples:
  cax sensitivity op.safetensors four.json --step 3
  cax sensitivity op.safetensors four.json --noise-shots 64 --json sensitivity.json)"});
}

Command alternatives_command() {
    return make_command<AlternativesCommand>(
        {.name = "alternatives",
         .summary = "Every action of a decision: allowed or forbidden by which rule, how probable, and what it costs",
         .paragraph =
             "For each decision a table of all actions. A cost is that of the whole plan if the action is taken and "
             "the rest is done well: proved by an exact method, found by a search, or the policy's own "
             "completion; each says which. A regret is given only where costs are proved.",
         .footer = R"(Examples:
  cax alternatives op.safetensors four.json --step 3
  cax alternatives cvrptw.safetensors town.json --step 1 --regret search --search-work 2e4 --json prices.json)"});
}

} // namespace cax::cli
