// `cax regret`: where the gap of plans went.
#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "plan_option.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/app/explain.hpp"
#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::cli {
namespace {

constexpr std::size_t instances_shown = 6;

struct RegretCommand {
    RegretCommand() { request.parts = ChosenParts::of<parts::Regret>(); }

    PolicyInputs inputs;
    ExplanationRequest request;
    std::string solution;
};

void describe(OptionTable& table, RegretCommand& command) {
    describe(table, command.inputs);
    csv_option(table, command.inputs.csv);
    plan_option(table, command.solution);
    table.choose({"encode"}, command.request.decisions);
    parts::Regret::describe(table, command.request.of<parts::Regret>());
}

std::string range_text(cax::Range const& range) {
    if (range.low == range.high) return number_words(range.low);
    return std::isfinite(range.high) ? fmt::format("{} to {}", number_words(range.low), number_words(range.high))
                                     : fmt::format("at least {}", number_words(range.low));
}

std::string text_of(Explanation const& explanation, std::size_t number) {
    std::string const where = fmt::format("\ninstance {}: ", number);
    ProblemInfo const& info = explanation.instance->problem().info();
    std::string text = fmt::format("{}{} {}", where, info.cost_word, number_words(explanation.report.cost));
    if (!explanation.regret) return fmt::format("{}; no regret: {}\n", text, explanation.no_regret);
    PlanRegret const& found = *explanation.regret;
    text += fmt::format("; best {} ({}), gap {}; {} of {} decisions proved\n", number_words(found.best.cost),
                        found.optimal ? "proved" : "found", range_text(found.gap), found.proved_steps,
                        found.decisions.size());
    Table table({"step", "<decision", "regret", "<status", "<better", "<because of it"});
    for (std::size_t const place : found.ranking()) {
        Step const& step = explanation.steps[place];
        StepRegret const& part = *step.of<parts::Regret>();
        table.add(fmt::format("{}", step.step + 1), printable(step.choice.words), number_words(part.found.estimate),
                  name_of(part.found.status), part.better ? printable(part.better->words) : "", part.consequence);
    }
    return text + (found.ranking().empty() ? "" : table.text());
}

void run(RegretCommand& command) {
    PolicyInputs& inputs = command.inputs;
    auto const loaded = load(inputs);
    if (!command.solution.empty() && loaded.file.instances.size() != 1)
        fail("--solution: a plan is one instance's; name it with --instance");
    auto const options = explain_options(command.request, inputs, loaded);
    Policy const& policy = *loaded.policy.policy;
    StateOptions const state = command.request.decisions.state_options();
    std::optional<ExternalPlan> plan;
    if (!command.solution.empty()) plan = external_plan(command.solution, loaded, inputs.instances);
    fmt::print("{}\n{}", loaded.heading(), loaded.notes_text());
    Json instances = Json::array();
    std::string text;
    {
        ProgressBar bar("proving");
        auto const progress = bar.callback();
        for (std::size_t i = 0; i < loaded.file.instances.size(); ++i) {
            std::string const where = fmt::format("{}: instance {}", inputs.instances, loaded.numbers[i]);
            auto const episode = must(app::episode_of(policy, loaded.file.instances[i], state, plan), where);
            auto const explanation = must(explain(policy, episode, options), where);
            instances.push_back(app::regret_entry(explanation, loaded.numbers[i]));
            if (i < instances_shown) text += text_of(explanation, loaded.numbers[i]);
            if (progress) progress(i + 1, loaded.file.instances.size());
        }
    }
    fmt::print("{}", text);
    if (instances.size() > instances_shown)
        fmt::print("\n... and {} more instances (--json has them all)\n", instances.size() - instances_shown);
    fmt::print("{:.2f} s\n", loaded.stopwatch.seconds());
    Json json = result_of("regret", "regret", inputs, loaded, table_of(command).json());
    json["problem"] = loaded.info().name;
    json["instances"] = std::move(instances);
    write_result(inputs, json);
}

} // namespace

Command regret_command() {
    return make_command<RegretCommand>(
        {.name = "regret",
         .summary = "Where the gap of a plan went: what each decision cost, proved, and what would have been better",
         .paragraph =
             "The regret of a decision is how much dearer the best plan becomes by it; the regrets of a plan add up to "
             "its gap. They are proved by exact methods where these reach (fleets of 50 customers with time windows, "
             "20 without), else they are intervals or estimates, and say so. Proofs are in double precision. "
             "--solution takes a plan that somebody else made.",
         .footer = R"(Examples:
  cax regret models/cvrptw-50-s0.safetensors days.npz --instance 3
  cax regret op.safetensors four.json --json regrets.json --csv tables
  cax regret cvrptw.safetensors town.json --solution planner.sol)"});
}

} // namespace cax::cli
