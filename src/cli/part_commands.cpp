// `cax swap`, `cax sensitivity`, ...: one part of an explanation, asked about each decision of many instances. A command
// for every part of the list that has words for one.
#include "command.hpp"
#include "common_options.hpp"
#include "explanation_text.hpp"
#include "must.hpp"
#include "progress_bar.hpp"

#include "cax/app/explain.hpp"
#include "cax/core/json.hpp"

#include <fmt/format.h>

namespace cax::cli {
namespace {

constexpr std::size_t steps_shown = 12;

template <class Part> struct AskCommand {
    AskCommand() { request.parts = ChosenParts::of<Part>(); }

    PolicyInputs inputs;
    ExplanationRequest request;
};

template <class Part> void describe(OptionTable& table, AskCommand<Part>& command) {
    describe(table, command.inputs);
    csv_option(table, command.inputs.csv);
    describe(table, command.request.decisions);
    Part::describe(table, command.request.template of<Part>());
}

/// What was found about the instances, in words as far as there is room and as entries of "cells".
struct Answers {
    Json cells = Json::array();
    std::string text;
    std::size_t decisions = 0;

    void add(Explanation const& explanation, std::size_t instance, std::string_view part) {
        for (Step const& step : explanation.steps) {
            cells.push_back(app::answer_json(explanation, step, instance, part));
            if (decisions++ < steps_shown) text += decision_text(fmt::format("instance {}", instance), step);
        }
    }
};

template <class Part> Answers ask(AskCommand<Part>& command, Loaded const& loaded) {
    auto const options = explain_options(command.request, command.inputs, loaded);
    StateOptions const state = command.request.decisions.state_options();
    Policy const& policy = *loaded.policy.policy;
    std::size_t const count = loaded.file.instances.size();
    ProgressBar bar("asking");
    auto const progress = bar.callback();
    Answers answers;
    for (std::size_t i = 0; i < count; ++i) {
        std::string const where = fmt::format("{}: instance {}", command.inputs.instances, loaded.numbers[i]);
        auto const episode = must(app::episode_of(policy, loaded.file.instances[i], state), where);
        answers.add(must(explain(policy, episode, options), where), loaded.numbers[i], Part::name);
        if (progress) progress(i + 1, count);
    }
    return answers;
}

template <class Part> void run(AskCommand<Part>& command) {
    auto const loaded = load(command.inputs);
    fmt::print("{}\n{}", loaded.heading(), loaded.notes_text());
    Answers answers = ask(command, loaded);
    fmt::print("{}", answers.text);
    if (answers.decisions > steps_shown)
        fmt::print("\n... and {} more decisions (--json has them all)\n", answers.decisions - steps_shown);
    fmt::print("{:.2f} s\n", loaded.stopwatch.seconds());
    Json json = result_of(Part::name, Part::name, command.inputs, loaded, table_of(command).json());
    json["problem"] = loaded.info().name;
    json["families"] = loaded.info().families;
    json["cells"] = std::move(answers.cells);
    write_result(command.inputs, json);
}

} // namespace

std::vector<Command> part_commands() {
    std::vector<Command> commands;
    Parts::each([&]<class Part> {
        if constexpr (Part::command) {
            commands.push_back(make_command<AskCommand<Part>>({.name = std::string(Part::name),
                                                               .summary = std::string(Part::command->summary),
                                                               .paragraph = std::string(Part::command->paragraph),
                                                               .footer = fmt::format("Examples:\n{}",
                                                                                     Part::command->examples)}));
        }
    });
    return commands;
}

} // namespace cax::cli
