// Questions about single decisions, whole results as tables, and what a study found.
#include "run.hpp"
#include "values.hpp"

#include "cax/app/reference.hpp"
#include "cax/core/json.hpp"
#include "cax/explain/requests.hpp"
#include "cax/records/decision.hpp"
#include "cax/records/explanation.hpp"
#include "cax/records/tables.hpp"
#include "cax/study/plan.hpp"
#include "cax/study/tables.hpp"

#include <cmath>
#include <pybind11/stl.h>

namespace cax::python {
namespace {

/// One part of an explanation, with the options that the command of its name has.
struct Question {
    std::string part;
    SensitivityOptions sensitivity;
    std::uint64_t reference = ReferenceOptions{}.decisions;
    PricingOptions pricing;
};

Question question_of(std::string const& part) {
    Question question;
    question.part = part;
    return question;
}

void describe(OptionTable& table, Question& question) {
    if (question.part == "sensitivity") {
        describe(table, question.sensitivity);
        table.value("reference", question.reference, "n", "Decisions of the same policy to compare with; 0 = none");
    }
    if (question.part == "alternatives") describe(table, question.pricing);
}

ExplainOptions nothing_but(std::string const& part) {
    ExplainOptions options;
    options.attribution = options.counterfactual = options.subset = options.story = false;
    options.swap = part == "swap";
    options.sensitivity = part == "sensitivity";
    options.forbidden = part == "forbidden";
    options.alternatives = part == "alternatives";
    options.thumb = part == "thumb";
    return options;
}

Json part_json(Instance const& instance, Step const& step) {
    ProblemInfo const& info = instance.problem().info();
    if (step.swap) return records::swap_json(info, *step.swap);
    if (step.sensitivity) return records::sensitivity_json(info, *step.sensitivity);
    if (step.forbidden) return records::forbidden_json(info, *step.forbidden);
    if (step.alternatives) return records::alternatives_json(info, *step.alternatives);
    return records::thumb_json(instance.problem(), *step.thumb);
}

Json decision_json(std::size_t step, Decision const& decision, std::string const& part, Json answer) {
    return {{"instance", 0},
            {"step", step},
            {"action", decision.action},
            {"words", describe_action(*decision.state, decision.action)},
            {"probability", std::exp(decision.log_probs[decision.action])},
            {part, std::move(answer)}};
}

Decision const& decision_at(EpisodeValue const& episode, std::size_t step) {
    if (step < episode.episode->decisions.size()) return episode.episode->decisions[step];
    throw py::index_error("step " + std::to_string(step) + ": the episode has " +
                          std::to_string(episode.episode->decisions.size()) + " decisions");
}

/// The decisions of cax/swap/1 and its like.
py::object ask(PolicyValue const& policy, EpisodeValue const& episode, std::vector<std::size_t> const& steps,
               std::string const& part, Manner const& manner, py::dict const& keywords) {
    Question question = question_of(part);
    question.reference = usual_reference(policy);
    OptionTable table = table_of(question);
    set_options(table, keywords);
    for (std::size_t const step : steps) (void)decision_at(episode, step);
    InstancePtr const instance = episode.episode->instance;
    auto const found = run_result<Explanation>(manner.progress, [&](Watch& watch) -> Result<Explanation> {
        WatchedPolicy const watched(*policy.policy, watch);
        ExplainOptions options = nothing_but(part);
        options.steps = steps;
        options.state_options = episode.state_options;
        options.sensitivities = question.sensitivity;
        options.pricing = question.pricing;
        options.seed = manner.seed;
        options.threads = manner.threads;
        options.progress = watch.progress();
        auto const ok = app::add_reference(options, question.reference, policy, watched, watch.progress());
        if (!ok) return ok.error();
        return cax::explain(watched, instance, options);
    });
    Json decisions = Json::array();
    for (Step const& step : found.steps) {
        decisions.push_back(decision_json(step.step, decision_at(episode, step.step), part, part_json(*instance, step)));
    }
    return to_python(decisions);
}

/// The swap with an action of one's choice, which no command offers.
py::object swap_with(PolicyValue const& policy, EpisodeValue const& episode, std::size_t step, std::size_t other,
                     Manner const& manner) {
    Decision const& decision = decision_at(episode, step);
    StepSwap result;
    result.swap = run_result<Swap>(manner.progress, [&](Watch& watch) {
        return cax::swap(WatchedPolicy(*policy.policy, watch), decision, {.other = other});
    });
    result.other_words = describe_action(*decision.state, other);
    ProblemInfo const& info = episode.episode->instance->problem().info();
    return to_python(decision_json(step, decision, "swap", records::swap_json(info, result)));
}

/// Name, columns and rows of every table of a result, which is given as the text of its file.
py::list tables(std::string const& text) {
    py::list list;
    for (records::TidyTable const& table : records::tables_of(Json::parse(text))) {
        py::list rows;
        for (auto const& row : table.rows) {
            py::list values;
            for (Json const& value : row) values.append(to_python(value));
            rows.append(values);
        }
        list.append(py::make_tuple(table.name, table.columns, rows));
    }
    return list;
}

/// The tables of a finished study's store, as tables.json has them.
py::object study_tables(std::string const& path, bool published) {
    auto const found = [&]() -> Result<Json> {
        py::gil_scoped_release const unlocked;
        auto const store = study::Store::open_to_read(path);
        if (!store) return store.error();
        auto const settings = study::settings_of(*store);
        if (!settings) return settings.error().within(path);
        auto const made =
            study::make_tables(*store, *settings, published ? study::Reading::published : study::Reading::paper);
        if (!made) return made.error().within(path);
        return study::to_json(*made);
    }();
    return to_python(value_or_raise(found));
}

template <class Request> py::list options_of(Request request) {
    py::list list;
    OptionTable const table = table_of(request);
    for (Option const& option : table.options()) {
        if (!option.typed || option.positional) continue;
        py::list words;
        for (OptionWord const& word : option.words()) words.append(std::string(word.name));
        py::dict entry;
        entry["name"] = keyword_of(option);
        entry["help"] = option.help;
        entry["default"] = option.default_text();
        entry["words"] = words;
        list.append(entry);
    }
    return list;
}

py::list options(std::string const& command) {
    if (command == "explain") return options_of(ExplanationRequest{});
    if (command == "attribute") return options_of(AttributionRequest{});
    if (command == "counterfactual") return options_of(CounterfactualRequest{});
    if (command == "subset") return options_of(SubsetRequest{});
    return options_of(question_of(command));
}

} // namespace

std::uint64_t usual_reference(PolicyValue const& policy) {
    return policy.sha256.empty() ? 0 : ReferenceOptions{}.decisions;
}

void bind_questions(py::module_& module) {
    module.def("ask", &ask);
    module.def("swap_with", &swap_with);
    module.def("tables", &tables);
    module.def("study_tables", &study_tables);
    module.def("options", &options);
}

} // namespace cax::python
